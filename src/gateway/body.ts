import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { printable } from '../domain/text.ts';
import { headerOf, type Answer, type Body, type Headers, type ReadListed } from './answer.ts';
import type { RawEnding } from './exchange.ts';

/** What we offer to inflate; anything else was not asked for. */
export const ACCEPT_ENCODING = 'gzip, br';

const INFLATE_CHUNK = 256 * 1024;

type Inflate = (data: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

const inflaters: ReadonlyMap<string, Inflate> = new Map([
  ['gzip', promisify(gunzip) as Inflate],
  ['x-gzip', promisify(gunzip) as Inflate],
  ['br', promisify(brotliDecompress) as Inflate],
]);

/** What came over the wire, with its body read as far as it can be; by `readListed` where that is given and can do it. */
export async function answerOf(ending: RawEnding, limitBytes: number, readListed?: ReadListed): Promise<Answer> {
  if (ending.kind === 'broken') return ending;
  const { status, headers } = ending;
  return { kind: 'whole', status, headers, body: await readBody(headers, ending.body, limitBytes, readListed) };
}

/**
 * The text of a JSON body: inflated, at most `limitBytes` of it and counted while inflating, so that a bomb costs no more than
 * that; and only when its type, charset and bytes are those of JSON in UTF-8.
 */
async function readBody(
  headers: Headers,
  raw: readonly Buffer[],
  limitBytes: number,
  readListed: ReadListed | undefined,
): Promise<Body> {
  const wrong = wrongType(headerOf(headers, 'content-type'));
  if (wrong !== undefined) return { unreadable: wrong };
  const pieces = await inflated(headers, raw, limitBytes);
  if (typeof pieces === 'string') return { unreadable: pieces };
  const listed = readListed?.(pieces);
  if (listed) return { ...listed, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) };
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) return { unreadable: 'it is not UTF-8' };
  return { text: bytes.toString('utf8'), bytes: bytes.length };
}

async function inflated(headers: Headers, raw: readonly Buffer[], limitBytes: number): Promise<readonly Buffer[] | string> {
  if (isPlain(headers)) return raw;
  const encoding = encodingOf(headers);
  const inflate = inflaters.get(encoding);
  if (!inflate) return `its encoding is ${printable(encoding, 40)}, which was not asked for`;
  try {
    return [await inflate(Buffer.concat(raw), { maxOutputLength: limitBytes, chunkSize: INFLATE_CHUNK })];
  } catch {
    return `it does not inflate (${encoding}), or to more than ${limitBytes} bytes`;
  }
}

/** Whether the body comes as it is, not compressed. */
export function isPlain(headers: Headers): boolean {
  const encoding = encodingOf(headers);
  return encoding === '' || encoding === 'identity';
}

function encodingOf(headers: Headers): string {
  const sent = headers['content-encoding'] ?? '';
  return (typeof sent === 'string' ? sent : sent.join(', ')).trim().toLowerCase();
}

/** Why a body of that type is not read; undefined when it is. A type that is not given is not held against it. */
export function wrongType(type: string | undefined): string | undefined {
  if (type === undefined || type.trim() === '') return undefined;
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const kind = essence.trim();
  if (!/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(kind)) return `it is ${printable(kind, 60)}, not JSON`;
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=');
    const charset = value.trim().replace(/^"(.*)"$/, '$1');
    if (name?.trim() === 'charset' && !/^(?:utf-?8|us-ascii)$/.test(charset))
      return `its charset is ${printable(charset, 40)}, not UTF-8`;
  }
  return undefined;
}
