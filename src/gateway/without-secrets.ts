import type { Headers } from './answer.ts';
import type { RawEnding } from './exchange.ts';

type Scrub = (text: string) => string;

/** Where an answer holds a list that is long and hot. */
const LONG_LIST = 'listings';

/** Texts of a listing that are kept or shown outside the recording, which scrubs the rest itself. */
const keptTexts = ['marketHashName', 'market', 'itemId', 'id'] as const;

/**
 * The data of an answer with our secrets masked in it, should the service ever quote them: done at the door, before anything is cut
 * short, since half a key is a secret too. Changes the data in place. `masked`: a list in it in which that has been done.
 */
export function withoutSecrets(data: unknown, scrub: Scrub, masked?: unknown): unknown {
  if (typeof data === 'string') return scrub(data);
  const open: unknown[] = [data];
  while (open.length > 0) {
    const holder = open.pop();
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value === 'string') mask(holder, name, value, scrub);
      else if (value === masked && masked !== undefined) continue;
      else if (name === LONG_LIST && Array.isArray(value)) for (const entry of value) maskListing(entry, scrub);
      else open.push(value);
    }
  }
  return data;
}

/** The same for one listing of such a list. */
export function maskListing(entry: unknown, scrub: Scrub): void {
  if (typeof entry !== 'object' || entry === null) return;
  const texts = entry as Readonly<Record<string, unknown>>;
  for (const name of keptTexts) {
    const text = texts[name];
    // An id is digits, and no key is.
    if (typeof text === 'string' && !/^\d+$/.test(text)) mask(entry, name, text, scrub);
  }
}

/** Only own fields are ever given, so that `__proto__` is one as any other. */
function mask(holder: object, name: string, text: string, scrub: Scrub): void {
  const clean = scrub(text);
  if (clean !== text) (holder as Record<string, unknown>)[name] = clean;
}

/** What came over the wire, with our secrets masked in its headers, of which some are quoted in messages. */
export function withoutSecretHeaders(ending: RawEnding, scrub: Scrub): RawEnding {
  return { ...ending, headers: headersWithout(ending.headers, scrub) };
}

function headersWithout(headers: Headers, scrub: Scrub): Headers {
  const clean = Object.entries(headers).map(([name, value]) => {
    if (value === undefined) return [name, value];
    return [name, typeof value === 'string' ? scrub(value) : value.map(scrub)];
  });
  return Object.fromEntries(clean) as Headers;
}
