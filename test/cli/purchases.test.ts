import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, outcomes, readBalance, settled } from '../ledger/support.ts';
import { NOON, dollars, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ledgerAt, magpie, place } from './harness.ts';

/** One o'clock. */
const ONE = NOON + 3_600_000;

/** One of each: bought an hour ago, refused, unknown, on paper. */
function history(ledger: Ledger): void {
  settled(ledger, begun(ledger, 1, NOON + 1, { strategy: 'redlines' }), outcomes.bought('order-1'));
  readBalance(ledger, 989.5, ONE - 40_000);
  settled(ledger, begun(ledger, 2, ONE - 30_000), outcomes.refused(), ONE);
  settled(
    ledger,
    begun(ledger, 3, ONE, { listing: listing({ id: '3', name: '\u001b[31mM4A4 | 龍王 (Dragon King)\u202e' }) }),
    outcomes.unknown(),
    ONE,
  );
  begun(ledger, 4, ONE + 1_000, { lane: 'paper' });
}

async function purchases(cwd: string, more: readonly string[], columns?: number): Promise<string> {
  const given = {
    cwd,
    clock: new VirtualClock(ONE + 2_000),
    env: { NO_COLOR: '1' },
    ...(columns === undefined ? {} : { columns }),
  };
  const { code, out, err } = await magpie(['purchases', '--config', 'magpie.yaml', ...more], given);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

describe('purchases for a person', () => {
  it('stand newest first in a table of 80 columns', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    const out = await purchases(cwd, [], 80);
    expect(out).toMatchInlineSnapshot(`
      "id  made at (UTC)        state      with fee  item
       4  2026-01-05 13:00:01  simulated    $10.50  AK-47 | Redline (Field-Tested)
       3  2026-01-05 13:00:00  unknown      $10.50  \\u001b[31mM4A4 | 龍王 (Dragon Kin…
       2  2026-01-05 12:59:30  rejected     $10.50  AK-47 | Redline (Field-Tested)
       1  2026-01-05 12:00:00  bought       $10.50  AK-47 | Redline (Field-Tested)

      4 purchases: 1 simulated, 1 unknown, 1 rejected, 1 bought; $31.50 committed; $10.50 on paper
      "
    `);
    for (const line of out.split('\n').slice(0, 5)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('show more of each where there is room, and all of it to a pipe', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    expect(await purchases(cwd, ['--state', 'bought'])).toMatchInlineSnapshot(`
      "id  made at (UTC)        state   with fee  item                            market  strategy  order
       1  2026-01-05 12:00:00  bought    $10.50  AK-47 | Redline (Field-Tested)  c5game  redlines  order-1 SUCCESS

      1 purchase: 1 bought; $10.50 committed
      "
    `);
  });

  it('are narrowed by state and time', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    const ids = async (...args: string[]): Promise<number[]> =>
      (JSON.parse(await purchases(cwd, ['--json', ...args])) as { id: number }[]).map(({ id }) => id);
    expect(await ids()).toEqual([4, 3, 2, 1]);
    expect(await ids('--state', 'rejected')).toEqual([2]);
    expect(await ids('--since', '5m')).toEqual([4, 3, 2]);
    expect(await ids('--since', '2026-01-05T13:00Z')).toEqual([4, 3]);
    expect(await ids('--since', '2026-01-05T14:00+01:00')).toEqual([4, 3]);
    expect(await ids('--since', '2026-01-06')).toEqual([]);
    expect(await ids('--limit', '1')).toEqual([4]);
  });

  it('say that there are older ones where the table is cut', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    expect(await purchases(cwd, ['--limit', '2'])).toContain('There are older ones: `--limit N` shows more');
    expect(await purchases(cwd, ['--limit', '4'])).not.toContain('There are older ones');
  });

  it('are none where nothing has run', async () => {
    const cwd = place();
    expect(await purchases(cwd, ['--state', 'unknown'])).toMatchInlineSnapshot(`
      "No purchase that is unknown.
      Configuration magpie.yaml, data folder data
      "
    `);
    expect(JSON.parse(await purchases(cwd, ['--json']))).toEqual([]);
  });

  it('refuse a time or a state that is none, with what would be one', async () => {
    const cwd = place();
    for (const args of [
      ['--since', 'yesterday'],
      ['--since', '2026-02-30'],
      ['--state', 'bout'],
      ['--limit', '0'],
    ]) {
      const { code, out } = await magpie(['purchases', ...args], { cwd });
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
    }
  });
});

describe('purchases --json', () => {
  it('has the fields of the contract, in their order, absent ones null', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    history(ledger);
    ledger.apply([{ kind: 'refund', purchaseId: 1, amount: dollars(10.5), transactionId: 't', note: 'back' }], ONE);
    const rows = JSON.parse(await purchases(cwd, ['--json'])) as Record<string, unknown>[];
    expect(rows.at(-1)).toMatchObject({
      id: 1,
      mode: 'live',
      strategy: 'redlines',
      price: 10,
      priceWithFee: 10.5,
      serviceOrderId: 'order-1',
      refunded: 10.5,
    });
    expect(Object.keys(rows[0] ?? {})).toEqual([
      ...[
        'id',
        'state',
        'mode',
        'strategy',
        'market',
        'listingId',
        'itemId',
        'marketHashName',
        'wear',
        'price',
        'priceWithFee',
        'steamPrice',
      ],
      ...['serviceOrderId', 'orderStatus', 'paid', 'refunded', 'reason', 'createdAt', 'updatedAt'],
    ]);
    expect(rows[0]).toMatchObject({
      state: 'simulated',
      mode: 'dry-run',
      serviceOrderId: null,
      paid: null,
      createdAt: '2026-01-05T13:00:01.000Z',
    });
  });
});
