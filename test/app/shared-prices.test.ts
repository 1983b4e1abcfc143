import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedPrices, openPrices } from '../../src/app/accounts/shared-prices.ts';
import { Bell } from '../../src/app/bell.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { type PriceSource, References } from '../../src/app/references.ts';
import type { Listing } from '../../src/domain/listing.ts';
import type { StandingListing } from '../../src/engine/event.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { pricesFolder } from '../../src/settings/prices-folder.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { freshFolder, freshLedger, opened, raw } from '../ledger/support.ts';
import { dollars, listing, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOUR = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 0, 5);
const fall = { share: 0.3, by: 0.1, calmMs: 24 * HOUR };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** One account's side of the record of prices, with an engine that hears of it. */
class Account {
  readonly posted: Posted[] = [];
  readonly ledger: Ledger;
  readonly failed: unknown[] = [];
  readonly references: References;
  readonly #stopping = new AbortController();
  state = initialState(
    {
      ...{ strategies: new StrategyIndex([]), limits: wideLimits, never: () => false, patienceMs: 2_000 },
      ...{ health: { require: 'off', staleAfterMs: 15_000 }, reference: { minSamples: 1, maxJump: 0.5 } },
    },
    { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: MIDNIGHT },
  );

  constructor(market: Market, prices: PriceSource | undefined, ledger = freshLedger(), fails = false) {
    this.ledger = ledger;
    const { clock, shown: shelf } = market;
    const post = (event: Posted): void => {
      if (fails) throw new Error('a defect of one account');
      this.posted.push(event);
      this.state = step(this.state, { ...event, at: clock.now() }).state;
    };
    const guard = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        this.failed.push(error);
      }
    };
    const journal = new JournalGuard({ clock, post, log: silent, probe: () => undefined, onTurn: () => undefined });
    const bell = new Bell(silent, ledger, journal);
    const keeping = { days: 14, fall, prices };
    const gate = { isTimeKnown: true };
    this.references = new References({ clock, bell, ledger, post, guard, journal, shelf, facts: market, gate, ...keeping });
    this.references.start(this.#stopping.signal);
  }

  end(): void {
    this.#stopping.abort();
  }

  /** Everything that decides by prices, as the engine holds it. */
  get knows(): unknown {
    return { records: Object.fromEntries(this.state.references), blocked: [...this.state.blockers.keys()] };
  }

  get alerts(): readonly string[] {
    return this.ledger.alerts(0, 99).map(({ kind, message }) => `${kind}: ${message}`);
  }
}

/** What all of them see. */
class Market {
  readonly clock = new VirtualClock(MIDNIGHT);
  readonly shown = new Map<Listing['key'], StandingListing>();
  lastCompleteAt: number | undefined;

  shows(listings: readonly Listing[]): void {
    this.shown.clear();
    for (const each of listings) this.shown.set(each.key, { listing: each, seenAt: this.clock.now(), position: 0 });
  }

  /** A few answers, each looked at as long as there is anything to do. */
  answers(accounts: readonly Account[]): void {
    for (let answers = 0; answers < 3; answers++) {
      this.lastCompleteAt = this.clock.now();
      for (let step = 0; step < 20; step++) {
        for (const each of accounts) each.references.tick();
        this.clock.advanceSync(250);
      }
    }
  }

  /** An hour goes by, and begins with answers. */
  hour(accounts: readonly Account[]): void {
    this.answers(accounts);
    this.clock.advanceSync(HOUR - 15_000);
  }
}

function sharedOf(market: Market, ledger = freshLedger(), told: string[] = []): SharedPrices {
  const log = {
    info: () => undefined,
    warn: (_: string, { message }: { message?: unknown } = {}) => void told.push(String(message)),
  };
  const { clock } = market;
  const prices = new SharedPrices({ clock, ledger, log, market, days: 14, fall, afterAll: (work) => work() });
  prices.start(new AbortController().signal);
  return prices;
}

const named = (name: string, price: number, steam: number | undefined): Listing =>
  listing({ id: name, name, price, priceWithFee: price, steam: steam === undefined ? undefined : dollars(steam) });

const rowsOf = (ledger: Ledger): unknown => [...ledger.everyReference(0, 1e6)].toSorted((a, b) => (a.name < b.name ? -1 : 1));

const names = Array.from({ length: 120 }, (_, n) => `item ${n}`);

/** What the market is at for some hours: of each of its names a price, and a steamPrice or none. */
const spell = fc.record({
  hours: fc.integer({ min: 1, max: 26 }),
  level: fc.constantFrom(4, 7, 10),
  steam: fc.constantFrom(undefined, 12, 20, 400),
  names: fc.integer({ min: 0, max: names.length }),
});

function spellShown(
  market: Market,
  { level, steam, names: count }: { level: number; steam: number | undefined; names: number },
): void {
  market.shows(names.slice(0, count).map((name, n) => named(name, level + (n % 3), steam)));
}

describe('one record of prices for all accounts', () => {
  it('tells each of them what a record of its own would have told it, and holds the same rows', () => {
    fc.assert(
      fc.property(fc.array(spell, { minLength: 1, maxLength: 5 }), (spells) => {
        const market = new Market();
        const ledger = freshLedger();
        const prices = sharedOf(market, ledger);
        const alone = new Account(market, undefined);
        const sharing = [new Account(market, prices), new Account(market, prices)];
        for (const each of spells) {
          spellShown(market, each);
          for (let hour = 0; hour < each.hours; hour++) {
            market.hour([alone, ...sharing]);
            for (const other of sharing) expect(other.knows).toEqual(alone.knows);
          }
        }
        for (const other of sharing) {
          expect(other.posted.map(({ type }) => type)).toEqual(alone.posted.map(({ type }) => type));
          expect(other.alerts).toEqual(alone.alerts);
          expect(rowsOf(other.ledger)).toEqual([]);
        }
        const [one, two] = sharing.map(({ state }) => state.references);
        if (alone.state.references.size > 0) expect(one).toBe(two);
        const readings = (of: Ledger): unknown =>
          JSON.parse(JSON.stringify(rowsOf(of), (key, value: unknown) => (key === 'at' ? 0 : value)));
        expect(readings(ledger)).toEqual(readings(alone.ledger));
        for (const each of [alone, ...sharing]) each.ledger.close();
        ledger.close();
      }),
      { numRuns: 8 },
    );
  });

  it('is told at once to an account that starts later, which measures the market as at any start', () => {
    const market = new Market();
    const prices = sharedOf(market);
    const first = new Account(market, prices);
    const ledger = freshLedger();
    const before = new Account(market, prices, ledger);
    market.shows(names.map((name) => named(name, 10, 20)));
    for (let hour = 0; hour < 26; hour++) market.hour([first, before]);
    market.answers([first, before]);
    before.end();
    market.shows(names.map((name) => named(name, 6, 20)));
    const again = new Account(market, prices, ledger);
    expect(again.knows).toEqual(first.knows);
    expect(again.state.references.size).toBe(names.length);
    // Of this hour a reading was taken already: by the start alone the market is measured again.
    market.answers([first, again]);
    expect(again.posted.map(({ type }) => type)).toContain('blocked');
    expect(before.posted.filter(({ type }) => type === 'blocked')).toEqual([]);
  });

  it('is warm after a restart, and takes over what an account has kept when it was alone', () => {
    const market = new Market();
    const own = freshFolder();
    const alone = new Account(market, undefined, freshLedger(own));
    market.shows([named('ak', 10, 20), named('awp', 10, undefined)]);
    for (let hour = 0; hour < 49; hour++) market.hour([alone]);
    const known = alone.knows;
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const among = new Account(market, sharedOf(market, ledger), alone.ledger);
    expect(among.knows).toEqual(known);
    expect(rowsOf(ledger)).toEqual(rowsOf(alone.ledger));
    ledger.close();
    const other = new Account(market, sharedOf(market, opened(folder)));
    expect(other.knows).toEqual(known);
  });

  it('reaches all others where one of them fails', () => {
    const market = new Market();
    const prices = sharedOf(market);
    const broken = new Account(market, prices, freshLedger(), true);
    const sound = new Account(market, prices);
    market.shows([named('ak', 10, 20)]);
    for (let hour = 0; hour < 25; hour++) market.hour([sound]);
    expect(broken.failed.length).toBeGreaterThan(0);
    expect(sound.state.references.size).toBe(1);
  });

  it('goes on in memory where its ledger refuses, and says so once a day', () => {
    const market = new Market();
    const folder = freshFolder();
    const told: string[] = [];
    const prices = sharedOf(market, freshLedger(folder), told);
    raw(folder).exec("CREATE TRIGGER refuse BEFORE INSERT ON reference_days BEGIN SELECT RAISE(ABORT, 'no room'); END");
    const account = new Account(market, prices);
    market.shows([named('ak', 10, 20)]);
    for (let hour = 0; hour < 25; hour++) market.hour([account]);
    expect(account.state.references.size).toBe(1);
    const notKept = expect.stringMatching(/^The record of prices is not kept: .*no room/);
    expect(told).toEqual([notKept, notKept]);
    expect(account.posted.map(({ type }) => type)).toEqual(['references']);
  });

  it('keeps the process from starting where it is damaged: a steamPrice that has jumped would be believed', () => {
    const shared = freshFolder();
    openPrices(shared).close();
    writeFileSync(join(pricesFolder(shared), 'magpie.db'), 'no database at all '.repeat(500));
    expect(() => openPrices(shared)).toThrow(/prices.*damaged[^]*move the folder `prices`/);
  });
});
