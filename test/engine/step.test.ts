import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import type { Purchase, PurchaseState } from '../../src/domain/purchase.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import { usage } from '../../src/engine/exposure.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { type Rules, initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, noLimits, purchase, strategy, wideLimits } from '../support/values.ts';
import { appeared } from './appeared.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

type Given = Partial<Omit<Rules, 'strategies'>> & { readonly strategies?: readonly Strategy[] };

/** The engine with a hand on the clock: open, healthy and with a full purse unless a test says otherwise. */
class Bench {
  state;
  at = NOON;
  #poll = 0;

  constructor({ strategies = [strategy()], ...rules }: Given = {}, past: readonly Purchase[] = []) {
    this.state = initialState(
      {
        strategies: new StrategyIndex(strategies),
        limits: wideLimits,
        never: () => false,
        health: { require: 'off', staleAfterMs: 15_000 },
        patienceMs: 2_000,
        ...rules,
      },
      { purchases: past, adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
    );
    this.send({ type: 'unblocked', name: 'starting' });
    this.balance(10_000);
  }

  send(event: Unstamped<Event>): readonly Effect[] {
    const next = step(this.state, { ...event, at: this.at });
    this.state = next.state;
    return next.effects;
  }

  balance(amount: number): readonly Effect[] {
    return this.send({ type: 'balance', reading: { amount: dollars(amount), beganAt: this.at, endedAt: this.at } });
  }

  snapshot(changed: readonly Listing[], given: Partial<SnapshotChange> = {}): readonly Effect[] {
    this.#poll += 1;
    return this.send({
      type: 'snapshot',
      change: {
        pollSeq: this.#poll,
        beganAt: this.at,
        endedAt: this.at,
        first: this.#poll === 1,
        complete: true,
        count: changed.length,
        changed: appeared(changed, this.at),
        gone: [],
        bad: [],
        badCount: 0,
        unchangedInARow: 0,
        trouble: undefined,
        ...given,
      },
    });
  }
}

function bought(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'buy' ? [effect.intent.listing.id] : []));
}

function reasons(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.type === 'decide' ? effect.decisions.map((decision) => `${decision.listingId} ${decision.reason ?? 'admitted'}`) : [],
  );
}

describe('a match', () => {
  it('is bought at once when a permit is at hand', () => {
    const bench = new Bench();
    bench.send({ type: 'permit' });
    const effects = bench.snapshot([listing()]);
    expect(bought(effects)).toEqual(['800000001']);
    expect(reasons(effects)).toEqual(['800000001 admitted']);
  });

  it('keeps no buy waiting until it is counted', () => {
    const bench = new Bench();
    bench.snapshot([]);
    bench.send({ type: 'permit' });
    expect(bench.snapshot([listing()]).map(({ type }) => type)).toEqual(['buy', 'count-matches', 'decide']);
  });

  it('waits for its permit, the best first: by priority, then discount, then the order of the feed', () => {
    const bench = new Bench({
      strategies: [
        strategy({ name: 'high', priority: 5, matches: (each) => each.id === '3' }),
        strategy({ name: 'low', priority: 0 }),
      ],
    });
    const effects = bench.snapshot([
      listing({ id: '1', steam: dollars(15) }),
      listing({ id: '2', steam: dollars(40) }),
      listing({ id: '3', steam: undefined }),
      listing({ id: '4', steam: dollars(15) }),
    ]);
    expect(bought(effects)).toEqual([]);
    const order = [1, 2, 3, 4].flatMap(() => bought(bench.send({ type: 'permit' })));
    expect(order).toEqual(['3', '2', '1', '4']);
  });

  it('is dropped when it could not be sent within two polling intervals, and judged again while it stands [P29 P33]', () => {
    const bench = new Bench();
    bench.snapshot([listing()]);
    bench.at += 2_001;
    expect(reasons(bench.send({ type: 'tick' }))).toEqual(['800000001 expired']);
    expect(bought(bench.send({ type: 'permit' }))).toEqual([]);
    bench.balance(10_000);
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('is dropped when a newer snapshot shows it gone or changed [M1 M2 P33 money-8]', () => {
    const gone = new Bench();
    gone.snapshot([listing()]);
    expect(reasons(gone.snapshot([], { gone: [listing().key] }))).toEqual(['800000001 expired']);
    expect(bought(gone.send({ type: 'permit' }))).toEqual([]);

    const changed = new Bench({ strategies: [strategy({ matches: (each) => each.price === 10 })] });
    changed.snapshot([listing()]);
    expect(reasons(changed.snapshot([listing({ price: 11 })]))).toEqual(['800000001 expired']);
    expect(bought(changed.send({ type: 'permit' }))).toEqual([]);
  });

  it('carries the very price and listing that were seen [M1 money-9]', () => {
    const bench = new Bench();
    bench.snapshot([listing({ price: 10.1234567, priceWithFee: 10.63 })]);
    const [effect] = bench.send({ type: 'permit' });
    expect(effect?.type === 'buy' && effect.intent.listing.price).toBe(10.1234567);
  });

  it('is judged again before its turn', () => {
    const bench = new Bench();
    bench.snapshot([listing()]);
    bench.send({ type: 'halted', halt: { reason: 'enough', by: 'person', at: NOON } });
    const effects = bench.send({ type: 'permit' });
    expect(bought(effects)).toEqual([]);
    expect(reasons(effects)).toEqual(['800000001 halted']);
  });

  it('refused by the strategy of highest priority goes to the next that wants it [C15]', () => {
    const bench = new Bench({
      strategies: [
        strategy({ name: 'full', priority: 5, limits: { ...noLimits, count: { day: 0 } } }),
        strategy({ name: 'open', priority: 1 }),
      ],
    });
    bench.send({ type: 'permit' });
    const effects = bench.snapshot([listing()]);
    expect(effects.flatMap((effect) => (effect.type === 'buy' ? [effect.intent.strategy] : []))).toEqual(['open']);
    expect(reasons(effects)).toEqual(['800000001 strategy-count-day', '800000001 admitted']);
  });
});

describe('an item seen for the first time', () => {
  it('is worked out at the next tick, and not while its listing waits', () => {
    const bench = new Bench();
    const { strategies } = bench.state.rules;
    bench.snapshot([listing({ id: '1' }), listing({ id: '2' })]);
    expect(strategies.held).toEqual({ items: 0, steps: 0, unprepared: 1 });
    bench.send({ type: 'tick' });
    expect(strategies.held).toEqual({ items: 1, steps: 1, unprepared: 0 });
  });
});

describe('the same listing', () => {
  it('is not bought twice, however often it is seen, changed or permitted', () => {
    const bench = new Bench();
    bench.send({ type: 'permit' });
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([listing()]))).toHaveLength(1);
    expect(bought(bench.snapshot([listing({ price: 9 })]))).toEqual([]);
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'intended' })] });
    expect(bought(bench.snapshot([listing({ price: 8 })]))).toEqual([]);
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'unknown', wasUnknown: true })] });
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'rejected', wasUnknown: true })] });
    expect(reasons(bench.snapshot([listing({ price: 7 })]))).toEqual(['800000001 taken']);
  });

  it('is known after a restart by its rows [P11]', () => {
    const bench = new Bench({}, [purchase({ state: 'completed' })]);
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 taken']);
  });

  it('with the same id on the other market is another listing [M4]', () => {
    const bench = new Bench({}, [purchase({ state: 'completed' })]);
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([listing({ market: 'ecosteam' })]))).toHaveLength(1);
  });

  it('is open again, as before, when its request provably never left', () => {
    const bench = new Bench();
    bench.send({ type: 'permit' });
    bench.snapshot([listing()]);
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'intended' })] });
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'expired' })] });
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  describe('that was refused before and is on its way again', () => {
    const refused = purchase({ id: 7, state: 'rejected', refusalCause: 'repriced', answeredAt: NOON });
    const again = (state: PurchaseState): Purchase => purchase({ id: 8, state, price: 11, priceMicros: dollars(11) });
    const cheaper = listing({ price: 11 });

    /** Its older purchase is told of again, as a look at what was written beside the daemon tells it. */
    function underWay(told: readonly Purchase[], isWritten: boolean): Bench {
      const bench = new Bench({}, [refused]);
      bench.send({ type: 'permit' });
      expect(bought(bench.snapshot([cheaper]))).toEqual(['800000001']);
      if (isWritten) bench.send({ type: 'purchases', purchases: [again('intended')] });
      bench.send({ type: 'purchases', purchases: told });
      return bench;
    }

    it.each([false, true])(
      'is free once that was never sent, whatever was told of the older one; its row is there: %s',
      (isWritten) => {
        const bench = underWay([refused], isWritten);
        if (!isWritten) bench.send({ type: 'purchases', purchases: [again('intended')] });
        bench.send({ type: 'purchases', purchases: [again('expired')] });
        bench.send({ type: 'permit' });
        expect(bought(bench.snapshot([]))).toEqual(['800000001']);
      },
    );

    it.each([refused, { ...refused, state: 'expired' as const }])('counts all the while, and is closed [B3]', (older) => {
      for (const isWritten of [false, true]) {
        const bench = underWay([older], isWritten);
        const { exposure, pending } = bench.state.lanes.live;
        expect(usage(exposure, { strategy: 'cheap', marketHashName: cheaper.name }, NOON).open).toBe(1);
        expect([...pending.keys()]).toEqual([cheaper.key]);
        bench.send({ type: 'permit' });
        expect(bought(bench.snapshot([listing({ price: 9 })]))).toEqual([]);
      }
    });

    it('stays closed when the older one was bought after all, though the newer was never sent', () => {
      const bench = underWay([{ ...refused, state: 'bought' }], true);
      bench.send({ type: 'purchases', purchases: [again('expired')] });
      bench.send({ type: 'permit' });
      expect(reasons(bench.snapshot([listing({ price: 9 })]))).toEqual(['800000001 taken']);
    });
  });

  it('refused for want of money is tried again once money has come and its refusal is confirmed', () => {
    const bench = new Bench();
    bench.send({ type: 'permit' });
    bench.snapshot([listing()]);
    const refused = purchase({
      state: 'rejected',
      refusalCause: 'funds',
      answeredAt: NOON,
      baseBalance: dollars(10_000),
      held: true,
    });
    bench.send({ type: 'purchases', purchases: [refused] });
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([]))).toEqual(['800000001 refusal-unconfirmed']);
    bench.send({ type: 'purchases', purchases: [{ ...refused, held: false }] });
    expect(reasons(bench.snapshot([]))).toEqual(['800000001 refusal-cause']);
    bench.balance(20_000);
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });
});

describe('caps in the state', () => {
  it('count an intent from the moment it is handed on, before it has a row [M6 B3 money-10 money-16]', () => {
    const bench = new Bench({ limits: { ...wideLimits, perItem: { day: 1 } } });
    bench.send({ type: 'permit' });
    bench.send({ type: 'permit' });
    const effects = bench.snapshot([listing({ id: '1' }), listing({ id: '2' })]);
    expect(bought(effects)).toEqual(['1']);
    expect(reasons(effects)).toContain('2 item-day');
  });

  it('give back what the ledger did not commit', () => {
    const bench = new Bench({ limits: { ...wideLimits, perItem: { day: 1 } } });
    bench.send({ type: 'permit' });
    const [effect] = bench.snapshot([listing({ id: '1' })]);
    if (effect?.type !== 'buy') throw new Error('not bought');
    bench.send({ type: 'not-committed', intent: effect.intent, refusal: { reason: 'journal-failed', detail: 'disk full' } });
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([listing({ id: '2' })]))).toEqual(['2']);
  });

  it('hold the money of an unknown purchase and pause buying [money-1]', () => {
    const bench = new Bench({}, [purchase({ state: 'unknown', listingId: '9', wasUnknown: true })]);
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 unknown-pause']);
    bench.send({ type: 'purchases', purchases: [purchase({ state: 'bought', listingId: '9', wasUnknown: true })] });
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('spend no balance twice: what is bought stays held until a reading shows it gone [B2]', () => {
    const bench = new Bench({}, [purchase({ state: 'bought', listingId: '9', answeredAt: NOON })]);
    bench.balance(20);
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 reserve']);
    bench.send({
      type: 'purchases',
      purchases: [purchase({ state: 'bought', listingId: '9', answeredAt: NOON, debitSeen: true })],
    });
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('refuse on a balance older than a minute [B22]', () => {
    const bench = new Bench();
    bench.at += 60_001;
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 balance-unknown']);
  });

  it('roll on: what an hour has freed is bought while it still stands', () => {
    const bench = new Bench({ limits: { ...wideLimits, spend: { hour: dollars(11) } } }, [
      purchase({ listingId: '9', debitSeen: true }),
    ]);
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 spend-hour']);
    bench.at += 3_600_000;
    bench.balance(10_000);
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('count an order that nobody here made', () => {
    const bench = new Bench({ limits: { ...wideLimits, spend: { day: dollars(15) } } });
    const order = { orderId: 'x', amount: dollars(10), marketHashName: 'Other', firstSeen: NOON, open: true };
    bench.send({ type: 'adopted', order });
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 spend-day']);
  });

  it('count an order once that a look took for somebody else’s before the answer named it', () => {
    const bench = new Bench({ limits: { ...wideLimits, spend: { day: dollars(25) } } });
    const order = { orderId: 'x', amount: dollars(10), marketHashName: 'Other', firstSeen: NOON, open: true };
    bench.send({ type: 'adopted', order });
    bench.send({ type: 'purchases', purchases: [purchase({ listingId: '9', serviceOrderId: 'x' })] });
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([listing()]))).toEqual(['800000001']);
  });
});

describe('stops', () => {
  it('are closed at the start and while something must be cured', () => {
    const bench = new Bench();
    bench.send({ type: 'blocked', name: 'journal', refusal: { reason: 'journal-failed', detail: 'disk full' } });
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 journal-failed']);
    bench.send({ type: 'unblocked', name: 'journal' });
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('hold until a person resumes, and what still stands is bought then', () => {
    const bench = new Bench();
    bench.send({ type: 'halted', halt: { reason: 'enough', by: 'person', at: NOON } });
    bench.send({ type: 'permit' });
    bench.snapshot([listing()]);
    bench.send({ type: 'resumed' });
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });

  it('come by themselves after too many refusals in a row, in the same step', () => {
    const bench = new Bench({ limits: { ...wideLimits, breaker: { ...wideLimits.breaker, refusalsInRow: 2 } } });
    const refuse = () =>
      bench.send({
        type: 'outcome',
        purchase: purchase({ state: 'rejected' }),
        outcome: {
          kind: 'refused',
          cause: 'other',
          status: 400,
          code: undefined,
          message: 'no',
          requestId: undefined,
          retryAfterMs: undefined,
        },
      });
    expect(refuse().filter((effect) => effect.type === 'halt')).toEqual([]);
    expect(refuse()).toContainEqual(expect.objectContaining({ type: 'halt', by: 'refusals-in-row' }));
    bench.send({ type: 'permit' });
    expect(bought(bench.snapshot([listing()]))).toEqual([]);
  });

  it('come before anything is bought when a slip of the feed makes everything match [M6 M11 P39]', () => {
    const bench = new Bench();
    bench.send({ type: 'usual', usual: { days: 7, matchesPerHour: 2, spendPerHour: dollars(5) } });
    bench.snapshot([]);
    bench.send({ type: 'permit' });
    const slip = Array.from({ length: 30 }, (_, id) => listing({ id: String(id + 1), price: 1 }));
    const effects = bench.snapshot(slip);
    expect(bought(effects)).toEqual([]);
    expect(effects).toContainEqual(expect.objectContaining({ type: 'halt', by: 'unusual-hour' }));
  });

  it('pause after a refusal that a person must cure, with an alert that says how [N15]', () => {
    const bench = new Bench();
    const effects = bench.send({
      type: 'outcome',
      purchase: purchase({ state: 'rejected' }),
      outcome: {
        kind: 'refused',
        cause: 'owner',
        status: 400,
        code: 'TRADE_URL',
        message: 'trade URL revoked',
        requestId: undefined,
        retryAfterMs: undefined,
      },
    });
    expect(effects).toContainEqual(expect.objectContaining({ type: 'alert', alert: expect.objectContaining({ kind: 'owner' }) }));
    bench.send({ type: 'permit' });
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 caution']);
    bench.at += 60_000;
    bench.balance(10_000);
    expect(bought(bench.snapshot([]))).toEqual(['800000001']);
  });
});

describe('paper', () => {
  it('claims neither listing nor cap from the live strategies [money-20]', () => {
    const bench = new Bench({
      limits: { ...wideLimits, perItem: { day: 1 } },
      strategies: [strategy({ name: 'on-paper', lane: 'paper', priority: 9 }), strategy({ name: 'real' })],
    });
    bench.send({ type: 'permit' });
    const effects = bench.snapshot([listing()]);
    expect(effects.map((effect) => effect.type)).toEqual(['buy', 'simulate', 'decide']);
  });

  it('needs no permit, and counts an offer once', () => {
    const bench = new Bench({ strategies: [strategy({ lane: 'paper' })] });
    expect(bench.snapshot([listing()]).map((effect) => effect.type)).toEqual(['simulate', 'decide']);
    bench.send({ type: 'purchases', purchases: [purchase({ lane: 'paper', state: 'simulated' })] });
    expect(bench.snapshot([]).map((effect) => effect.type)).toEqual([]);
    expect(reasons(bench.snapshot([listing()]))).toEqual(['800000001 already-simulated']);
  });
});

describe('a purchase by hand', () => {
  it('goes before all others and needs no strategy', () => {
    const bench = new Bench({ strategies: [strategy({ priority: 100 })] });
    bench.snapshot([listing({ id: '1' })]);
    bench.send({ type: 'by-hand', listing: listing({ id: '2' }), seenAt: NOON, lane: 'live', requestId: 7 });
    const effects = bench.send({ type: 'permit' });
    expect(effects).toContainEqual(expect.objectContaining({ type: 'buy', requestId: 7 }));
    expect(bought(effects)).toEqual(['2']);
  });

  it('is told why when it is refused', () => {
    const bench = new Bench({ limits: { ...wideLimits, maxPrice: dollars(1) } });
    const effects = bench.send({ type: 'by-hand', listing: listing(), seenAt: NOON, lane: 'live', requestId: 7 });
    expect(effects).toContainEqual(
      expect.objectContaining({
        type: 'refuse-by-hand',
        requestId: 7,
        refusal: expect.objectContaining({ reason: 'max-price' }),
      }),
    );
  });
});
