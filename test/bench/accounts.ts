import { fileURLToPath } from 'node:url';
import { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import { EngineLoop } from '../../src/app/engine-loop.ts';
import type { Listing } from '../../src/domain/listing.ts';
import { seededRandom } from '../../src/domain/random.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { initialState } from '../../src/engine/state.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { Bench } from '../sandbox/harness.ts';
import { NOON, dollars, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { median } from './statistics.ts';
import { drawStrategies } from './strategies.ts';

/*
 * What one answer costs when it is told to many accounts, each with strategies of its own, and turns are given of what several want: the
 * engines and the desk, without their ledgers, whose commits take the disk's time. npx tsx test/bench/accounts.ts
 */

interface Size {
  readonly accounts: number;
  /** Of each account. */
  readonly strategies: number;
  readonly listings: number;
  /** New in each answer. */
  readonly changed: number;
  readonly polls: number;
}

export interface AccountsFigures {
  /** CPU from the first account that hears of an answer to the last turn, milliseconds. */
  readonly pollMs: number;
  readonly mostMs: number;
  /** Purchases that were let go in an answer, by all. */
  readonly bought: number;
  /** Heap of the engines, their strategies and the desk, after all answers, bytes. */
  readonly heapBytes: number;
  /** To make all engines and tell them of all listings, milliseconds. */
  readonly startMs: number;
}

class Member {
  readonly loop: EngineLoop;
  bought = 0;

  constructor(name: string, index: StrategyIndex, desk: TurnDesk) {
    const rules = {
      ...{ strategies: index, limits: wideLimits, never: () => false, reference: { minSamples: 5, maxJump: 0.5 } },
      ...{ health: { require: 'off' as const, staleAfterMs: 15_000 }, patienceMs: 2_000 },
    };
    const past = {
      purchases: [],
      adopted: [],
      halt: undefined,
      slowedUntil: undefined,
      refusalsInRow: 0,
      now: NOON,
      inTurns: true,
    };
    this.loop = new EngineLoop(
      initialState(rules, past),
      new VirtualClock(),
      ({ type }) => void (this.bought += type === 'buy' ? 1 : 0),
      (event) => desk.stepped(name, event),
    );
    this.loop.post({ type: 'unblocked', name: 'starting' });
    this.loop.post({ type: 'balance', reading: { amount: dollars(100_000), beganAt: this.loop.state.judgedAt, endedAt: NOON } });
    desk.join(name, { state: () => this.loop.state, post: (event: Posted) => this.loop.post(event) });
  }
}

export function measureAccounts({ accounts, strategies, listings, changed, polls }: Size): AccountsFigures {
  const names = Array.from({ length: accounts }, (_, at) => `account-${at}`);
  const all = listingsOf(listings + changed * polls);
  const drawn = drawStrategies({ random: seededRandom(1, 'strategies'), catalogue: loadCatalogue() }, accounts * strategies);
  const desk = new TurnDesk(names);
  const [before, began] = [heap(), cpuMs()];
  const members = names.map((name, at) => {
    const own = drawn.slice(at * strategies, (at + 1) * strategies).map(({ strategy }) => strategy);
    return new Member(name, new StrategyIndex(own), desk);
  });
  const tell = (change: SnapshotChange): void =>
    desk.afterAll(() => members.forEach(({ loop }) => loop.post({ type: 'snapshot', change })));
  tell(changeOf(1, all.slice(0, listings), []));
  members.forEach(({ loop }) => loop.post({ type: 'tick' }));
  const startMs = cpuMs() - began;
  const took: number[] = [];
  for (let poll = 0; poll < polls; poll += 1) {
    members.forEach(({ loop }) => loop.post({ type: 'permit' }));
    const fresh = all.slice(listings + poll * changed, listings + (poll + 1) * changed);
    const change = changeOf(poll + 2, fresh, all.slice(poll * changed, (poll + 1) * changed));
    const from = cpuMs();
    tell(change);
    took.push(cpuMs() - from);
  }
  const bought = members.reduce((sum, member) => sum + member.bought, 0);
  return { pollMs: median(took), mostMs: Math.max(...took), bought: bought / polls, heapBytes: heap() - before, startMs };
}

function changeOf(pollSeq: number, changed: readonly Listing[], gone: readonly Listing[]): SnapshotChange {
  return {
    ...{
      pollSeq,
      beganAt: NOON,
      endedAt: NOON,
      first: pollSeq === 1,
      complete: true,
      count: changed.length,
      bad: [],
      badCount: 0,
    },
    ...{ gone: gone.map(({ key }) => key), unchangedInARow: 0, trouble: undefined },
    changed: changed.map((listing, position) => ({
      kind: 'appeared' as const,
      listing,
      before: undefined,
      seenAt: NOON,
      position,
      raw: undefined,
      chunk: 0,
    })),
  };
}

function listingsOf(count: number): readonly Listing[] {
  const feed = new Bench({ seed: 1, listings: Math.ceil(count * 1.1) }).feed();
  const read = feed.flatMap((entry) => {
    const each = readListing(entry);
    return each.ok ? [each.listing] : [];
  });
  return read.slice(0, count);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = measureAccounts({ accounts: 1_000, strategies: 5, listings: 1_000, changed: 10, polls: 30 });
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
}
