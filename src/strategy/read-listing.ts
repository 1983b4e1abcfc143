import { checkListing } from '../api/check.ts';
import { type BadListing, type Listing, type Sticker, listingKey } from '../domain/listing.ts';
import { DOLLARS_MAX, type Micros, microsFromDollars } from '../domain/money.ts';
import { foldCase, nameFault } from '../domain/text.ts';
import { remembered } from './remembered.ts';

export type ReadListing = { readonly ok: true; readonly listing: Listing } | { readonly ok: false; readonly bad: BadListing };

/** A skin carries five stickers; a list far beyond that is not believed. */
const STICKERS_MAX = 100;
/** Longer words are nothing a condition could name. */
const WORD_LENGTH_MAX = 512;
/** What a name comes to is kept of so many; a longer one is no item's. */
const NAMES_KEPT = 30_000;
const NAME_LENGTH_KEPT = 128;
/** How much of a bad listing's texts is kept. */
const KEPT_LENGTH_MAX = 100;

/**
 * Reads one entry of the feed, whatever JSON it is. Strict in what a purchase depends on (ids, market, name, prices, wear
 * outside 0–1): there anything odd makes the listing bad. Anywhere else a value of the wrong type counts as missing, so that
 * conditions on it are absent. Never throws.
 */
export function readListing(raw: unknown): ReadListing {
  const fault = checkListing(raw);
  if (fault !== undefined) return bad(raw, fault);
  // The check has just vouched for these; the rest of the entry is unknown.
  const entry = raw as Readonly<Record<string, unknown>> & {
    readonly itemId: string;
    readonly id: string;
    readonly marketHashName: string;
    readonly market: string;
    readonly price: number;
    readonly priceWithFee: number;
  };
  const { itemId, id, market, price, priceWithFee } = entry;
  if (priceWithFee < price) return bad(raw, `priceWithFee ${priceWithFee} is below price ${price}`);
  const priceMicros = amount(price, 'up');
  const cost = amount(priceWithFee, 'up');
  if (priceMicros === undefined || cost === undefined) return bad(raw, `a price of ${priceWithFee} dollars is absurd`);
  const name = entry.marketHashName;
  const wear = numberOrMissing(entry['wear']);
  if (wear !== undefined && !(wear >= 0 && wear <= 1)) return bad(raw, `wear ${wear} is outside 0 to 1`);
  const { folded, fault: wrong } = name.length > NAME_LENGTH_KEPT ? namedAs(name) : knownName(name);
  if (wrong !== undefined) return bad(raw, `marketHashName ${wrong}`);
  const listing: Listing = {
    key: listingKey(market, id),
    market,
    id,
    itemId,
    name,
    nameFolded: folded,
    price,
    priceMicros,
    priceWithFee,
    cost,
    steam: reference(entry['steamPrice']),
    type: word(entry['type']),
    delivery: word(entry['delivery']),
    exterior: word(entry['exterior']),
    wear,
    paintSeed: paintSeed(entry['paintSeed']),
    rarity: word(entry['rarity']),
    collection: word(entry['collection']),
    color: word(entry['color']),
    stickers: stickers(entry['stickers']),
    charm: charm(entry['charm']),
  };
  return { ok: true, listing };
}

interface Named {
  readonly folded: string;
  readonly fault: string | undefined;
}

function namedAs(name: string): Named {
  return { folded: foldCase(name), fault: nameFault(name) };
}

/** Some 20,000 items are for sale, each by many listings. */
const knownName = remembered(namedAs, NAMES_KEPT);

function bad(raw: unknown, reason: string): ReadListing {
  const { id, market, marketHashName } = isRecord(raw) ? raw : {};
  return { ok: false, bad: { reason, id: kept(id), market: kept(market), name: kept(marketHashName) } };
}

function kept(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, KEPT_LENGTH_MAX) : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOrMissing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function amount(dollars: number, rounding: 'up' | 'down'): Micros | undefined {
  return dollars > DOLLARS_MAX ? undefined : microsFromDollars(dollars, rounding);
}

function reference(value: unknown): Micros | undefined {
  const steam = typeof value === 'number' ? amount(value, 'down') : undefined;
  return steam !== undefined && steam > 0 ? steam : undefined;
}

function paintSeed(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= WORD_LENGTH_MAX ? value : undefined;
}

function stickers(value: unknown): readonly Sticker[] | undefined {
  if (!Array.isArray(value) || value.length > STICKERS_MAX) return undefined;
  return value.length === 0 ? noStickers : value.map(attached);
}

const noStickers: readonly Sticker[] = Object.freeze([]);

/** Upstreams give a charm as an object, null, or a list of at most one. */
function charm(value: unknown): Sticker | null | undefined {
  if (value === null) return null;
  if (isRecord(value)) return attached(value);
  if (!Array.isArray(value) || value.length > 1) return undefined;
  if (value.length === 0) return null;
  return isRecord(value[0]) ? attached(value[0]) : undefined;
}

/** A sticker or charm; upstreams name it in one of four fields. What is not an object is one of unknown name. */
function attached(value: unknown): Sticker {
  if (!isRecord(value)) return nameless;
  const name = word(value['name']) ?? word(value['enName']) ?? word(value['marketHashName']) ?? word(value['market_hash_name']);
  if (name === undefined) return nameless;
  return name.length > NAME_LENGTH_KEPT ? stickerNamed(name) : knownSticker(name);
}

const nameless: Sticker = Object.freeze({ name: undefined, nameFolded: undefined });

function stickerNamed(name: string): Sticker {
  return Object.freeze({ name, nameFolded: foldCase(name) });
}

/** There are some 10,000 stickers, each on many listings. */
const knownSticker = remembered(stickerNamed, NAMES_KEPT);
