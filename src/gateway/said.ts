import { foldCase, serviceMessage } from '../domain/text.ts';
import { fieldAt } from './fields.ts';

/** Makes a text of the service fit to be shown and kept: without tags, control characters and secrets, and short. */
export type Clean = (text: string) => string;

/** What an answer says in words about how it went. */
export interface Said {
  /** The service's own code, cleaned; undefined when it gave none. */
  readonly code: string | undefined;
  /** The service's own message, cleaned; undefined when it gave none. */
  readonly message: string | undefined;
  /** All codes and messages, folded and with their words apart (`ORDER_EXISTS`, `orderExists`: `order exists`), to find words in. */
  readonly words: string;
}

const codeFields = [['code'], ['errorCode'], ['error', 'code']] as const;
const messageFields = [
  ['message'],
  ['error', 'message'],
  ['errorMsg'],
  ['msg'],
  ['data', 'message'],
  ['data', 'order', 'message'],
] as const;

/** Longer than what is kept of a message, so that a word that matters is not cut off before it is found. */
const WORDS_MAX = 4_000;

/**
 * Codes and messages of a failure, which the document does not show: they are looked for wherever comparable services put them.
 * `error` alone may be a code or a message; a single word is a code. `clean` makes each harmless.
 */
export function saidIn(body: unknown, clean: Clean = serviceMessage): Said {
  const codes = codeFields.flatMap((path) => textsOf(fieldAt(body, path)));
  const messages = messageFields.flatMap((path) => textsOf(fieldAt(body, path)));
  for (const text of textsOf(fieldAt(body, ['error']))) (/\s/.test(text.trim()) ? messages : codes).push(text);
  return {
    code: first(codes, clean),
    message: first(messages, clean),
    words: wordsOf([...codes, ...messages].join(' ; ')),
  };
}

/** A text, a number as text, or the texts of a list (validation errors come as one); anything else says nothing. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  return value.slice(0, 20).filter((element): element is string => typeof element === 'string');
}

function first(texts: readonly string[], clean: Clean): string | undefined {
  for (const text of texts) {
    const cleaned = clean(text);
    if (cleaned !== '') return cleaned;
  }
  return undefined;
}

/** The envelope's `requestId`: what to quote to the service. undefined when there is none. */
export function requestIdIn(body: unknown, clean: Clean): string | undefined {
  const id = fieldAt(body, ['requestId']);
  return typeof id === 'string' && id !== '' ? clean(id) : undefined;
}

function wordsOf(text: string): string {
  const apart = text
    .slice(0, WORDS_MAX)
    .replace(/\p{Cf}/gu, '')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_\-./:]+/g, ' ');
  return foldCase(apart).trim();
}
