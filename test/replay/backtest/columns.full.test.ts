import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loaded as loadedFor } from '../../../src/app/backtest.ts';
import { rulesOf } from '../../../src/app/rules.ts';
import { type ListingKey, listingKey } from '../../../src/domain/listing.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../../src/domain/random.ts';
import { shareFromNumber } from '../../../src/domain/money.ts';
import type { PollResult } from '../../../src/engine/snapshot.ts';
import { LeanOffers } from '../../../src/replay/backtest/lean-offers.ts';
import { type Lean, loadHistory } from '../../../src/replay/backtest/load-history.ts';
import type { Interest, MarketHistory } from '../../../src/replay/backtest/market-history.ts';
import { modelsOf } from '../../../src/replay/backtest/models.ts';
import { NearMissTally } from '../../../src/replay/backtest/near-misses.ts';
import { Offers } from '../../../src/replay/backtest/offers.ts';
import { study } from '../../../src/replay/backtest/study.ts';
import { Valuer } from '../../../src/replay/backtest/value.ts';
import { screenFor } from '../../../src/replay/match/screen.ts';
import { Recording } from '../../../src/replay/recordings.ts';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import type { Strategy } from '../../../src/strategy/strategy.ts';
import type { StrategyDocument } from '../../../src/strategy/schema.ts';
import { Polls, START } from '../../support/feed-entries.ts';
import { dollars, wideLimits } from '../../support/values.ts';
import { entries, strategyDocuments } from '../../strategy/anything.ts';
import { strategyOf } from '../../strategy/offers.ts';
import { recordingPath, tapeAt } from '../recording.ts';
import { attempt } from './stage.ts';

type Wire = Record<string, unknown>;

const HOLD_MS = 20_000;

/** Polls of a run that begins then: listings come, change, go and come again; some answers are broken, some entries cannot be judged. */
function* lookedAt(random: Random, pool: readonly Wire[], looks: number): Generator<PollResult> {
  const polls = new Polls();
  const standing = new Map<string, Wire>();
  for (let look = 0; look < looks; look++) {
    for (const id of standing.keys()) if (chance(random, 0.15)) standing.delete(id);
    for (let more = wholeBetween(random, 0, 4); more > 0; more--) {
      const id = chance(random, 0.9)
        ? String(wholeBetween(random, 1, 30))
        : pick(random, ['0', '1234567890123456', '99999999999999']);
      standing.set(id, { ...pick(random, pool), id, itemId: '1', ...(chance(random, 0.05) ? { price: -1 } : {}) });
    }
    yield chance(random, 0.08) ? polls.fail() : polls.next([...standing.values()]);
  }
}

function later(poll: PollResult, by: number): PollResult {
  const facts = { ...poll.facts, beganAt: poll.facts.beganAt + by, endedAt: poll.facts.endedAt + by };
  if (!poll.ok) return { ...poll, facts };
  const { beganAt, endedAt, changed, ...change } = poll.change;
  const moved = changed.map((each) => ({ ...each, seenAt: each.seenAt + by }));
  return { ...poll, facts, change: { ...change, beganAt: beganAt + by, endedAt: endedAt + by, changed: moved } };
}

/** One to three runs, one after the other, of which the last may be left as rows. */
function drawRecording(random: Random, pool: readonly Wire[]): { readonly path: string; readonly to: number } {
  const path = recordingPath();
  let begin = 0;
  for (let run = wholeBetween(random, 1, 3); run > 0; run--) {
    const looks = wholeBetween(random, 5, 60);
    const { tape } = tapeAt(path, { startedAt: START + begin });
    tape.input('balance', START + begin + 500, { amount: dollars(1_000), beganAt: START + begin, endedAt: START + begin + 100 });
    let seq = 0;
    for (const poll of lookedAt(random, pool, looks)) {
      seq += 1;
      const at = START + begin + seq * 1_000;
      if (chance(random, 0.2))
        tape.input('attempt', at, attempt(String(wholeBetween(random, 1, 30)), at, pick(random, ['bought', 'gone']), seq));
      tape.poll(later(poll, begin));
    }
    tape.close(START + begin + (looks + 1) * 1_000);
    begin += (looks + wholeBetween(random, 2, 30)) * 1_000;
    if (run > 1 || chance(random, 0.7)) compactRecording(path);
  }
  return { path, to: START + begin };
}

function interestOf(strategies: readonly Strategy[]): Interest {
  if (strategies.some(({ looksAround }) => looksAround !== undefined)) return () => true;
  return (listing) => strategies.some((strategy) => strategy.matches(listing));
}

function loaded(
  path: string,
  [from, to]: readonly [number, number],
  strategies: readonly Strategy[],
  lean: Lean | undefined,
): { history: MarketHistory; heard: string[] } {
  const recording = new Recording(path);
  const heard: string[] = [];
  const sees = strategies.some(({ looksAround }) => looksAround !== undefined);
  const screen = screenFor(strategies);
  try {
    const history = loadHistory({
      ...{ recordings: [recording], from, to, lean },
      onListing: (listing) => void (heard.length < 40 && heard.push(`${listing.key}@${listing.cost}`)),
      screen: sees ? undefined : () => (heard.length >= 40 ? screen : undefined),
      interest: interestOf(strategies),
    });
    return { history, heard };
  } finally {
    recording.close();
  }
}

/** What strategies miss by one condition alone, and how often columns told enough of it. */
function missed(
  path: string,
  [from, to]: readonly [number, number],
  strategies: readonly Strategy[],
  { max, lean }: { readonly max: number; readonly lean: Lean | undefined },
): { readonly found: unknown; readonly told: number } {
  let told = 0;
  class Counted extends NearMissTally {
    override noteTold(...given: Parameters<NearMissTally['noteTold']>): boolean {
      const isEnough = super.noteTold(...given);
      told += isEnough ? 1 : 0;
      return isEnough;
    }
  }
  const nearMisses = new Counted(strategies, max);
  const recording = new Recording(path);
  try {
    loadedFor({ folders: [{ strategies }] }, [recording], from, to, { lean, nearMisses });
    return { found: [nearMisses.found, nearMisses.isWhole], told };
  } finally {
    recording.close();
  }
}

/** What comes of a trial, in a form that can be compared. */
function tried(history: MarketHistory, strategies: readonly Strategy[]): unknown {
  const health = { intervalMs: 5_000, require: 'off', staleAfterMs: 15_000 } as const;
  const reference = { days: 30, minSamples: 5, maxJump: 3, fall: undefined };
  const settings = { mode: 'live', limits: wideLimits, feed: { intervalMs: 1_000, health, parse: 'stream' }, reference } as const;
  const models = modelsOf(history, { latencyMs: 1_500, seed: 1 });
  const share = shareFromNumber(0.9);
  if (share === undefined) throw new Error('no share');
  const terms = { resale: share, fee: share, holdMs: HOLD_MS };
  const trial = {
    folder: '',
    rules: rulesOf(settings, strategies, false),
    rate: { perSecond: 2, concurrent: 1 },
    balance: undefined,
    terms,
  };
  const { valuer: _valuer, trial: _trial, ...rest } = study(history, models, trial);
  const { fates: _fates, ...fitted } = models;
  return { ...rest, fitted };
}

/** What a valuation and what becomes of buys may ask of offers. */
function asked({ offers, shown, polls, attempts }: MarketHistory, from: number, wants: Interest): unknown {
  const [keys, names] = [new Map<ListingKey, number>(), new Map<string, number>()];
  for (const { changed } of shown)
    for (const { listing, seenAt } of changed) {
      if (!keys.has(listing.key)) keys.set(listing.key, seenAt);
      if (!names.has(listing.name) && wants(listing)) names.set(listing.name, seenAt);
    }
  for (const { market, listingId } of attempts) keys.set(listingKey(market, listingId), from);
  const ends = Array.from({ length: polls.endedAt.length }, (_, index) => polls.endedAt.at(index));
  const share = shareFromNumber(1);
  if (share === undefined) throw new Error('no share');
  const terms = { resale: share, fee: share, holdMs: HOLD_MS };
  const valuer = new Valuer(offers, terms, new Set([...keys.keys()].slice(0, 5)));
  let id = 0;
  return {
    standing: [...keys].map(([key, since]) => ends.filter((at) => at >= since).map((at) => offers.of(key, at))),
    // Nobody buys under a name before somebody wanted it.
    floors: [...names].map(([name, since]) =>
      ends
        .filter((at) => at >= since)
        .map((decidedAt) => valuer.worth({ listing: { name, key: `${id++}`, cost: 1 } as never, decidedAt }).relist),
    ),
    count: offers.count,
    sample: [...offers.sampled()].map((index) => [offers.at(index), offers.keyAt(index)]),
  };
}

const drawn = fc.record({
  pool: fc.array(entries, { minLength: 4, maxLength: 12 }),
  documents: fc.array(strategyDocuments, { minLength: 1, maxLength: 3 }),
  cheap: fc.constantFrom<readonly StrategyDocument[]>([], [{ name: 'cheap', price: { max: 1 } }]),
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
});

describe('a recording that is read by its columns', () => {
  it('comes to what it comes to event by event: what is wanted, what models are fitted on, what is bought and what that is worth', () => {
    let [bids, leaned, told] = [0, 0, 0];
    fc.assert(
      fc.property(drawn, ({ pool, documents, cheap, seed }) => {
        const random = seededRandom(seed, 'columns');
        const { path, to: end } = drawRecording(random, pool);
        const strategies = [...documents, ...cheap].map((document, index) => strategyOf({ ...document, name: `s${index}` }));
        const range = chance(random, 0.5)
          ? ([START, end] as const)
          : ([START + wholeBetween(random, 1, 9) * 1_000 + 25, end - 3_000] as const);
        const whole = loaded(path, range, strategies, undefined);
        const lean = loaded(path, range, strategies, { valuedFrom: range[0] + HOLD_MS });
        expect(whole.history.offers).toBeInstanceOf(Offers);
        leaned += lean.history.offers instanceof LeanOffers ? 1 : 0;
        expect(lean.heard).toEqual(whole.heard);
        const plain = ({ offers: _, ...history }: MarketHistory): unknown => history;
        expect(plain(lean.history)).toEqual(plain(whole.history));
        const max = pick(random, [20, 100, 100_000]);
        const misses = missed(path, range, strategies, { max, lean: { valuedFrom: range[0] + HOLD_MS } });
        expect(misses.found).toEqual(missed(path, range, strategies, { max, lean: undefined }).found);
        told += misses.told;
        const wants = interestOf(strategies);
        expect(asked(lean.history, range[0], wants)).toEqual(asked(whole.history, range[0], wants));
        const trial = tried(whole.history, strategies) as { optimistic: { bids: unknown[] } };
        expect(tried(lean.history, strategies)).toEqual(trial);
        bids += trial.optimistic.bids.length;
      }),
      { numRuns: Number(process.env['COLUMNS_RUNS'] ?? 15) },
    );
    expect(leaned).toBeGreaterThan(10);
    expect(bids).toBeGreaterThan(20);
    expect(told).toBeGreaterThan(10);
  });
});
