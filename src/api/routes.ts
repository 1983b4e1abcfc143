import { endpoints, type Endpoint, type EndpointName } from './endpoints.ts';

export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

const table = (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, endpoint]) => ({
  name,
  endpoint,
  pattern: patternOf(endpoint.path),
}));

/** Every path as the table has it, `{…}` for its parameters, by the method that it is called with. */
export const pathsByMethod: Readonly<Record<Endpoint['method'], readonly string[]>> = {
  GET: pathsOf('GET'),
  POST: pathsOf('POST'),
};

/** The row of the endpoint table that a request is for; undefined when there is none. */
export function routeOf(method: string, path: string): Route | undefined {
  for (const { name, endpoint, pattern } of table) {
    const found = endpoint.method === method ? pattern.exec(path) : null;
    if (found) return { name, endpoint, params: { ...found.groups } };
  }
  return undefined;
}

function pathsOf(method: Endpoint['method']): string[] {
  return table.filter(({ endpoint }) => endpoint.method === method).map(({ endpoint }) => endpoint.path);
}

/** `/v1/market/item/{id}` as an expression with a named group for each parameter. */
function patternOf(path: string): RegExp {
  const parts = path
    .split(/\{(\w+)\}/)
    .map((part, at) => (at % 2 === 1 ? `(?<${part}>[^/]+)` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)));
  return new RegExp(`^${parts.join('')}$`);
}
