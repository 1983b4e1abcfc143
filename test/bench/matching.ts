import { fileURLToPath } from 'node:url';
import type { Listing } from '../../src/domain/listing.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { Bench } from '../sandbox/harness.ts';
import { matchingFloor } from './floors/matching.ts';
import { median } from './statistics.ts';
import { type Drawn, drawStrategies } from './strategies.ts';

/** Work is measured in CPU time, so that what else the machine does counts for little; what is gated on are the ratios. */
export interface MatchingFigures {
  /** Of all pairs of a listing and a strategy, those that match. */
  readonly matchShare: number;
  /** Per listing: each strategy as plain closures, those on numbers first. */
  readonly floorMicros: number;
  /** Per listing of an item that was prepared. */
  readonly indexMicros: number;
  /** Medians of ratios of runs side by side. `preparing`: an item, beside a listing. */
  readonly ofFloor: { readonly known: number; readonly firstSight: number; readonly preparing: number };
  /** How long nothing else happens when strategies that were read anew come into force, and at each tick that prepares after it. */
  readonly rebuildMs: Spread;
  readonly tickMs: Spread;
  readonly held: StrategyIndex['held'];
}

interface Spread {
  readonly median: number;
  readonly most: number;
}

interface Size {
  readonly strategies: number;
  readonly listings: number;
  readonly rounds: number;
}

/** As much as the engine prepares at a tick. */
const QUESTIONS = 5_000;

const TICKS = 40;

/** The floor takes so much longer that a part of the listings is enough for it. */
const PARTS = 20;

export function measureMatching({ strategies: count, listings, rounds }: Size): MatchingFigures {
  const drawn = drawAll(count);
  const strategies = drawn.map(({ strategy }) => strategy);
  const floor = drawn.map(({ wish }) => matchingFloor(wish.when, wish.price));
  const feed = JSON.stringify(new Bench({ seed: 1, listings }).feed());
  const index = new StrategyIndex(strategies);
  meet(index, listingsOf(feed));
  const measured = Array.from({ length: rounds }, (_, round) => measureRound({ strategies, floor, index, feed }, round));
  const medianOf = (of: (round: Round) => number): number => median(measured.map(of));
  const ticks = measured.flatMap(({ tickMs }) => tickMs);
  const rebuilds = measured.map(({ rebuildMs }) => rebuildMs);
  return {
    matchShare: medianOf(({ matchShare }) => matchShare),
    floorMicros: medianOf(({ floor }) => floor),
    indexMicros: medianOf(({ known }) => known),
    ofFloor: {
      known: medianOf(({ known, floor }) => known / floor),
      firstSight: medianOf(({ firstSight, floor }) => firstSight / floor),
      preparing: medianOf(({ preparing, floor }) => preparing / floor),
    },
    rebuildMs: { median: median(rebuilds), most: Math.max(...rebuilds) },
    tickMs: { median: median(ticks), most: Math.max(...ticks) },
    held: index.held,
  };
}

interface Round {
  readonly matchShare: number;
  readonly floor: number;
  readonly known: number;
  readonly firstSight: number;
  readonly preparing: number;
  readonly rebuildMs: number;
  readonly tickMs: readonly number[];
}

interface Sides {
  readonly strategies: readonly Strategy[];
  /** The same strategies as plain closures. */
  readonly floor: readonly ((listing: Listing) => boolean)[];
  readonly index: StrategyIndex;
  readonly feed: string;
}

function measureRound({ strategies, floor: closures, index, feed }: Sides, round: number): Round {
  // Every run gets listings of its own, as they come: what a name is folded to is one text for all of them, as in the daemon.
  const all = listingsOf(feed);
  const part = listingsOf(feed).filter((_, at) => at % PARTS === round % PARTS);
  const again = listingsOf(feed).filter((_, at) => at % PARTS === round % PARTS);
  const fresh = new StrategyIndex(strategies);
  let matches = 0;
  const runs = [
    (): number => cpuMicros(() => (matches = sum(part, (each) => askAll(closures, each)))) / part.length,
    (): number => cpuMicros(() => sum(all, (each) => index.wanting(each).length)) / all.length,
    (): number => cpuMicros(() => sum(again, (each) => fresh.wanting(each).length)) / again.length,
  ];
  const order = round % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
  const took: number[] = [];
  for (const at of order) took[at] = runs[at]?.() ?? 0;
  const [floor = 0, known = 0, firstSight = 0] = took;
  const items = fresh.held.unprepared;
  const preparing = cpuMicros(() => fresh.prepare(Infinity)) / items;
  const anew = drawAll(strategies.length).map(({ strategy }) => strategy);
  let next = index;
  const rebuildMs = pauseMs(() => (next = index.renewed(anew)));
  const tickMs = Array.from({ length: TICKS }, () => pauseMs(() => next.prepare(QUESTIONS)));
  return { matchShare: matches / part.length / strategies.length, floor, known, firstSight, preparing, rebuildMs, tickMs };
}

function drawAll(count: number): readonly Drawn[] {
  return drawStrategies({ random: seededRandom(1, 'strategies'), catalogue: loadCatalogue() }, count);
}

/** Lets an index come to know the items of all listings. */
function meet(index: StrategyIndex, listings: readonly Listing[]): void {
  const names = new Set<string>();
  for (const listing of listings) {
    if (names.has(listing.nameFolded)) continue;
    names.add(listing.nameFolded);
    index.wanting(listing);
  }
  index.prepare(Infinity);
}

/** One closure after the other: how many want it. */
function askAll(closures: readonly ((listing: Listing) => boolean)[], listing: Listing): number {
  let wanting = 0;
  for (const wants of closures) if (wants(listing)) wanting++;
  return wanting;
}

function listingsOf(feed: string): readonly Listing[] {
  return (JSON.parse(feed) as unknown[]).flatMap((entry) => {
    const read = readListing(entry);
    return read.ok ? [read.listing] : [];
  });
}

function sum(listings: readonly Listing[], of: (listing: Listing) => number): number {
  let total = 0;
  for (const listing of listings) total += of(listing);
  return total;
}

function cpuMicros(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * How long one thread is kept, at most: by the clock, in which others may have taken their turn, or by the CPU time of the
 * process, in which its other threads may have worked, whichever is less.
 */
function pauseMs(work: () => void): number {
  const before = performance.now();
  const worked = cpuMicros(work) / 1_000;
  return Math.min(worked, performance.now() - before);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(measureMatching({ strategies: 1_000, listings: 10_000, rounds: 15 }), undefined, 2)}\n`);
}
