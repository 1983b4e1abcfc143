/** In hexadecimal digits or base64 anything shorter would mask ordinary words. */
const ENCODED_LENGTH_MIN = 8;

/** Matches every form of the given secrets, in any case. The longest must come first: one may be a part of another. */
export function patternOf(secrets: readonly string[]): RegExp {
  return new RegExp(secrets.flatMap(patternsOf).join('|'), 'gi');
}

function patternsOf(secret: string): readonly string[] {
  const pieces = secret.match(/\\+|[^]/gu) ?? [];
  // CSV doubles a quote. At an end it is left to stand: the one beside it may be what encloses the whole.
  const isInside = (at: number): boolean => at > 0 && at < pieces.length - 1;
  const written = pieces
    .map((piece, at) => (piece === '"' && isInside(at) ? `${piecePattern(piece)}"?` : piecePattern(piece)))
    .join('');
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
 * A digit of base64 stands for six bits, so what a secret looks like depends on how many bytes stand before it. Each gives the digits
 * that are made of the secret's bits alone.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 2, 4].map((begin) => {
    let [digits, bits, held] = ['', 0, -begin];
    for (const byte of bytes) {
      bits = (held < 0 ? byte & (0xff >> -held) : (bits << 8) | byte) & 0x3fff;
      held += 8;
      for (; held >= 6; held -= 6) digits += BASE64.charAt((bits >> (held - 6)) & 63);
    }
    return digits;
  });
}

function base64Patterns(bytes: Uint8Array): readonly string[] {
  return base64Forms(bytes).map((digits) => digits.replaceAll('+', '(?:[+-]|%2b)').replaceAll('/', '(?:[/_]|%2f)'));
}

/** Letters and digits in a row that stand in every form of a secret: nobody escapes them. */
const GRAM = 6;

/**
 * Replaces every form of the given secrets, which costs a text no more where they are thousands, and little memory where many look for a few. A form can stand only where
 * six letters or digits in a row of it do, so those are looked for first, and then the forms of the secrets that have them.
 */
export function scrubberOf(longestFirst: readonly string[], mask: string): (text: string) => string {
  const always: number[] = [];
  const grams = new GramIndex(longestFirst.length * FORMS_MAX);
  for (const [at, secret] of longestFirst.entries()) {
    const found = formsOf(secret).map(lastGram);
    if (found.includes(undefined)) always.push(at);
    else for (const gram of found) grams.add(gram ?? 0, at);
  }
  const patterns = new Map<string, RegExp>();
  return (text) => {
    const near = grams.near(text);
    if (near.size + always.length === 0) return text;
    const places = [...new Set([...always, ...near])].toSorted((a, b) => a - b);
    const known = patterns.get(places.join());
    const pattern = known ?? patternOf(places.map((at) => longestFirst[at] as string));
    if (known === undefined) {
      if (patterns.size >= PATTERNS_MAX) patterns.clear();
      patterns.set(places.join(), pattern);
    }
    return text.replace(pattern, mask);
  };
}

/** Plain, in hexadecimal digits, and in base64 after each number of bytes. */
const FORMS_MAX = 5;

/** Compiled ones that are kept: what was found near once is often found again. */
const PATTERNS_MAX = 8;

function formsOf(secret: string): readonly string[] {
  if (secret.length < ENCODED_LENGTH_MIN) return [secret];
  const bytes = new TextEncoder().encode(secret);
  return [secret, Array.from(bytes, hex).join(''), ...base64Forms(bytes)];
}

/** Of the last letters and digits of a form: keys often begin alike. undefined: it has nowhere six in a row. */
function lastGram(form: string): number | undefined {
  const run = form.match(/[A-Za-z0-9]{6,}/g)?.at(-1);
  if (run === undefined) return undefined;
  let gram = 0;
  for (let at = run.length - GRAM; at < run.length; at++) gram = nextGram(gram, run.charCodeAt(at));
  return gram;
}

/** Five bits a character, the same for both cases; that some others look alike makes nothing be missed. */
function nextGram(gram: number, code: number): number {
  return ((gram << 5) | (code & 31)) & 0x3fffffff;
}

/** Places of a table for each thing in it: of a text's places hardly one in fifty has to be looked at twice. */
const BUCKETS_EACH = 50;

/** Which secrets have a form that ends in given letters and digits. */
class GramIndex {
  readonly #secrets = new Map<number, readonly number[]>();
  /** 1 where there is any: most places of a text are told by it alone. */
  readonly #buckets: Uint8Array;
  readonly #last: number;

  constructor(size: number) {
    this.#last = 2 ** Math.min(19, Math.ceil(Math.log2(size * BUCKETS_EACH))) - 1;
    this.#buckets = new Uint8Array(this.#last + 1);
  }

  add(gram: number, secret: number): void {
    this.#buckets[this.#bucketOf(gram)] = 1;
    this.#secrets.set(gram, [...(this.#secrets.get(gram) ?? []), secret]);
  }

  near(text: string): ReadonlySet<number> {
    let near: Set<number> | undefined;
    let gram = 0;
    for (let at = 0; at < text.length; at++) {
      gram = nextGram(gram, text.charCodeAt(at));
      if (this.#buckets[this.#bucketOf(gram)] === 0) continue;
      for (const secret of this.#secrets.get(gram) ?? nobody) (near ??= new Set()).add(secret);
    }
    return near ?? noneNear;
  }

  #bucketOf(gram: number): number {
    return (gram ^ (gram >>> 11)) & this.#last;
  }
}

const nobody: readonly number[] = [];
const noneNear: ReadonlySet<number> = new Set();
