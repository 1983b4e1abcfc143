import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../../src/app/rules.ts';
import type { Decision } from '../../../src/domain/decision.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../../src/domain/random.ts';
import type { ListingChange } from '../../../src/engine/snapshot.ts';
import { Floats } from '../../../src/replay/backtest/columns.ts';
import type { Heard, MarketHistory, ShownPoll } from '../../../src/replay/backtest/market-history.ts';
import { Offers } from '../../../src/replay/backtest/offers.ts';
import { type Circumstances, type Fate, replay } from '../../../src/replay/backtest/replay.ts';
import { parseStrategy } from '../../../src/strategy/parse.ts';
import { readListing } from '../../../src/strategy/read-listing.ts';
import type { StrategyDocument } from '../../../src/strategy/schema.ts';
import { START } from '../../support/feed-entries.ts';
import { dollars, wideLimits } from '../../support/values.ts';
import { entries, strategyDocuments } from '../../strategy/anything.ts';

type Wire = Record<string, unknown>;

/** From polls each second to polls so far apart that windows of hours and days end between them. */
const paces = [1_000, 1_000, 7_000, 90_000, 1_200_000, 5_400_000] as const;

/** A time in which listings come, change and go, health and stops come and go, and some answers are broken or shown before their end. */
function drawHistory(pool: readonly Wire[], seed: number): MarketHistory {
  const random = seededRandom(seed);
  const polls = { beganAt: new Floats(), endedAt: new Floats(), complete: new Floats(), first: new Floats() };
  const [shown, heard]: [ShownPoll[], Heard[]] = [[], []];
  const standing = new Map<string, number>();
  let at = START;
  const count = wholeBetween(random, 20, 150);
  for (let poll = 0; poll < count; poll++) {
    const pace = pick(random, chance(random, 0.9) ? paces.slice(0, 2) : paces);
    at += pace;
    for (let more = 0; more < 2; more++)
      if (chance(random, 0.25)) heard.push(drawHeard(random, at - wholeBetween(random, 0, pace - 1)));
    polls.beganAt.push(at);
    polls.endedAt.push(at + 50);
    polls.complete.push(chance(random, 0.9) ? 1 : 0);
    polls.first.push(poll === 0 ? 1 : 0);
    const changed: ListingChange[] = [];
    for (let more = chance(random, 0.3) ? wholeBetween(random, 1, 5) : 0; more > 0; more--) {
      const change = drawChange(random, pool, standing, { at, place: changed.length });
      if (change !== undefined && changed.every(({ listing }) => listing.key !== change.listing.key)) changed.push(change);
    }
    const keys = new Set<string>(changed.map(({ listing }) => listing.key));
    const gone = [...standing.keys()].filter((key) => !keys.has(key) && chance(random, 0.02));
    for (const key of gone) standing.delete(key);
    if (changed.length + gone.length > 0) shown.push({ poll, changed, gone });
  }
  return {
    ...{
      from: START,
      to: at + 50,
      gaps: [],
      polls,
      completePolls: polls,
      offers: new Offers(),
      shown,
      balances: [],
      attempts: [],
    },
    heard: heard.toSorted((a, b) => a.at - b.at),
    coverage: { share: 1, blind: [], intervalMs: 1_000 },
    past: { completed: 0, refunded: 0, won: 0, lost: 0, refused: 0 },
    ...{ events: 0, listings: 0, unreadable: 0, recordsKnown: 0 },
  };
}

function drawChange(
  random: Random,
  pool: readonly Wire[],
  standing: Map<string, number>,
  { at, place }: { readonly at: number; readonly place: number },
): ListingChange | undefined {
  const id = String(wholeBetween(random, 1, 40));
  const read = readListing({ ...pick(random, pool), id, itemId: '1' });
  if (!read.ok) return undefined;
  const { key } = read.listing;
  const kind = standing.has(key) ? 'repriced' : 'appeared';
  standing.set(key, at);
  return { kind, listing: read.listing, seenAt: at + place, position: place, chunk: chance(random, 0.2) ? 1 : 0, raw: undefined };
}

function drawHeard(random: Random, at: number): Heard {
  if (chance(random, 0.15)) {
    const stops = [
      { type: 'halted', halt: { reason: 'for a test', by: 'person', at }, at },
      { type: 'resumed', at },
      { type: 'slowed', until: at + wholeBetween(random, 1, 9_000), at },
      { type: 'blocked', name: 'orders', refusal: { reason: 'orders-unread', detail: '' }, at },
      { type: 'unblocked', name: 'orders', at },
      { type: 'unblocked', name: 'starting', at },
    ] as const;
    return { of: 'stop', at, stop: pick(random, stops) as never };
  }
  if (chance(random, 0.1)) {
    const record = { median: dollars(10), samples: 9, low: dollars(9), high: dollars(11), newestAt: at };
    return { of: 'references', at, records: [{ name: 'x', record: chance(random, 0.5) ? record : null }] };
  }
  if (chance(random, 0.1)) return { of: 'health', at, health: { reason: 'failed', message: 'no answer', at } };
  const own = () => ({
    status: chance(random, 0.85) ? 'ok' : 'degraded',
    staleMs: wholeBetween(random, 0, 16_000),
    service: true,
  });
  return { of: 'health', at, health: { status: 'ok', markets: { c5game: own(), ecosteam: own() }, receivedAt: at } };
}

/** Caps so narrow that they are reached, and more than one strategy for a listing. */
function circumstances(documents: readonly StrategyDocument[], seed: number): Circumstances {
  const random = seededRandom(seed, 'around');
  const some = (most: number): Record<string, number> =>
    Object.fromEntries(
      [pick(random, ['hour', 'day', 'total']), pick(random, ['hour', 'day', 'total'])].map((window) => [
        window,
        wholeBetween(random, 1, most),
      ]),
    );
  const strategies = documents.map((document, index) => {
    const limits = { spend: some(120), count: some(3), perItem: some(2) };
    const mode = chance(random, 0.25) ? { mode: 'dry-run' } : {};
    const parsed = parseStrategy({ ...document, ...mode, name: `s${index}`, limits }, { text: '', hash: `hash ${index}` });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    return parsed.strategy;
  });
  const breaker = { refusalsInRow: 4, perHour: wholeBetween(random, 3, 30), unusual: 10 };
  const limits = { ...wideLimits, perItem: some(3), reserve: dollars(1), openPurchases: wholeBetween(random, 1, 9), breaker };
  const health = { intervalMs: 5_000, require: pick(random, ['ok', 'ok', 'degraded', 'off'] as const), staleAfterMs: 15_000 };
  const feed = { intervalMs: 1_000, health, parse: 'stream' } as const;
  const settings = { mode: 'live', limits, feed, reference: { days: 30, minSamples: 5, maxJump: 3, fall: undefined } } as const;
  return {
    rules: rulesOf(settings, strategies, false),
    rate: { perSecond: pick(random, [0.2, 2, 10]), concurrent: wholeBetween(random, 1, 2) },
    balance: chance(random, 0.3) ? undefined : dollars(wholeBetween(random, 2, 400)),
    latencyMs: () => pick(random, [5, 300, 4_000]),
    fateOf: (): Fate => pick(random, ['won', 'won', 'lost', 'failed']),
    isRefunded: () => chance(random, 0.3),
    withStops: chance(random, 0.5),
    holdMs: pick(random, [20_000, 86_400_000]),
  };
}

function told(history: MarketHistory, documents: readonly StrategyDocument[], seed: number, stepByStep: boolean): unknown {
  const decisions: Decision[] = [];
  const around = { ...circumstances(documents, seed), stepByStep };
  const replayed = replay(history, around, (each) => decisions.push(...each));
  return { decisions, ...replayed };
}

const drawn = fc.record({
  pool: fc.array(entries, { minLength: 4, maxLength: 12 }),
  documents: fc.array(strategyDocuments, { minLength: 1, maxLength: 3 }),
  broad: fc.constantFrom<readonly StrategyDocument[]>([], [{ name: 'broad', price: { max: 60 } }]),
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
});

const redline = {
  ...{
    marketHashName: 'AK-47 | Redline (Field-Tested)',
    market: 'ecosteam',
    price: 0.000_001,
    priceWithFee: 0.01,
    steamPrice: 1,
  },
  ...{ type: 'rifle', delivery: 'normal', exterior: 'Field-Tested', rarity: 'Classified', collection: 'The Phoenix Collection' },
  ...{ color: '#d32ce6', wear: 0, paintSeed: 0, stickers: [] },
};
const dearer = { ...redline, priceWithFee: 0.879_999 };
const knife = { ...redline, marketHashName: '★ Karambit | Fade (Factory New)' };

/** A broken answer shows a floor, and the whole one after it nothing new: the listing below that floor is decided with it, not later. */
const floorOfBrokenAnswer = {
  pool: [redline, dearer, dearer, dearer, dearer, knife, { ...knife, priceWithFee: 0.879_999 }, redline, redline],
  documents: [
    { name: 'tried', price: { minProfit: 0, belowFloor: { dollars: 0.01 } } },
    { name: 'tried', price: { max: 0.01 } },
  ],
  broad: [],
  seed: 756_978_591,
};

describe('a replay that passes over answers at which nothing can be decided', () => {
  it('decides the same, at the same times and for the same reasons, and bids alike', () => {
    let decisions = 0;
    fc.assert(
      fc.property(drawn, ({ pool, documents, broad, seed }) => {
        const history = drawHistory(pool, seed);
        const all = [...documents, ...broad];
        const plain = told(history, all, seed, true);
        decisions += (plain as { decisions: unknown[] }).decisions.length;
        expect(told(history, all, seed, false)).toEqual(plain);
      }),
      { numRuns: Number(process.env['STILLNESS_RUNS'] ?? 40), examples: [[floorOfBrokenAnswer]] },
    );
    expect(decisions).toBeGreaterThan(300);
  });
});
