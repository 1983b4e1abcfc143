import { createHash } from 'node:crypto';

/** An entry longer than this is kept without its longest parts: no listing is, unless someone means harm. */
const TEXT_MAX = 65_536;
const PART_MAX = 2_048;

export interface ListingText {
  readonly text: string;
  /** The first 16 bytes of the text's SHA-256. */
  readonly hash: Buffer;
}

/** One entry of the feed as JSON text, unknown fields included, with every secret masked by `scrub`. */
export function listingText(raw: unknown, scrub: (text: string) => string): ListingText {
  const text = scrub(wholeText(raw) ?? shortText(raw, scrub));
  return { text, hash: textHash(text) };
}

/** What a text is known again by, and held against. */
export function textHash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}

/** What a text that was kept says; undefined where it is no JSON: damage to one takes nothing from the others. */
export function keptJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** undefined when it is too long, or nested so deep that it cannot be written out. */
function wholeText(raw: unknown): string | undefined {
  try {
    const text = JSON.stringify(raw) ?? 'null';
    return text.length <= TEXT_MAX ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The parts of an entry that are of ordinary size, and the names of those left out under `cut`, masked before they are cut. */
function shortText(raw: unknown, scrub: (text: string) => string): string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return '{"cut":["everything"]}';
  const parts: string[] = [];
  const cut: string[] = [];
  for (const [name, value] of Object.entries(raw).slice(0, 100)) {
    const text = name.length <= 100 ? wholeText(value) : undefined;
    if (text !== undefined && text.length <= PART_MAX) parts.push(`${JSON.stringify(name)}:${text}`);
    else cut.push(scrub(name).slice(0, 100));
  }
  return `{${[...parts.slice(0, 30), `"cut":${JSON.stringify(cut)}`].join(',')}}`;
}
