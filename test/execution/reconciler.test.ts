import { describe, expect, it } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { begun, freshLedger, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { stage, wire } from './support/desk.ts';

const second = 1_000;
const minute = 60_000;
const hour = 60 * minute;
const old = ['B-1', 'B-2', 'B-3'].map((id) => wire.order(id, { itemId: '0000000000000000', status: { code: 'COMPLETED' } }));
const seconds = (times: readonly number[]): number[] => times.map((at) => Math.round((at - NOON) / second));

describe('the reconciler looks', () => {
  it('at once, and each minute while nothing is open', async () => {
    const { clock, desk, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    await clock.advance(3 * minute);
    expect(seconds(desk.times('orders'))).toEqual([0, 60, 120, 180]);
  });

  it('each half minute while purchases are open', async () => {
    const { clock, desk, ledger, looks, stop } = stage(new VirtualClock(NOON));
    settled(ledger, begun(ledger, 1), outcomes.bought('S-1'));
    looks.start(stop.signal);
    await clock.advance(minute);
    expect(seconds(desk.times('orders'))).toEqual([0, 30, 60]);
  });

  it('each half minute from when something is bought, though nothing was open when it looked last', async () => {
    const { clock, desk, ledger, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    await clock.advance(5 * second);
    settled(ledger, begun(ledger, 1, clock.now()), outcomes.bought('S-1'), clock.now());
    await clock.advance(minute);
    expect(seconds(desk.times('orders'))).toEqual([0, 30, 60]);
  });

  it('at once after a refusal, again two seconds later, and then its money is free', async () => {
    const { clock, desk, ear, ledger, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    await clock.advance(10 * second);
    const purchase = begun(ledger, 1, clock.now());
    settled(ledger, purchase, outcomes.refused(), clock.now());
    await clock.advance(1);
    looks.soon();
    await clock.advance(5 * second);
    expect(seconds(desk.times('orders'))).toEqual([0, 10, 12]);
    expect(ear.heard).toEqual([`${purchase.id} rejected`]);
    expect(ledger.purchase(purchase.id)).toMatchObject({ state: 'rejected', held: false });
  });

  it('ever less often at an unknown outcome: 0, 2, 4, 8, 15, 30, 61 s, then each minute [money-6]', async () => {
    const gone = wire.listing('1', { error: 'LISTING_NOT_FOUND' });
    const answers = { listingDetail: () => ({ items: [gone] }), transactions: () => new Error('down') };
    const { clock, desk, ledger, looks, stop } = stage(new VirtualClock(NOON), answers);
    settled(ledger, begun(ledger, 1, NOON), outcomes.unknown(), NOON);
    looks.start(stop.signal);
    await clock.advance(4 * minute);
    expect(seconds(desk.times('orders'))).toEqual([0, 2, 4, 8, 15, 30, 61, 121, 181]);
  });

  it('on and on, though a question fails for a defect, which is told', async () => {
    const defects: unknown[] = [];
    let broken = true;
    const answers = {
      orders: () => {
        if (broken) throw new TypeError('a defect');
        return wire.orders(...old);
      },
    };
    const { clock, looks, looked, stop } = stage(new VirtualClock(NOON), answers, freshLedger(), (error) => defects.push(error));
    looks.start(stop.signal);
    void looks.once().catch(() => undefined);
    await clock.advance(3 * second);
    expect([String(defects[0]), looked]).toEqual(['TypeError: a defect', []]);
    broken = false;
    await clock.advance(2 * minute);
    expect(looked.length).toBeGreaterThan(0);
  });

  it('never twice at once, however often it is asked', async () => {
    const { clock, desk, looks, stop } = stage(new VirtualClock(NOON));
    desk.tookMs = 2_000;
    looks.start(stop.signal);
    const asked = [looks.once(), looks.once()];
    await clock.advance(5 * second);
    looks.soon();
    looks.soon();
    await clock.advance(40 * second);
    await Promise.all(asked);
    expect(desk.busiest).toBe(1);
  });

  it('no closer together than a second, whatever happens', async () => {
    const { clock, desk, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    for (let tenth = 0; tenth < 50; tenth++) {
      looks.soon();
      await clock.advance(100);
    }
    expect(desk.times('orders').length).toBeLessThanOrEqual(6);
  });

  it('at the orders alone when a refusal is all there is to confirm', async () => {
    const { clock, desk, ledger, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    await clock.advance(5 * second);
    settled(ledger, begun(ledger, 1, clock.now()), outcomes.refused(), clock.now());
    await clock.advance(1);
    looks.soon();
    await clock.advance(4 * second);
    expect(desk.times('orders')).toHaveLength(3);
    expect(desk.times('transactions')).toHaveLength(1);
  });

  it('by the steady time: what is quiet has passed, whichever way the wall clock steps meanwhile [P25]', async () => {
    const answers = { listingDetail: () => ({ items: [wire.listing('1', { error: 'LISTING_NOT_FOUND' })] }) };
    const { clock, ledger, looks, stop } = stage(new VirtualClock(NOON), answers);
    const { id } = settled(ledger, begun(ledger, 1, NOON), outcomes.unknown(), NOON);
    looks.start(stop.signal);
    for (const stepMs of [2 * hour, -3 * hour, 5 * hour]) {
      await clock.advance(minute);
      clock.stepWall(stepMs);
    }
    await clock.advance(minute);
    expect(ledger.known([], [], clock.now()).proofs.get(id)).toMatchObject({
      healthyMs: 181 * second,
      lastLookAt: NOON + 181 * second,
    });
  });

  it('until it is stopped', async () => {
    const { clock, desk, looks, stop } = stage(new VirtualClock(NOON));
    looks.start(stop.signal);
    await clock.advance(minute);
    stop.abort();
    await clock.advance(10 * minute);
    expect(desk.times('orders')).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });
});

describe('when the service fails', () => {
  it('a look is tried again, ever later, and says so [money-6]', async () => {
    const { clock, desk, looked, looks, stop } = stage(new VirtualClock(NOON), { orders: () => new Error('down for repairs') });
    looks.start(stop.signal);
    await clock.advance(30 * second);
    expect(seconds(desk.times('orders'))).toEqual([0, 1, 3, 7, 15]);
    expect(looked).toEqual([]);
    const result = looks.once();
    await clock.advance(second);
    expect(await result).toMatchObject({ ok: false, message: 'down for repairs', unknown: 0 });
  });

  it('a transaction still settles a purchase while the orders cannot be read', async () => {
    const answers = { orders: () => new Error('down'), transactions: () => wire.transactions(wire.transaction('T-1')) };
    const { clock, ear, ledger, looks } = stage(new VirtualClock(NOON), answers);
    settled(ledger, begun(ledger, 1, NOON), outcomes.unknown(), NOON);
    const result = looks.once();
    await clock.advance(second);
    expect(await result).toMatchObject({ ok: false, unknown: 0 });
    expect(ear.heard).toEqual(['1 bought']);
  });

  it('one order’s trouble does not stop the others [money-6]', async () => {
    const broken = [null, 'x', wire.order('', {}), wire.order('Q', { amount: 'much' }), wire.order('R', { status: 7 })];
    const answers = { orders: () => wire.orders(...old, ...broken, wire.order('S-1', { status: { code: 'COMPLETED' } })) };
    const { clock, ear, ledger, looks } = stage(new VirtualClock(NOON), answers);
    settled(ledger, begun(ledger, 1, NOON), outcomes.bought('S-1'), NOON);
    void looks.once();
    await clock.advance(second);
    expect(ear.heard).toEqual(['1 completed']);
  });
});

describe('what a look shows', () => {
  it('is asked for whole and settles an unknown purchase early when nothing was bought', async () => {
    const { clock, desk, ear, ledger, looks, stop } = stage(new VirtualClock(NOON), {
      listingDetail: () => ({ items: [wire.listing('1')] }),
    });
    await clock.advance(second);
    void looks.once();
    await clock.advance(second);
    settled(ledger, begun(ledger, 1, clock.now()), outcomes.unknown(), clock.now());
    looks.start(stop.signal);
    await clock.advance(70 * second);
    expect(ear.heard).toEqual(['1 rejected']);
    expect(ledger.purchase(1)).toMatchObject({ state: 'rejected', held: false, wasUnknown: true });
    expect(desk.asked.find(({ name }) => name === 'listingDetail')?.request).toMatchObject({
      urgency: 'reconcile',
      body: { items: [{ item: '10807006fab895f4', listing: '1', market: 'c5game' }] },
    });
  });

  it('is told how an order of others goes on, which counts as open until it is delivered', async () => {
    const answers = { orders: () => wire.orders(...old) };
    const { clock, desk, ear, ledger, looks } = stage(new VirtualClock(NOON), answers);
    const shown = async (...orders: Parameters<typeof wire.orders>): Promise<number> => {
      desk.answers.orders = () => wire.orders(...orders);
      void looks.once();
      await clock.advance(minute);
      return ledger.usage('live', { strategy: 's', marketHashName: 'n' }, clock.now()).open;
    };
    const stranger = (code: string) => wire.order('F-1', { status: { code }, timestamp: (NOON + minute) / 1_000 });
    expect(await shown(...old)).toBe(0);
    expect(await shown(...old, stranger('HOLD'))).toBe(1);
    expect(await shown(...old, stranger('HOLD'))).toBe(1);
    expect(await shown(...old, stranger('COMPLETED'))).toBe(0);
    expect(ear.heard.filter((one) => one === 'adopted F-1')).toHaveLength(2);
  });

  it('is told: what changed, whom it adopted, alerts and halts', async () => {
    const answers = { orders: () => wire.orders(...old) };
    const { clock, desk, ear, looks } = stage(new VirtualClock(NOON), answers);
    void looks.once();
    await clock.advance(minute);
    desk.answers.orders = () => wire.orders(...old, wire.order('F-1', { currency: 'EUR', timestamp: (NOON + minute) / 1_000 }));
    void looks.once();
    await clock.advance(second);
    expect(ear.heard).toEqual(['adopted F-1', 'alert adopted', 'halted']);
  });

  it('is found again when the journal would not take it', async () => {
    let failing = true;
    const ledger = freshLedger(undefined, (name) => {
      if (failing && name === 'apply:commit') throw new JournalFailure('disk full');
    });
    const { clock, ear, looks } = stage(
      new VirtualClock(NOON),
      { orders: () => wire.orders(...old, wire.order('S-1', { status: { code: 'HOLD' } })) },
      ledger,
    );
    settled(ledger, begun(ledger, 1, NOON), outcomes.bought('S-1'), NOON);
    const first = looks.once();
    await clock.advance(second);
    expect(await first).toMatchObject({ ok: false, message: 'the journal cannot be written' });
    expect(ear.failures).toEqual(['disk full']);
    failing = false;
    void looks.once();
    await clock.advance(second);
    expect(ear.failures).toEqual(['disk full', undefined]);
    expect(ledger.purchase(1)?.orderStatus).toBe('HOLD');
  });

  it('halts a dedicated account whose balance falls without a reason', async () => {
    const { clock, desk, ear, looks } = stage(new VirtualClock(NOON));
    void looks.once();
    await clock.advance(minute);
    desk.answers.user = () => wire.user(900);
    for (let times = 0; times < 2; times++) {
      void looks.once();
      await clock.advance(minute);
    }
    expect(ear.heard).toEqual(['alert balance-odd']);
  });

  it('is learnt from: ids that differ from the answers’ are recognised at once the second time [B15]', async () => {
    const { clock, desk, ear, ledger, looks } = stage(new VirtualClock(NOON));
    const look = async (...rows: unknown[]): Promise<void> => {
      desk.answers.orders = () => wire.orders(...old, ...rows);
      void looks.once();
      await clock.advance(second);
    };
    await look();
    settled(ledger, begun(ledger, 1, clock.now()), outcomes.bought('S-1'), clock.now());
    const row = wire.order('X-1', { itemId: '1', timestamp: clock.now() });
    await clock.advance(second);
    await look(row);
    settled(ledger, begun(ledger, 2, clock.now()), outcomes.bought('S-2'), clock.now());
    await clock.advance(second);
    await look(row, wire.order('X-2', { timestamp: clock.now(), status: { code: 'ACTIVE' } }));
    expect(ear.heard).toEqual(['1 bought', '2 bought', 'alert accept']);
    expect(ledger.purchase(2)?.orderStatus).toBe('ACTIVE');
  });
});
