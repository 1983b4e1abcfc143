import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { endpoints, type Endpoint } from '../api/endpoints.ts';
import { sleep, type Clock } from '../domain/clock.ts';
import type { SandboxRequest } from './answer.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxAnswer } from './sandbox-answer.ts';

/** Smaller answers are not worth compressing. */
const COMPRESSED_FROM = 2048;
const REQUEST_BYTES_MAX = 1_048_576;
/** Longer than any client keeps an idle connection, so that it is never closed under a request. */
const KEEP_ALIVE_MS = 120_000;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** An exchange over HTTP: one route for each row of the endpoint table; everything is decided by `sandbox.handle`. */
export function sandboxServer(sandbox: Pick<Sandbox, 'handle'>, clock: Clock): FastifyInstance {
  const app = fastify({ bodyLimit: REQUEST_BYTES_MAX, keepAliveTimeout: KEEP_ALIVE_MS, forceCloseConnections: true });
  const closing = new AbortController();
  app.addHook('preClose', () => closing.abort());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const handler = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    serve(sandbox, clock, closing.signal, request, reply);
  for (const { method, path } of Object.values(endpoints) as Endpoint[])
    app.route({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1'), handler });
  app.route({ method: ['GET', 'POST'], url: '/sandbox/*', handler });
  app.setNotFoundHandler(handler);
  app.setErrorHandler((error: { readonly statusCode?: number; readonly message: string }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ success: false, code: 'BAD_REQUEST', message: error.message }),
  );
  return app;
}

async function serve(
  sandbox: Pick<Sandbox, 'handle'>,
  clock: Clock,
  closing: AbortSignal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.hijack();
  const answer = handled(sandbox, requestOf(request));
  if (answer.delayMs > 0) await sleep(clock, answer.delayMs, closing);
  if (answer.lost || reply.raw.destroyed) return void reply.raw.destroy();
  await send(answer, request.headers['accept-encoding'] ?? '', reply);
}

/** A fault of our own (a full disk, say) is the service's 500: nobody knows then what was carried out. */
function handled(sandbox: Pick<Sandbox, 'handle'>, request: SandboxRequest): SandboxAnswer {
  try {
    return sandbox.handle(request);
  } catch (error) {
    const bodyText = JSON.stringify({ success: false, code: 'SANDBOX_FAILED', message: String(error) });
    return { status: 500, headers: { 'content-type': 'application/json; charset=utf-8' }, bodyText, delayMs: 0 };
  }
}

function requestOf(request: FastifyRequest): SandboxRequest {
  const { pathname, searchParams } = new URL(request.url, 'http://sandbox');
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(searchParams.keys())) {
    const values = searchParams.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  const body = typeof request.body === 'string' ? request.body : undefined;
  return { method: request.method, path: pathname, query, headers: request.headers, body };
}

async function send(answer: SandboxAnswer, accepted: string, { raw }: FastifyReply): Promise<void> {
  const { bytes, encoding } = await encoded(answer, accepted);
  if (raw.destroyed) return;
  const torn = answer.cut === 'torn';
  const length = torn ? bytes.length + 1000 : bytes.length;
  raw.writeHead(answer.status, {
    ...answer.headers,
    ...(encoding ? { 'content-encoding': encoding } : {}),
    'content-length': length,
  });
  if (torn) raw.write(bytes, () => raw.destroy());
  else raw.end(bytes);
}

async function encoded(answer: SandboxAnswer, accepted: string): Promise<{ bytes: Uint8Array; encoding: string | undefined }> {
  const bytes = Buffer.from(answer.bodyText);
  if (bytes.length < COMPRESSED_FROM || answer.cut) return { bytes, encoding: undefined };
  const offered = accepted.split(',').map((part) => part.trim());
  const takes = (name: string): boolean =>
    offered.some((part) => part === name || (part.startsWith(`${name};`) && !/;\s*q=0(?:\.0*)?$/.test(part)));
  // The quickest level of each: this is a loopback exchange, the point is that clients decode it.
  if (takes('gzip')) return { bytes: await gzipAsync(bytes, { level: 1 }), encoding: 'gzip' };
  if (takes('br'))
    return { bytes: await brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), encoding: 'br' };
  return { bytes, encoding: undefined };
}
