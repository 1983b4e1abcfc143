import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { Buyer } from '../../src/execution/buyer.ts';
import { freshLedger, outcomes, readBalance, wish } from '../ledger/support.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { VirtualClock, settle } from '../support/virtual-clock.ts';
import { Counter, permit, wireTimes } from './support/counter.ts';
import { Ear } from './support/desk.ts';

interface Given {
  readonly ledger?: ReturnType<typeof freshLedger>;
  readonly crashPoint?: (name: string) => void;
}

function setUp({ ledger = freshLedger(), crashPoint }: Given = {}) {
  const clock = new VirtualClock(NOON);
  const venue = new Counter();
  const ear = new Ear();
  const limits = { ...wideLimits, unknown: 5 };
  const buyer = new Buyer({ journal: ledger, venue, clock, limits: () => limits, told: ear, crashPoint });
  return { clock, venue, ear, ledger, buyer };
}

const offer = (id = '1', given: Parameters<typeof listing>[0] = {}) => wish({ listing: listing({ id, ...given }) });

describe('a purchase', () => {
  it('is written before its request leaves, and its outcome after [P4 P7]', async () => {
    const { venue, ear, ledger, buyer } = setUp();
    const states: unknown[] = [];
    venue.onSend = () => states.push(ledger.purchase(1)?.state);
    const leave = permit();
    const bought = buyer.buy(offer(), leave);
    expect(states).toEqual(['intended']);
    expect(leave.life).toEqual(['begun']);
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    expect(await bought).toMatchObject({ id: 1, state: 'bought', serviceOrderId: 'S-1' });
    expect(ledger.purchase(1)).toMatchObject({ state: 'bought', serviceOrderId: 'S-1' });
    expect(ledger.timingsOf(1)).toMatchObject(wireTimes);
    expect(ear.heard).toEqual(['1 intended', '1 bought', '1 bought!']);
    expect(leave.life).toEqual(['begun', 'done']);
  });

  it('keeps when it was decided, on the disk and sent, and when it was answered', async () => {
    const ledger = freshLedger();
    let now = NOON;
    const clock: Clock = { now: () => now, wall: () => now, mono: () => now - NOON, after: () => () => undefined };
    const venue = new Counter();
    const crashPoint = (name: string): void => {
      if (name === 'buy:committed') now += 3;
    };
    const buyer = new Buyer({ journal: ledger, venue, clock, limits: () => wideLimits, told: new Ear(), crashPoint });
    const bought = buyer.buy(offer(), permit());
    expect(ledger.timingsOf(1)).toMatchObject({ decidedAt: NOON, committedAt: undefined });
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    await bought;
    expect(ledger.timingsOf(1)).toEqual({ seenAt: NOON, decidedAt: NOON, committedAt: NOON + 3, ...wireTimes });
  });

  it('sends exactly what was seen, the price as the number received [M1]', async () => {
    const { venue, buyer } = setUp();
    void buyer.buy(offer('800000037', { price: 0.1 + 0.2, priceWithFee: 0.33, market: 'ecosteam' }), permit());
    expect(venue.sent[0]?.order).toEqual({
      listingId: '800000037',
      itemId: '10807006fab895f4',
      market: 'ecosteam',
      price: 0.30000000000000004,
    });
    expect(Object.isFrozen(venue.sent[0]?.order)).toBe(true);
  });

  it('of one listing is sent once: the rows refuse the second', async () => {
    const { venue, ear, buyer } = setUp();
    const second = permit();
    void buyer.buy(offer(), permit());
    expect(await buyer.buy(offer(), second)).toBeUndefined();
    expect(venue.sent).toHaveLength(1);
    expect(second.life).toEqual(['done']);
    expect(ear.heard).toContain('not committed: taken');
  });

  it('that the rows refuse is not sent, and its permit is given back unused', async () => {
    const { venue, ear, ledger, buyer } = setUp();
    readBalance(ledger, 3, NOON);
    const leave = permit();
    expect(await buyer.buy(offer(), leave)).toBeUndefined();
    expect(venue.sent).toEqual([]);
    expect(leave.life).toEqual(['done']);
    expect(ear.heard).toEqual(['not committed: reserve']);
  });

  it.each([
    ['refused', outcomes.refused(), { state: 'rejected', held: true }],
    ['unknown', outcomes.unknown('UP-1'), { state: 'unknown', upstreamOrderId: 'UP-1' }],
    ['unsent', outcomes.unsent(), { state: 'expired' }],
  ] as const)('that comes to %s is recorded as that', async (_, outcome, row) => {
    const { venue, ledger, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.answer(outcome);
    expect(await settled).toMatchObject(row);
    expect(ledger.purchase(1)).toMatchObject(row);
  });

  it('of other goods than asked for halts buying, in the transaction that records it [N13]', async () => {
    const { venue, ear, ledger, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.answer({ ...outcomes.bought('S-1'), mismatch: 'listing 2 instead of 1' } as BuyOutcome);
    await settled;
    expect(ledger.halted()?.reason).toMatchInlineSnapshot(
      `"purchase 1 (c5game 1): what the service says was bought is not what was asked for: listing 2 instead of 1"`,
    );
    expect(ear.heard).toEqual(['1 intended', '1 bought', '1 bought!', 'halted']);
  });

  it('whose venue breaks is unknown: the request may have left', async () => {
    const { venue, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.fail(new Error('socket on fire'));
    expect(await settled).toMatchObject({ state: 'unknown', reason: 'socket on fire' });
  });
});

describe('a late answer', () => {
  it('that says bought settles an unknown purchase [N8]', async () => {
    const { venue, ear, ledger, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.answer(outcomes.unknown());
    await settled;
    venue.sent[0]?.late(outcomes.bought('S-1'));
    expect(ledger.purchase(1)).toMatchObject({ state: 'bought', serviceOrderId: 'S-1', wasUnknown: true });
    expect(ear.heard.slice(-2)).toEqual(['1 bought', '1 bought!']);
  });

  it('that says refused makes it a refusal whose money is held until looks confirm it', async () => {
    const { venue, ledger, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.answer(outcomes.unknown());
    await settled;
    venue.sent[0]?.late(outcomes.refused());
    expect(ledger.purchase(1)).toMatchObject({ state: 'rejected', held: true, wasUnknown: true });
  });

  it('that says nothing changes nothing', async () => {
    const { venue, ledger, buyer } = setUp();
    const settled = buyer.buy(offer(), permit());
    venue.sent[0]?.answer(outcomes.unknown());
    await settled;
    venue.sent[0]?.late(outcomes.unknown());
    venue.sent[0]?.late(outcomes.unsent());
    expect(ledger.purchase(1)?.state).toBe('unknown');
  });
});

describe('a journal that fails', () => {
  function failingAt(prefix: string) {
    const disk = { full: false };
    const ledger = freshLedger(undefined, (name) => {
      if (disk.full && name === prefix) throw new JournalFailure('disk full');
    });
    return { disk, ...setUp({ ledger }) };
  }

  it('before the request means that nothing is sent [P17 P22]', async () => {
    const { disk, venue, ear, buyer } = failingAt('intent:commit');
    disk.full = true;
    const leave = permit();
    expect(await buyer.buy(offer(), leave)).toBeUndefined();
    expect(venue.sent).toEqual([]);
    expect(leave.life).toEqual(['done']);
    expect(ear.heard).toEqual(['not committed: journal-failed']);
    expect(ear.failures).toEqual(['disk full']);
  });

  it('after the answer keeps the outcome, tries each second in the order they came, and buys nothing meanwhile [P17]', async () => {
    const { disk, clock, venue, ear, ledger, buyer } = failingAt('outcome:commit');
    void buyer.buy(offer('1'), permit());
    void buyer.buy(offer('2'), permit());
    disk.full = true;
    venue.sent[1]?.answer(outcomes.unknown());
    await settle();
    venue.sent[1]?.late(outcomes.bought('S-2'));
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    await clock.advance(3_500);
    expect([1, 2].map((id) => ledger.purchase(id)?.state)).toEqual(['intended', 'intended']);
    expect(await buyer.buy(offer('3'), permit())).toBeUndefined();
    expect(ear.heard.slice(2)).toEqual(['not committed: journal-failed']);
    expect(buyer.inFlight).toBe(3);
    disk.full = false;
    await clock.advance(1_000);
    expect(ear.heard.slice(3)).toEqual(['2 unknown', '2 unknown!', '2 bought', '2 bought!', '1 bought', '1 bought!']);
    expect(buyer.inFlight).toBe(0);
    expect(ear.failures.at(-1)).toBeUndefined();
    void buyer.buy(offer('3'), permit());
    expect(venue.sent).toHaveLength(3);
  });

  it('does not keep the next purchase back once the outcome before it is written', async () => {
    const { venue, ear, buyer } = setUp();
    ear.onOutcome = () => {
      ear.onOutcome = () => {};
      void buyer.buy(offer('2'), permit());
    };
    void buyer.buy(offer('1'), permit());
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    await settle();
    expect(venue.sent).toHaveLength(2);
  });
});

describe('being stopped', () => {
  it('starts nothing more', async () => {
    const { venue, ear, buyer } = setUp();
    await buyer.stop();
    expect(await buyer.buy(offer(), permit())).toBeUndefined();
    expect(venue.sent).toEqual([]);
    expect(ear.heard).toEqual(['not committed: stopping']);
  });

  it('waits for what is in flight [P14]', async () => {
    const { clock, venue, ledger, buyer } = setUp();
    void buyer.buy(offer(), permit());
    let over = false;
    const stopped = buyer.stop().then(() => (over = true));
    await clock.advance(3_000);
    expect(over).toBe(false);
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    await settle();
    expect(over).toBe(true);
    await stopped;
    expect(ledger.purchase(1)?.state).toBe('bought');
    expect(clock.pending).toBe(0);
  });

  it('records as unknown what does not land within some seconds; an answer after that is still evidence [P14 P15]', async () => {
    const { clock, venue, ledger, buyer } = setUp();
    void buyer.buy(offer(), permit());
    const stopped = buyer.stop();
    await clock.advance(9_000);
    await stopped;
    expect(ledger.purchase(1)).toMatchObject({ state: 'unknown', reason: 'Magpie was stopped before the answer came' });
    venue.sent[0]?.answer(outcomes.bought('S-1'));
    await settle();
    expect(ledger.purchase(1)).toMatchObject({ state: 'bought', serviceOrderId: 'S-1' });
  });
});

describe('a crash', () => {
  class Killed extends Error {}
  const points = ['buy:commit', 'buy:committed', 'buy:send', 'buy:sent', 'buy:answered', 'buy:recorded'];

  it.each(points)('at %s leaves nothing that is bought twice or forgotten [P4 P5 P6 P7]', async (point) => {
    const ledger = freshLedger();
    const { venue, buyer } = setUp({
      ledger,
      crashPoint: (name) => {
        if (name === point) throw new Killed(name);
      },
    });
    venue.onSend = () => queueMicrotask(() => venue.sent[0]?.answer(outcomes.bought('S-1')));
    await expect(buyer.buy(offer(), permit())).rejects.toBeInstanceOf(Killed);
    ledger.orphansToUnknown(NOON + 1);
    const row = ledger.purchase(1);
    if (point === 'buy:commit') expect(row).toBeUndefined();
    else if (point === 'buy:recorded') expect(row?.state).toBe('bought');
    else expect(row).toMatchObject({ state: 'unknown', cost: dollars(10.5) });
    const again = setUp({ ledger });
    void again.buyer.buy(offer(), permit());
    expect(venue.sent.length + again.venue.sent.length).toBeLessThanOrEqual(1);
  });
});
