import type { Heard } from '../door.ts';

/** What one answer of the live listings shows, read from its bytes by the words of the contract alone. */
export interface Shown {
  /** The price of each listing that may be bought, by `market:listing id`: no entry of it is bad, and they agree. */
  readonly offers: ReadonlyMap<string, number>;
  /** Every listing that an entry names, good or bad. */
  readonly named: ReadonlySet<string>;
  /** Each price that an entry of a listing has, good or bad. */
  readonly prices: ReadonlyMap<string, readonly unknown[]>;
  /** It is a whole answer in which every entry can be read: what it does not name is not there. */
  readonly whole: boolean;
}

const kept = new Map<string, Shown>();

export function shownBy({ text, part }: Heard): Shown {
  const key = part === true ? `part ${text}` : text;
  let shown = kept.get(key);
  if (shown === undefined) {
    // Feeds are looked at again by the next posts only.
    if (kept.size > 50) kept.clear();
    kept.set(key, (shown = part === true ? { ...shownIn(closed(text)), whole: false } : shownIn(text)));
  }
  return shown;
}

/** The beginning of an answer as a whole one: closed behind the last listing that is there. */
function closed(text: string): string {
  for (let end = text.lastIndexOf('}'); end > 0; end = text.lastIndexOf('}', end - 1)) {
    const whole = `${text.slice(0, end + 1)}]}}`;
    if (isJson(whole)) return whole;
  }
  return '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function shownIn(text: string): Shown {
  const prices = new Map<string, unknown[]>();
  const offers = new Map<string, number>();
  const withFee = new Map<string, unknown>();
  const spoilt = new Set<string>();
  const { listings, count } = listingsIn(text);
  for (const entry of listings) {
    const key = nameOf(entry);
    if (key === undefined) continue;
    const { price, priceWithFee } = entry as Entry;
    const isSame = offers.get(key) === price && withFee.get(key) === priceWithFee;
    if (!isGood(entry as Entry) || (prices.has(key) && !isSame)) spoilt.add(key);
    prices.set(key, [...(prices.get(key) ?? []), price]);
    offers.set(key, price as number);
    withFee.set(key, priceWithFee);
  }
  for (const key of spoilt) offers.delete(key);
  const readable = listings.every((entry) => nameOf(entry) !== undefined);
  return { offers, named: new Set(prices.keys()), prices, whole: readable && listings.length > 0 && count === listings.length };
}

/** An answer that cannot be read, or says that it is none, shows nothing. */
function listingsIn(text: string): { readonly listings: readonly unknown[]; readonly count: unknown } {
  try {
    const said = JSON.parse(text) as { success?: unknown; data?: { listings?: unknown; listingsCount?: unknown } };
    const { listings, listingsCount } = said.data ?? {};
    if (said.success !== true || !Array.isArray(listings)) return { listings: [], count: 0 };
    return { listings, count: listingsCount };
  } catch {
    return { listings: [], count: 0 };
  }
}

type Entry = Readonly<Record<string, unknown>>;

/** `market:listing id`; undefined where the entry has none. */
function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { id, market } = entry as Entry;
  return isText(id) && isText(market) ? `${market}:${id}` : undefined;
}

/** Bad is one without an item id, a name or a price, whose price with the fee is below it, or whose wear is none. */
function isGood({ itemId, marketHashName, price, priceWithFee, wear }: Entry): boolean {
  if (!isText(itemId) || !isText(marketHashName)) return false;
  if (!isPrice(price) || !isPrice(priceWithFee) || priceWithFee < price) return false;
  return typeof wear !== 'number' || (wear >= 0 && wear <= 1);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
