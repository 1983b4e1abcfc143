import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, order, outcomes, readBalance, settled } from '../ledger/support.ts';
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
      "id  made at (UTC)        state      with fee  listing  item
       4  2026-01-05 13:00:01  simulated    $10.50  4        AK-47 | Redline
                                                             (Field-Tested)
                                                             wear 0.2
       3  2026-01-05 13:00:00  unknown      $10.50  3        \\u001b[31mM4A4 | 龍王
                                                             (Dragon King)\\u202e
                                                             wear 0.2
       2  2026-01-05 12:59:30  rejected     $10.50  2        AK-47 | Redline
                                                             (Field-Tested)
                                                             wear 0.2
       1  2026-01-05 12:00:00  bought       $10.50  1        AK-47 | Redline
                                                             (Field-Tested)
                                                             wear 0.2

      4 purchases: 1 simulated, 1 unknown, 1 rejected, 1 bought; $31.50 committed; $10.50 on paper
      "
    `);
    for (const line of out.split('\n').slice(0, 5)) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('show more of each where there is room, and all of it to a pipe', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    expect(await purchases(cwd, ['--state', 'bought'])).toMatchInlineSnapshot(`
      "id  made at (UTC)        state   with fee  listing  item                            wear  market  strategy  order
       1  2026-01-05 12:00:00  bought    $10.50  1        AK-47 | Redline (Field-Tested)  0.2   c5game  redlines  order-1 SUCCESS

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
      → \`magpie purchases --config magpie.yaml\` shows all of them
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
      ...['serviceOrderId', 'orderStatus', 'paid', 'refunded', 'reason', 'createdAt', 'updatedAt', 'shadow'],
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

describe('purchases ID', () => {
  /** Sent an hour ago without an answer, and looked for since: an early proof that lacks the listing. */
  function inDoubt(ledger: Ledger): void {
    settled(ledger, begun(ledger, 1, NOON + 1, { strategy: 'redlines' }), outcomes.unknown(), NOON + 10_000);
    const proof = {
      completeLooks: 3,
      firstLookAt: NOON + 12_000,
      lastLookAt: ONE - 60_000,
      healthyMs: 12.5 * 60_000,
      standingAt: undefined,
      balanceUnchangedAt: ONE - 60_000,
      mayBeIts: [],
    };
    ledger.apply([{ kind: 'proof', purchaseId: 1, proof }], ONE - 60_000);
    ledger.recordAlert({
      kind: 'unknown',
      at: ONE - 1_000,
      message: 'nobody can say \u202e',
      next: 'look at the service',
      purchaseId: 1,
    });
  }

  it('tells of one in doubt what is known, what is awaited, and what may be done', async () => {
    const cwd = place();
    inDoubt(ledgerAt(cwd));
    expect(await purchases(cwd, ['1'])).toMatchInlineSnapshot(`
      "#1 AK-47 | Redline (Field-Tested) on c5game, $10.50: unknown
                  sent; nobody can say yet whether it was bought
                  no answer in time

      listing     1 on c5game, item 10807006fab895f4, wear 0.2, seed 1
      by          redlines
      money       $10.50 expected, reserved
      written     2026-01-05 12:00:00 UTC (1 h ago), before anything was sent

      What happened (UTC)
        2026-01-05 12:00:00  intended  written and synced
        2026-01-05 12:00:10  unknown   the answer to its request: no answer in time

      Awaited
        Its $10.50 stay reserved, and its listing is never bought again. Time alone settles nothing.
        It was bought, as soon as an order or a transaction of the account shows it.
        It was not bought, when together 2 whole looks at the orders show none of it (3 so far), the balance has not moved by it (shown 1 min ago), and its listing still stands 1 min or more after the request (not seen so far).
        It was not bought, when in the long run 6 such looks in 30 minutes of a healthy market show neither order nor debit (3 looks and 12 minutes so far), and the balance has not moved by it.

      You may
        → magpie reconcile --config magpie.yaml   looks at once
        → magpie resolve --config magpie.yaml 1 --as bought|not-bought --reason "what you saw"   if you see at the service what became of it

      Alerts about it
        2026-01-05 12:59:59 UTC (3 s ago)  nobody can say \\u202e
          → look at the service
      "
    `);
  });

  it('tells how long each step of one that was sent took', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    const { id } = begun(ledger, 1, NOON + 0.5);
    const times = { committedAt: NOON + 2, sentAt: NOON + 2.25, answeredAt: NOON + 150 };
    ledger.recordOutcome(id, outcomes.bought('order-1'), times, undefined, NOON + 151);
    const took = (await purchases(cwd, ['1'])).split('\n').filter((line) => line.startsWith('took'));
    expect(took).toEqual([
      'took        seen → decided 0.50, decided → committed 1.50, committed → sent 0.25, sent → answered 147.8, seen → answered 150.0 ms',
    ]);
    expect(JSON.parse(await purchases(cwd, ['1', '--json']))).toMatchObject({
      times: { committed: '2026-01-05T12:00:00.002Z', sent: '2026-01-05T12:00:00.002Z', answered: '2026-01-05T12:00:00.150Z' },
      steps: [
        { from: 'seen', to: 'decided', ms: 0.5 },
        { from: 'decided', to: 'committed', ms: 1.5 },
        { from: 'committed', to: 'sent', ms: 0.25 },
        { from: 'sent', to: 'answered', ms: 147.75 },
        { from: 'seen', to: 'answered', ms: 150 },
      ],
    });
  });

  it('tells the whole story of one that was thought lost, bought, and came back', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    inDoubt(ledger);
    ledger.resolve(1, 'not-bought', 'not on the site', ONE);
    const row = order('o1', { statusCode: 'FAILED' });
    ledger.apply(
      [
        { kind: 'order', order: row, as: 'ours', purchaseId: 1 },
        {
          kind: 'bought',
          purchaseId: 1,
          order: row,
          transactionId: 't1',
          paid: dollars(10.5),
          note: 'bought: its order names the listing',
        },
        { kind: 'refund', purchaseId: 1, amount: dollars(4), transactionId: 't2', note: '$4.00 came back, $6.50 is still due' },
      ],
      ONE + 1_000,
    );
    const out = await purchases(cwd, ['#1']);
    expect(out.slice(out.indexOf('What happened'), out.indexOf('Alerts'))).toMatchInlineSnapshot(`
      "What happened (UTC)
        2026-01-05 12:00:00  intended  written and synced
        2026-01-05 12:00:10  unknown   the answer to its request: no answer in time
        2026-01-05 13:00:00  rejected  a person decided: not on the site
        2026-01-05 13:00:01  bought    bought: its order names the listing · FAILED
        2026-01-05 13:00:01  refunded  $4.00 came back, $6.50 is still due

      Awaited
        $6.50 are due back, since its order came to nothing.

      "
    `);
  });

  it('fits a terminal, and shows nothing hostile raw', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    const out = await purchases(cwd, ['3'], 80);
    expect(out).toContain('\\u001b[31mM4A4');
    // oxlint-disable-next-line no-control-regex -- that none is there is the point
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });

  it('is one JSON document with --json', async () => {
    const cwd = place();
    inDoubt(ledgerAt(cwd));
    const json = JSON.parse(await purchases(cwd, ['1', '--json'])) as Record<string, unknown>;
    expect(json).toMatchObject({
      id: 1,
      state: 'unknown',
      times: { committed: '2026-01-05T12:00:00.001Z', sent: null },
      timeline: [
        { from: null, to: 'intended', kind: 'intent' },
        { from: 'intended', to: 'unknown', kind: 'outcome', evidence: { kind: 'unknown', message: 'no answer in time' } },
      ],
      proof: { completeLooks: 3, healthyMinutes: 12, listingStoodAt: null, balanceUnchangedAt: '2026-01-05T12:59:00.000Z' },
      alerts: [{ kind: 'unknown', next: 'look at the service' }],
      awaited: expect.arrayContaining([expect.stringContaining('stay reserved')]) as string[],
      mayDo: expect.arrayContaining([expect.stringContaining('magpie resolve 1')]) as string[],
    });
  });

  it('says so where there is none of that number, or no number', async () => {
    const cwd = place();
    history(ledgerAt(cwd));
    const missing = await magpie(['purchases', '77', '--config', 'magpie.yaml'], { cwd });
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('There is no purchase 77');
    expect((await magpie(['purchases', 'AK-47', '--config', 'magpie.yaml'], { cwd })).code).toBe(2);
  });
});
