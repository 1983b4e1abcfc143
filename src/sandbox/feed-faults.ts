import { chance, pick, wholeBetween, type Random } from '../domain/random.ts';
import { Prepared } from './answer.ts';
import type { FaultPlan } from './fault-plan.ts';

interface Feed {
  readonly listings: readonly unknown[];
  readonly listingsCount: number;
}

type Wire = Readonly<Record<string, unknown>>;

/** The share of the entries that a fault of single entries touches. */
const TOUCHED = 0.1;

/** Damages the data of a live answer as the faults have it. */
export function faultyFeed(data: unknown, plan: FaultPlan): unknown {
  const struck = (['feedShort', 'feedPriceSlip', 'feedDuplicates', 'feedBadRows'] as const).filter((name) => plan.strikes(name));
  if (struck.length === 0 || !(data instanceof Prepared)) return data;
  let feed = data.value() as Feed;
  for (const name of struck) feed = damage[name](feed, plan.random(name));
  return feed;
}

const damage = { feedShort: short, feedPriceSlip: slipped, feedDuplicates: doubled, feedBadRows: damaged };

function short(feed: Feed, random: Random): Feed {
  if (chance(random, 0.5)) return { listings: [], listingsCount: 0 };
  return { ...feed, listings: feed.listings.slice(0, Math.floor(feed.listings.length / 10)) };
}

function slipped(feed: Feed, random: Random): Feed {
  const factor = pick(random, [0.1, 0.1, 0.01, 10, 100]);
  const fields = chance(random, 0.7) ? ['price', 'priceWithFee'] : ['steamPrice'];
  const slip = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * factor * 1e6) / 1e6 : value);
  const moved = (wire: Wire): Wire => ({ ...wire, ...Object.fromEntries(fields.map((field) => [field, slip(wire[field])])) });
  return { ...feed, listings: feed.listings.map((entry) => (isWire(entry) ? moved(entry) : entry)) };
}

function doubled(feed: Feed, random: Random): Feed {
  const listings = feed.listings.flatMap((entry) => {
    if (!isWire(entry) || !chance(random, TOUCHED)) return [entry];
    const [price, priceWithFee] = [Number(entry['price']) + 0.01, Number(entry['priceWithFee']) + 0.01];
    return [
      entry,
      chance(random, 0.5)
        ? entry
        : { ...entry, price: Math.round(price * 100) / 100, priceWithFee: Math.round(priceWithFee * 100) / 100 },
    ];
  });
  return { listings, listingsCount: listings.length };
}

function damaged(feed: Feed, random: Random): Feed {
  return {
    ...feed,
    listings: feed.listings.map((entry) => (isWire(entry) && chance(random, TOUCHED) ? badRow(entry, random) : entry)),
  };
}

function badRow(entry: Wire, random: Random): unknown {
  const { id: _, ...withoutId } = entry;
  const forms: readonly unknown[] = [
    null,
    'listing',
    withoutId,
    { ...entry, id: Number(entry['id']) },
    { ...entry, price: String(entry['price']) },
    { ...entry, price: 0 },
    { ...entry, priceWithFee: Number(entry['price']) / 2 },
    { ...entry, wear: 7 },
    { ...entry, market: 'elsewhere' },
    { ...entry, marketHashName: `\u001b[31m${String(entry['marketHashName'])}\u202e` },
    { ...entry, steamPrice: -1, stickers: 'none', charm: 7 },
  ];
  return forms[wholeBetween(random, 0, forms.length - 1)];
}

function isWire(entry: unknown): entry is Wire {
  return typeof entry === 'object' && entry !== null;
}
