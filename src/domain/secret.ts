import { scrubberOf } from './secret-forms.ts';

/** The text that stands wherever a secret would have been printed. */
export const MASK = '***';

/**
 * A value that must appear nowhere but in the header or body it belongs to. Printing, logging, spreading or serialising it
 * gives the mask; only `reveal` gives the text.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  /** What Node's util.inspect prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}

/** A trade URL, and the part of it that lets others send offers: as it is written, and as a form would read it. */
export function secretsOfTradeUrl(tradeUrl: Secret): readonly Secret[] {
  const token = /[?&]token=([^&#]+)/.exec(tradeUrl.reveal())?.[1];
  if (token === undefined) return [tradeUrl];
  return [tradeUrl, ...[...new Set([token, unescaped(token)])].map((text) => new Secret(text))];
}

/** Parts of an address that are shorter are words rather than keys. */
const ADDRESS_KEY_LENGTH_MIN = 16;

/** An address that is secret, and the parts of its path and query that let others use it. */
export function secretsOfAddress(address: Secret): readonly Secret[] {
  const parts = address
    .reveal()
    .replace(/^\w+:\/\/[^/?]*/, '')
    .split(/[/?&=]/)
    .filter((part) => part.length >= ADDRESS_KEY_LENGTH_MIN);
  return [address, ...[...new Set(parts.flatMap((part) => [part, unescaped(part)]))].map((text) => new Secret(text))];
}

/** The token of a bot of Telegram, and the part of it behind its number. */
export function secretsOfBot(token: Secret): readonly Secret[] {
  const [, key = ''] = token.reveal().split(':');
  return key === '' ? [token] : [token, new Secret(key)];
}

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token.replaceAll('+', ' '));
  } catch {
    return token;
  }
}

/** Anything shorter would mask half of every line. */
const MASKED_LENGTH_MIN = 4;
/**
 * A function that replaces every occurrence of the given secrets in a text, in any case, and however an ordinary program may have
 * written them: plain, escaped for an address, JSON or HTML (also twice), in hexadecimal digits or in base64.
 */
export function scrubber(secrets: readonly Secret[]): (text: string) => string {
  const plain = new Set(secrets.map((secret) => secret.reveal()).filter((text) => text.length >= MASKED_LENGTH_MIN));
  if (plain.size === 0) return (text) => text;
  const longestFirst = [...plain].sort((a, b) => b.length - a.length);
  return scrubberOf(longestFirst, MASK);
}
