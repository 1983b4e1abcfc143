import { describe, expect, it } from 'vitest';
import { FirstLook } from '../../src/app/first-look.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService, listings, success } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

const MINUTE = 60_000;
const orders = (...ids: string[]) => ids.map((id) => order(id));

/** The looks of one run over a ledger; each says what keeps buying closed, `open` where nothing does. */
function run(ledger: Ledger) {
  const clock = new VirtualClock(NOON);
  let said = 'nothing';
  let asked = 0;
  const gate = { looked: (lacking?: string): void => void (said = lacking ?? 'open') };
  const first = new FirstLook({ clock, ledger, gate, lookAgain: () => void (asked += 1) });
  const look = (
    ids: readonly string[],
    given: { total?: number | undefined; returned?: number; unreadable?: number } = {},
  ): string => {
    const rows = orders(...ids);
    const novel = rows.filter(({ orderId }) => !ledger.known([orderId], [], NOON).orders.has(orderId));
    ledger.apply(
      novel.map((row) => ({ kind: 'order', order: row, as: 'adopted', purchaseId: undefined })),
      NOON,
    );
    const counts = { total: ids.length, returned: ids.length, unreadable: 0, ...given };
    first.looked({ beganAt: NOON, rows, ...counts });
    return said;
  };
  const pass = (ms: number): number => {
    asked = 0;
    for (let at = 0; at < ms; at += 1_000) {
      clock.advanceSync(1_000);
      first.tick();
    }
    return asked;
  };
  return { look, pass };
}

/** A ledger that has bought once. */
function used(): Ledger {
  const ledger = freshLedger();
  settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
  return ledger;
}

describe('the first look at the orders after a start', () => {
  it('opens buying when every order that the total counts is known', () => {
    expect(run(freshLedger()).look([])).toBe('open');
    expect(run(used()).look(['o1', 'o2'])).toBe('open');
    expect(run(used()).look(['o2'], { total: 2 })).toBe('open');
  });

  it('does not while a row cannot be read, however long', () => {
    const { look, pass } = run(used());
    expect(look(['o1'], { total: 3, returned: 3, unreadable: 2 })).toBe("2 of 3 orders in the account's list cannot be read");
    pass(20 * MINUTE);
    expect(look(['o1'], { total: 3, returned: 3, unreadable: 2 })).toContain('cannot be read');
    expect(look(['o1', 'o2', 'o3'])).toBe('open');
  });

  it('does not while the total counts orders that no list has shown, and looks again soon', () => {
    const { look, pass } = run(used());
    expect(look([], { total: 3 })).toContain('its list does not show all that are not known yet');
    expect(pass(2_000)).toBe(1);
    expect(look(['o2'], { total: 3 })).toContain('its list does not show all');
    expect(pass(3_000)).toBe(0);
    expect(pass(1_000)).toBe(1);
    expect(look(['o2', 'o3'], { total: 3 })).toBe('open');
    expect(pass(MINUTE)).toBe(0);
  });

  it('does not while the list shows fewer than it says it does, or says no total', () => {
    expect(run(used()).look(['o1'], { returned: 2 })).toContain('shows 1 order and says that it shows 2');
    expect(run(used()).look(['o1'], { total: undefined })).toContain('does not say how many');
  });

  it('opens after ten minutes all the same where the count stays unexplained: not every service keeps one', () => {
    const { look, pass } = run(used());
    expect(look(['o1'], { total: undefined })).not.toBe('open');
    pass(10 * MINUTE);
    expect(look(['o1'], { total: undefined })).toBe('open');
  });

  it('takes what a list of the newest orders has never shown for granted from then on, and nothing besides', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    expect(run(ledger).look(['n3', 'n4'], { total: 450 })).toBe('open');
    settled(ledger, begun(ledger, 1), outcomes.bought('n5'));
    ledger.close();
    const again = opened(folder);
    expect(run(again).look(['n4', 'n5'], { total: 451 })).toBe('open');
    const { look, pass } = run(again);
    expect(look(['n8', 'n9'], { total: 455 }), 'two that nobody has seen').not.toBe('open');
    pass(10 * MINUTE);
    expect(look(['n8', 'n9'], { total: 455 })).toBe('open');
    expect(run(again).look(['n8', 'n9'], { total: 455 }), 'which are known of from then on').toBe('open');
  });

  it('is no look where the list of an account that has orders shows none', () => {
    expect(run(freshLedger()).look([], { total: 2 })).not.toBe('open');
  });
});

describe('a daemon', () => {
  const accept = () => success({ order: { orderId: 'u', serviceOrderId: 'S-1', status: 'SUCCESS', message: 'ok' }, item: {} });
  const list = (total: number, rows: readonly unknown[]) =>
    success({ total, returned: rows.length, orders: rows, message: 'orders' });

  it('does not buy by an old copy of its ledger while the list hides orders that its total counts', async () => {
    let restored = false;
    const service = await ScriptedService.open({
      live: () => listings(restored ? [offer('900000002')] : [offer('900000001')]),
      orders: () => (restored ? list(3, []) : list(0, [])),
      buy: accept,
    });
    const place = freshPlace();
    const first = await startBot({ place, at: service.address });
    await first.sees('a purchase', () => first.purchases()[0]?.state === 'bought');
    await first.stop();
    restored = true;
    const bot = await startBot({ place, at: service.address });
    await bot.sees('several looks', () => service.asked('orders') > 2);
    await pause(500);
    expect(service.asked('buy')).toBe(1);
    expect(bot.text).not.toContain('Start checks passed');
  });

  it('does not buy while no row of its orders can be read', async () => {
    const rows = [1, 2, 3].map((n) => ({ id: n, item: 'x', amount: '10.5', status: 'PENDING' }));
    const service = await ScriptedService.open({
      live: () => listings([offer('900000001')]),
      orders: () => list(3, rows),
      buy: accept,
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees('looks', () => service.asked('orders') > 1);
    await pause(500);
    expect(service.asked('buy')).toBe(0);
    expect(bot.purchases()).toEqual([]);
  });
});
