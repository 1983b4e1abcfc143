import type { Endpoint } from '../api/endpoints.ts';

/** The one origin that is ever called, and what stands before every path. */
export interface Base {
  readonly url: URL;
  /** Empty, or a path without its last slash. */
  readonly prefix: string;
}

/** Reads `service.baseUrl`. Throws TypeError when it is no http(s) address, or carries a user, a query or a fragment. */
export function baseOf(baseUrl: string): Base {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('service.baseUrl must be an http or https address');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('service.baseUrl must be an address alone: no user, no query, no fragment');
  }
  return { url, prefix: url.pathname.replace(/\/+$/, '') };
}

type Value = string | number | undefined;

/** Path and query of one request, every part encoded. Throws TypeError when a path parameter is missing. */
export function targetOf(
  base: Base,
  endpoint: Pick<Endpoint, 'path'>,
  query: Readonly<Record<string, Value>> = {},
  parameters: Readonly<Record<string, string>> = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    // A part of dots alone would climb the path once somebody normalises it.
    if (value === undefined || /^\.*$/.test(value)) throw new TypeError(`the path ${endpoint.path} needs ${name}`);
    // By way of UTF-8, since half a surrogate pair cannot be encoded.
    return encodeURIComponent(Buffer.from(value).toString());
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
  const encoded = search.toString();
  return `${base.prefix}${path}${encoded === '' ? '' : `?${encoded}`}`;
}
