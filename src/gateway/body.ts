import { isUtf8 } from 'node:buffer';
import { printable } from '../domain/text.ts';
import { headerOf, type Answer, type Body, type Headers, type ReadListed } from './answer.ts';
import type { RawEnding } from './exchange.ts';
import { type Encoding, Inflation, canInflate } from './inflation.ts';

/** What reads a body instead. */
export interface BodyReader {
  readonly read: ReadListed;
  /** The body, where it has been inflated as it came; undefined in the end where it does not inflate. */
  inflated?(): Promise<readonly Buffer[] | undefined> | undefined;
}

/** What came over the wire, with its body read as far as it can be; by `reader` where that is given and can do it. */
export async function answerOf(ending: RawEnding, limitBytes: number, reader?: BodyReader): Promise<Answer> {
  if (ending.kind === 'broken') return ending;
  const { status, headers } = ending;
  return { kind: 'whole', status, headers, body: await readBody(headers, ending.body, limitBytes, reader) };
}

/**
 * The text of a JSON body: inflated, at most `limitBytes` of it and counted while inflating, so that a bomb costs no more than
 * that; and only when its type, charset and bytes are those of JSON in UTF-8.
 */
async function readBody(
  headers: Headers,
  raw: readonly Buffer[],
  limitBytes: number,
  reader: BodyReader | undefined,
): Promise<Body> {
  const wrong = wrongType(headerOf(headers, 'content-type'));
  if (wrong !== undefined) return { unreadable: wrong };
  const encoding = encodingOf(headers);
  if (encoding !== undefined && !canInflate(encoding))
    return { unreadable: `its encoding is ${printable(encoding, 40)}, which was not asked for` };
  const pieces = encoding === undefined ? raw : await (reader?.inflated?.() ?? inflated(encoding, raw, limitBytes));
  if (pieces === undefined) return { unreadable: `it does not inflate (${encoding}), or to more than ${limitBytes} bytes` };
  const listed = reader?.read(pieces);
  if (listed) return { ...listed, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) };
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) return { unreadable: 'it is not UTF-8' };
  return { text: bytes.toString('utf8'), bytes: bytes.length };
}

function inflated(encoding: Encoding, raw: readonly Buffer[], limitBytes: number): Promise<readonly Buffer[] | undefined> {
  const inflation = new Inflation(encoding, limitBytes);
  for (const piece of raw) inflation.push(piece);
  return inflation.end();
}

/** How the body is compressed, in the service's words; undefined when it comes as it is. */
export function encodingOf(headers: Headers): string | undefined {
  const sent = headers['content-encoding'] ?? '';
  const encoding = (typeof sent === 'string' ? sent : sent.join(', ')).trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
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
