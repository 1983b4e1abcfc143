import { describe, expect, it } from 'vitest';
import { References, type ReferenceKeeping } from '../../src/app/references.ts';
import { Bell } from '../../src/app/bell.ts';
import { FallWatch } from '../../src/app/fall-watch.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import type { Listing } from '../../src/domain/listing.ts';
import { DAY_MS } from '../../src/domain/reference.ts';
import type { StandingListing } from '../../src/engine/event.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { freshFolder, freshLedger, opened, raw } from '../ledger/support.ts';
import { dollars, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 0, 5);
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The record of prices around a real ledger, with answers that a test makes up. */
class Stage {
  readonly clock: VirtualClock;
  readonly posted: Posted[] = [];
  readonly ledger: Ledger;
  readonly references: References;
  readonly shelf = new Map<string, StandingListing>();
  readonly facts: { lastCompleteAt: number | undefined } = { lastCompleteAt: undefined };
  readonly gate = { isTimeKnown: true };

  constructor(at: number, ledger: Ledger, keeping: Partial<ReferenceKeeping> = {}) {
    this.clock = new VirtualClock(at);
    this.ledger = ledger;
    const { clock, shelf, facts } = this;
    const post = (event: Posted): void => void this.posted.push(event);
    const journal = new JournalGuard({ clock, post, log: silent, probe: () => undefined, onTurn: () => undefined });
    const bell = new Bell(silent, ledger, journal);
    const fall = { share: 0.3, by: 0.1, calmMs: 24 * HOUR };
    this.references = new References({
      clock,
      bell,
      ledger,
      post,
      journal,
      guard: (work) => work(),
      shelf,
      facts,
      gate: this.gate,
      days: 14,
      fall,
      ...keeping,
    });
    this.references.start(new AbortController().signal);
  }

  shows(listings: readonly Listing[]): void {
    this.shelf.clear();
    for (const each of listings) this.shelf.set(each.key, { listing: each, seenAt: this.clock.now(), position: 0 });
  }

  /** An answer comes, and everything there is to do about it is done. */
  answer(): void {
    this.facts.lastCompleteAt = this.clock.now();
    for (let step = 0; step < 50; step++) this.references.tick();
    this.clock.advanceSync(1);
  }

  /** So many hours go by, with a few answers in each. */
  hours(count: number): void {
    for (let n = 0; n < count; n++) {
      for (let answers = 0; answers < 3; answers++) this.answer();
      this.clock.advanceSync(HOUR - 3);
    }
  }

  get records() {
    return this.posted.flatMap((event) => (event.type === 'references' ? event.records : []));
  }

  get blocks(): readonly string[] {
    return this.posted.flatMap((event) => {
      if (event.type === 'blocked') return [`blocked ${event.name}: ${event.refusal.reason}`];
      return event.type === 'unblocked' ? [`unblocked ${event.name}`] : [];
    });
  }

  get alerts(): readonly string[] {
    return this.ledger.alerts(0, 9).map(({ kind, message }) => `${kind}: ${message}`);
  }
}

const named = (name: string, given: Partial<Listing> = {}): Listing => listing({ id: name, name, ...given });

describe('our own record of prices', () => {
  it('is a sample a day, the middle of hourly readings, told when the day is over and warm after a restart', () => {
    const folder = freshFolder();
    const stage = new Stage(MIDNIGHT, freshLedger(folder));
    stage.shows([named('ak', { steam: dollars(20), price: 8 }), named('awp', { steam: undefined })]);
    stage.hours(20);
    stage.shows([named('ak', { steam: dollars(2_000), price: 8 })]);
    stage.hours(4);
    expect(stage.records).toEqual([]);
    stage.hours(1);
    const record = { median: dollars(20), samples: 1, low: dollars(20), high: dollars(20), newestAt: MIDNIGHT + DAY_MS };
    expect(stage.records).toEqual([{ name: 'ak', record }]);
    stage.ledger.close();
    const again = new Stage(MIDNIGHT + 25 * HOUR, opened(folder));
    expect(again.records).toEqual([{ name: 'ak', record }]);
    expect(again.ledger.referenceOf('ak')?.samples.map(({ readings, steam }) => [readings, steam])).toEqual([
      [24, dollars(20)],
      [1, dollars(2_000)],
    ]);
  });

  it.each([3_650, -3_650])('is neither read nor forgotten while nobody has borne out a clock that is off by %i days', (days) => {
    const folder = freshFolder();
    const first = new Stage(MIDNIGHT, freshLedger(folder));
    first.shows([named('ak'), named('awp')]);
    first.hours(30);
    const before = [...first.ledger.everyReference(0, 1e6)];
    expect(before).toHaveLength(2);
    first.ledger.close();
    const wrong = new Stage(MIDNIGHT + days * DAY_MS, opened(folder));
    wrong.gate.isTimeKnown = false;
    wrong.shows([named('ak')]);
    wrong.hours(3);
    expect([...wrong.ledger.everyReference(0, 1e6)]).toEqual(before);
    wrong.gate.isTimeKnown = true;
    wrong.hours(1);
    expect([...wrong.ledger.everyReference(0, 1e6)]).not.toEqual(before);
  });

  it('is read once an hour, also across a restart, and of an answer of that hour only', () => {
    const folder = freshFolder();
    const stage = new Stage(MIDNIGHT, freshLedger(folder));
    stage.shows([named('ak')]);
    stage.hours(1);
    stage.facts.lastCompleteAt = MIDNIGHT;
    stage.clock.advanceSync(HOUR);
    for (let n = 0; n < 100; n++) stage.references.tick();
    stage.ledger.close();
    const again = new Stage(MIDNIGHT + HOUR / 2, opened(folder));
    again.shows([named('ak')]);
    again.hours(1);
    expect(again.ledger.referenceOf('ak')?.samples).toEqual([
      { day: MIDNIGHT / DAY_MS, readings: 1, steam: dollars(20), floor: dollars(10.5) },
    ]);
  });

  it('knows the cheapest listing of a name and the next', () => {
    const stage = new Stage(MIDNIGHT, freshLedger());
    stage.shows([9, 7, 8].map((price) => listing({ id: String(price), price, priceWithFee: price, steam: dollars(price * 2) })));
    stage.hours(1);
    const kept = stage.ledger.referenceOf(listing().nameFolded);
    expect(kept?.reading).toEqual({ at: MIDNIGHT, floor: dollars(7), nextFloor: dollars(8) });
    expect(kept?.samples[0]?.steam).toBe(dollars(16));
  });

  it('is forgotten with its days: in memory, in the ledger and by the engine [P28]', () => {
    const stage = new Stage(MIDNIGHT, freshLedger(), { days: 2 });
    stage.shows([named('old')]);
    stage.hours(24);
    stage.shows([named('new')]);
    stage.hours(72);
    expect(stage.records.filter(({ name }) => name === 'old').map(({ record }) => record?.samples ?? null)).toEqual([1, null]);
    expect(stage.ledger.referenceOf('old')).toBeUndefined();
    expect(stage.ledger.referenceOf('new')?.samples).toHaveLength(3);
  });

  it('goes on where the ledger refuses', () => {
    const folder = freshFolder();
    const stage = new Stage(MIDNIGHT, freshLedger(folder));
    raw(folder).exec("CREATE TRIGGER refuse BEFORE INSERT ON reference_days BEGIN SELECT RAISE(ABORT, 'no room'); END");
    stage.shows([named('ak')]);
    stage.hours(25);
    expect(stage.records.map(({ name }) => name)).toEqual(['ak']);
  });
});

describe('a fall of the whole market', () => {
  const market = (cost: number): readonly Listing[] =>
    Array.from({ length: 120 }, (_, n) => named(`item ${n}`, { price: cost, priceWithFee: cost }));

  it('pauses buying with one alert, across a restart, until it has been steady for a day', () => {
    const folder = freshFolder();
    const stage = new Stage(MIDNIGHT, freshLedger(folder));
    stage.shows(market(10));
    stage.hours(30);
    expect([stage.blocks, stage.alerts]).toEqual([[], []]);
    stage.shows(market(7));
    stage.hours(2);
    expect(stage.blocks).toEqual(['blocked market: market-fall']);
    expect(stage.alerts).toEqual([
      'market-fall: Prices have fallen all over the market, so buying pauses: of 120 names the cheapest listings of 120 are down by 10 % or more against the day before, of 0 up by as much',
    ]);
    stage.ledger.close();
    const again = new Stage(MIDNIGHT + 32 * HOUR, opened(folder));
    expect(again.blocks).toEqual(['blocked market: market-fall']);
    again.shows(market(7));
    again.hours(16 + 24);
    expect(again.blocks).toHaveLength(1);
    again.hours(1);
    expect(again.blocks).toEqual(['blocked market: market-fall', 'unblocked market']);
    expect(again.alerts).toHaveLength(2);
    expect(again.ledger.marketFall()).toBeUndefined();
  });

  it('ends at once when a person resumes, and does not begin anew while it is the same fall', () => {
    const stage = new Stage(MIDNIGHT, freshLedger());
    stage.shows(market(10));
    stage.hours(24);
    stage.shows(market(6));
    stage.hours(1);
    const fall = stage.ledger.marketFall();
    expect(fall?.resumed).toBe(false);
    if (fall !== undefined) stage.ledger.saveMarketFall({ ...fall, resumed: true });
    stage.hours(10);
    expect(stage.blocks).toEqual(['blocked market: market-fall', 'unblocked market']);
    stage.hours(24);
    stage.shows(market(3));
    stage.hours(1);
    expect(stage.blocks.at(-1)).toBe('blocked market: market-fall');
  });

  it('is not taken for resumed because an earlier one was, where the ledger could not take the new one', () => {
    const ledger = freshLedger();
    ledger.saveMarketFall({ since: MIDNIGHT - 1, why: 'an earlier one', calmSince: undefined, resumed: true });
    const posted: string[] = [];
    let refuses = false;
    const watch = new FallWatch({
      clock: new VirtualClock(MIDNIGHT),
      bell: { ring: () => undefined },
      ledger,
      attempt: (work) => (refuses ? undefined : work()),
      post: (event) => void posted.push(event.type),
      policy: { share: 0.3, by: 0.1, calmMs: 24 * HOUR },
    });
    watch.start();
    refuses = true;
    watch.measured({ share: 0, words: 'calm' }, MIDNIGHT);
    for (const minute of [1, 2]) watch.measured({ share: 0.9, words: 'a new one' }, MIDNIGHT + minute);
    refuses = false;
    watch.tick();
    expect(posted).toEqual(['blocked']);
  });

  it('is not believed of one answer alone', () => {
    const stage = new Stage(MIDNIGHT, freshLedger());
    stage.shows(market(10));
    stage.hours(24);
    stage.shows(market(0.1));
    stage.answer();
    stage.shows(market(10));
    stage.hours(3);
    expect(stage.blocks).toEqual([]);
  });

  it('pauses nothing where it is turned off', () => {
    const stage = new Stage(MIDNIGHT, freshLedger(), { fall: undefined });
    stage.shows(market(10));
    stage.hours(24);
    stage.shows(market(1));
    stage.hours(2);
    expect([stage.blocks, stage.alerts]).toEqual([[], []]);
  });
});
