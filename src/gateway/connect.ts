import type { buildConnector, Pool } from 'undici';

/**
 * How long an idle connection is kept. Longer than undici's four seconds, so that polls and buys find one; shorter than the minute
 * after which proxies close theirs, since a request that meets the closing has an unknown outcome. A shorter wish of the service's
 * (Keep-Alive: timeout=…) goes before.
 */
export const IDLE_MAX_MS = 30_000;

/** HTTP/1.1, one request at a time on a connection, and no time-out of undici's own: those count between bytes. */
export const poolOptions = {
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: IDLE_MAX_MS,
  keepAliveMaxTimeout: IDLE_MAX_MS,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const satisfies Pool.Options;

/** Certificates are checked whatever the environment says; connecting takes `timeoutMs` at most. */
export function connectorOptions(timeoutMs: number): buildConnector.BuildOptions {
  return { rejectUnauthorized: true, timeout: timeoutMs };
}
