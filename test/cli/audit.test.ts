import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { audit } from '../../src/risk/audit/audit.ts';
import { type Pair, agreeing, bought, moveBalance } from '../risk/audit/books.ts';
import { NOON, dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, ledgerAt, magpie, place } from './harness.ts';

/** Runs `audit` beside a daemon that answers with this report. */
async function audited(report: unknown, ...args: readonly string[]): Promise<Ran> {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  const held = acquireFolderLock(join(cwd, 'data'));
  if (!held.ok) throw new Error(held.fault.message);
  onTestFinished(() => held.lock.release());
  const clock = new VirtualClock(NOON + 60_000);
  const ran = magpie(['audit', '--config', 'magpie.yaml', ...args], { cwd, clock });
  await clock.advance(300);
  const request = ledger.takeUp(clock.now(), 30_000);
  ledger.answer(request?.id ?? 0, { ok: true, message: 'the books were compared', report }, clock.now());
  await clock.advance(300);
  return ran;
}

function reportOf(change: (pair: Pair) => void): ReturnType<typeof audit> {
  const pair = agreeing([bought(1), bought(20)]);
  change(pair);
  return audit(pair.ours, pair.theirs);
}

const AGREE = 'No difference: what our rows say is what the service shows.';
const failed = { ok: false, why: 'the service failed (500)' } as const;

describe('an audit', () => {
  it('of books that agree says so and ends with 0', async () => {
    const report = reportOf(() => undefined);
    expect(await audited(report)).toMatchObject({ code: 0, out: expect.stringContaining(AGREE) as string });
    const { code, out } = await audited(report, '--json');
    expect({ code, document: JSON.parse(out) as unknown }).toMatchObject({
      code: 0,
      document: { ok: true, unread: [], uncompared: 0 },
    });
  });

  it.each(['orders', 'transactions', 'movements', 'balance'] as const)(
    'that could not read a part compared nothing of it: it ends with 1 and claims no agreement (%s)',
    async (part) => {
      const report = reportOf(({ theirs }) => (theirs[part] = failed));
      const { code, out } = await audited(report);
      expect(code).toBe(1);
      expect(out).not.toContain(AGREE);
      expect(out).toContain('No difference in what could be read.');
      expect(out).toMatch(/The [a-z ]+ could not be read \(the service failed \(500\)\): nothing is known about it/);
      expect(out).toContain('→ Run `magpie audit --config magpie.yaml` again');
      expect(out).toContain('`magpie doctor --config magpie.yaml`');
      const json = await audited(report, '--json');
      expect({ code: json.code, document: JSON.parse(json.out) as unknown }).toMatchObject({
        code: 1,
        document: {
          ok: false,
          differences: [],
          unread: [
            {
              ...{ part: part === 'movements' ? 'ledger' : part, partly: false, why: failed.why },
              text: expect.stringContaining('could not be read') as string,
              next: expect.stringContaining('magpie doctor') as string,
            },
          ],
        },
      });
    },
  );

  it('that could read nothing says that it compared with nothing', async () => {
    const report = reportOf(
      (pair) => (pair.theirs = { orders: failed, transactions: failed, movements: failed, balance: failed }),
    );
    const { code, out } = await audited(report);
    expect(code).toBe(1);
    expect(out.split('\n').slice(1).join('\n')).toMatchInlineSnapshot(`
      "Compared 2 purchases of ours with no list of the service: none could be read.

      Not everything was compared:
        The list of orders could not be read (the service failed (500)): nothing is known about it, and nothing was held against it.
        The list of transactions could not be read (the service failed (500)): nothing is known about it, and nothing was held against it.
        The ledger of the service could not be read (the service failed (500)): nothing is known about it, and nothing was held against it.
        The balance could not be read (the service failed (500)): nothing is known about it, and nothing was held against it.
      → Run \`magpie audit --config magpie.yaml\` again; where it stays so, \`magpie doctor --config magpie.yaml\` looks at the way to the service. Until then nobody knows whether it agrees.

      No difference in what could be read.
      "
    `);
  });

  it('that finds a difference beside what it could not read says both', async () => {
    const report = reportOf((pair) => {
      pair.theirs.orders = failed;
      moveBalance(pair, dollars(-500));
    });
    const { code, out } = await audited(report);
    expect(code).toBe(1);
    expect(out).toContain('with 2 transactions and 2 ledger entries of the service');
    expect(out).toContain('1 difference, by which there is $500.00 less than our rows say.');
    expect(out).toContain('What could not be read may explain some of it, and hide more.');
  });

  it('of purchases that the service no longer shows ends with 0, and says that they were not compared', async () => {
    const report = reportOf(({ theirs }) => {
      if (theirs.orders.ok) theirs.orders = { ...theirs.orders, whole: false, rows: theirs.orders.rows.slice(1) };
      if (theirs.transactions.ok)
        theirs.transactions = { ...theirs.transactions, whole: false, rows: theirs.transactions.rows.slice(1) };
    });
    const { code, out } = await audited(report);
    expect(code).toBe(0);
    expect(out).not.toContain(AGREE);
    expect(out).toContain('No difference in what could be compared; 1 purchase of ours could not be, as said below.');
  });

  it('by a daemon that does not say what it could not read is not believed', async () => {
    const { unread, ...older } = reportOf(() => undefined);
    expect(unread).toEqual([]);
    const { code, err } = await audited(older);
    expect(code).toBe(1);
    expect(err).toContain('Nothing was compared: the daemon is of another version: restart it');
  });
});
