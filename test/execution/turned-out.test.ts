import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, outcomes, settled, wish } from '../ledger/support.ts';
import { NOON, dollars, listing, noLimits, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { stage, wire } from './support/desk.ts';

const second = 1_000;
const seconds = (ms: number): number => ms / 1_000;
const old = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    wire.order(`B-${n}`, { itemId: '0000000000000000', status: { code: 'COMPLETED' }, timestamp: seconds(NOON - 9e8) + n }),
  );
const another = (n: number) => listing({ id: String(n), itemId: 'ffffffffffffffff', name: 'M4A4 | Howl' });

describe('a refusal that looks had confirmed and that was executed late', () => {
  /** Refused at 10 s and cleared by two looks; its order shows at 13.5 s, and a refusal of something else has only the orders asked for. */
  async function life(float: number | null, moving = false) {
    const clock = new VirtualClock(NOON);
    const shows = (): boolean => clock.now() >= NOON + 13.5 * second;
    const timestamp = seconds(NOON) + 10;
    let shown = 0;
    const row = () => wire.order('O-1', { timestamp, status: { code: moving && shown++ % 2 > 0 ? 'ACTIVE' : 'PENDING' } });
    const { ear, ledger, looks, stop } = stage(clock, {
      orders: () => wire.orders(...old(3), ...(shows() ? [row()] : [])),
      transactions: () => wire.transactions(...(shows() ? [wire.transaction('T-1', { float, timestamp })] : [])),
      user: () => wire.user(shows() ? 989.5 : 1_000),
    });
    looks.start(stop.signal);
    await clock.advance(10 * second);
    const limits = { ...noLimits, spend: { total: dollars(10.5) } };
    const first = begun(ledger, 1, clock.now(), { limits });
    settled(ledger, first, outcomes.refused('gone'), clock.now());
    await clock.advance(1);
    looks.soon();
    await clock.advance(4 * second);
    expect(ledger.purchase(first.id)).toMatchObject({ state: 'rejected', held: false });
    refusedToo(ledger, clock.now());
    await clock.advance(1);
    looks.soon();
    await clock.advance(120 * second);
    const { spend } = ledger.usage('live', { strategy: 'cheap', marketHashName: '' }, clock.now());
    const again = ledger.commitIntent(wish({ limits, listing: listing({ id: '3' }) }), wideLimits, clock.now());
    return { ...ledger.purchase(first.id), adopted: ledger.adoptedOrders().length, again: again.ok, total: spend.total, ear };
  }

  function refusedToo(ledger: Ledger, at: number): void {
    const committed = ledger.commitIntent(wish({ strategy: 'other', listing: another(2) }), wideLimits, at);
    if (!committed.ok) throw new Error(committed.detail);
    settled(ledger, committed.purchase, outcomes.refused('gone'), at);
  }

  it.each([null, 0.2])(
    'becomes bought though its order was taken for a stranger’s, and counts once (float %s)',
    async (float) => {
      const { ear, ...seen } = await life(float);
      expect(seen).toMatchObject({ state: 'bought', serviceOrderId: 'O-1', adopted: 0, again: false, total: dollars(10.5) });
      expect(ear.heard.filter((each) => /^(adopted|explained)/.test(each))).toEqual(['adopted O-1', 'explained O-1']);
    },
  );

  it.each([null, 0.2])(
    'is nobody else’s any more from then on, though its status moves with each look (float %s)',
    async (float) => {
      const { ear, ...seen } = await life(float, true);
      expect(seen).toMatchObject({ state: 'bought', adopted: 0, total: dollars(10.5) });
      expect(ear.heard.findLast((each) => /^(adopted|explained)/.test(each))).toBe('explained O-1');
    },
  );
});

describe('a refusal', () => {
  it('whose order a list has shown is not confirmed by lists that lack it [M3]', async () => {
    const clock = new VirtualClock(NOON);
    let asked = 0;
    // Two replicas: the second look after the refusal meets the one that has the order.
    const { ledger, looks, stop } = stage(clock, {
      orders: () => {
        asked += 1;
        return wire.orders(...old(3), ...(asked === 3 ? [wire.order('O-1', { timestamp: seconds(NOON) + 10 })] : []));
      },
    });
    looks.start(stop.signal);
    await clock.advance(10 * second);
    const refused = begun(ledger, 1, clock.now());
    settled(ledger, refused, outcomes.refused('gone'), clock.now());
    await clock.advance(1);
    looks.soon();
    await clock.advance(60 * second);
    expect(asked).toBeGreaterThan(5);
    expect(ledger.purchase(refused.id)).not.toMatchObject({ state: 'rejected', held: false });
  });

  it.each([
    { executed: true, bought: 2 },
    { executed: true, bought: 0 },
    { executed: false, bought: 0 },
  ])(
    'is confirmed by a total that counts what the list hides, whatever is accepted while it is asked: $executed, $bought',
    async ({ executed, bought }) => {
      const clock = new VirtualClock(NOON);
      const made: Record<string, unknown>[] = [];
      let during = (): void => {};
      // The list shows the newest fifty orders and hides one; its total is honest.
      const { ledger, looks, stop, desk } = stage(clock, {
        orders: () => {
          const shown = [...old(50), ...made.filter((row) => row['id'] !== 'R-1')].slice(-50);
          const answer = { total: 100 + made.length, returned: shown.length, orders: shown };
          during();
          return answer;
        },
      });
      desk.tookMs = 200;
      looks.start(stop.signal);
      await clock.advance(20 * second);
      const refused = begun(ledger, 1, clock.now());
      if (executed) made.push(wire.order('R-1', { timestamp: seconds(clock.now()) }));
      settled(ledger, refused, outcomes.refused('gone'), clock.now());
      let accepted = 0;
      during = () => {
        if (accepted >= bought) return;
        accepted += 1;
        const other = begun(ledger, 100 + accepted, clock.now(), { listing: another(100 + accepted) });
        settled(ledger, other, outcomes.bought(`S-${accepted}`), clock.now());
        made.push(wire.order(`S-${accepted}`, { itemId: 'ffffffffffffffff', timestamp: seconds(clock.now()) }));
      };
      await clock.advance(1);
      looks.soon();
      await clock.advance(3 * second);
      expect(ledger.purchase(refused.id)).toMatchObject({ held: executed });
    },
  );
});
