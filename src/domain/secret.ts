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

function unescaped(token: string): string {
  try {
    return decodeURIComponent(token.replaceAll('+', ' '));
  } catch {
    return token;
  }
}

/** Anything shorter would mask half of every line. */
const MASKED_LENGTH_MIN = 4;
/** In hexadecimal digits or base64 anything shorter would mask ordinary words. */
const ENCODED_LENGTH_MIN = 8;

/**
 * A function that replaces every occurrence of the given secrets in a text, in any case, and however an ordinary program may have
 * written them: plain, escaped for an address, JSON or HTML (also twice), in hexadecimal digits or in base64.
 */
export function scrubber(secrets: readonly Secret[]): (text: string) => string {
  const plain = new Set(secrets.map((secret) => secret.reveal()).filter((text) => text.length >= MASKED_LENGTH_MIN));
  if (plain.size === 0) return (text) => text;
  const longestFirst = [...plain].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.flatMap(patternsOf).join('|'), 'gi');
  return (text) => text.replace(pattern, MASK);
}

function patternsOf(secret: string): readonly string[] {
  const written = (secret.match(/\\+|[^]/gu) ?? []).map(piecePattern).join('');
  if (secret.length < ENCODED_LENGTH_MIN) return [written];
  const bytes = new TextEncoder().encode(secret);
  return [written, Array.from(bytes, hex).join(''), ...base64Patterns(bytes)];
}

const namedInHtml: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** One character, or backslashes in a row, plain or escaped. Nobody escapes letters and digits. */
function piecePattern(piece: string): string {
  if (/[A-Za-z0-9]/.test(piece)) return piece;
  const code = piece.codePointAt(0) ?? 0;
  const inJson = `\\\\{1,8}u${code.toString(16).padStart(4, '0')}`;
  const inAddress = Array.from(new TextEncoder().encode(String.fromCodePoint(code)), (byte) => `%(?:25){0,2}${hex(byte)}`).join(
    '',
  );
  const named = namedInHtml[piece] ?? `#${code}`;
  const inHtml = `&(?:amp;)?(?:#0{0,4}${code}|#x0{0,4}${code.toString(16)}|${named});`;
  const backslashes = piece.startsWith('\\') ? piece.length : 0;
  if (backslashes > 0) return `(?:\\\\{${backslashes},${8 * backslashes}}|(?:${inJson}|${inAddress}|${inHtml}){${backslashes}})`;
  const plain = `\\\\{0,8}${piece.replace(/[$()*+.?[\]^{|}]/, '\\$&')}`;
  return `(?:${plain}|${inJson}|${inAddress}|${inHtml}${piece === ' ' ? '|\\+' : ''})`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * A digit of base64 stands for six bits, so what a secret looks like depends on how many bytes stand before it. Each pattern holds the
 * digits that are made of the secret's bits alone.
 */
function base64Patterns(bytes: Uint8Array): readonly string[] {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return [0, 2, 4].map((begin) => {
    const sixes = bits.slice(begin).match(/.{6}/g) ?? [];
    const digits = sixes.map((six) => BASE64.charAt(Number.parseInt(six, 2))).join('');
    return digits.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:[/_]|%2f)');
  });
}
