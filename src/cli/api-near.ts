import { type Endpoint, endpoints } from '../api/endpoints.ts';
import { routeOf } from '../api/routes.ts';
import { edits } from '../domain/nearest.ts';

/** Endpoints that a mistyped one may have meant, as `GET /v1/user`: the same path by another method, or the nearest by letters. */
export function routesNear(method: string, path: string): readonly string[] {
  const other = method === 'GET' ? 'POST' : 'GET';
  const route = routeOf(other, path);
  if (route) return [`${other} ${route.endpoint.path}`];
  const rows = Object.values<Endpoint>(endpoints).filter((row) => row.method === method);
  const near = rows
    .map((endpoint) => ({ text: `${method} ${endpoint.path}`, distance: edits(path.slice(0, 100), endpoint.path) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(3, path.length / 3) ? [near.text] : [];
}
