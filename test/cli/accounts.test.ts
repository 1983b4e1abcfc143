import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { noteChild } from '../../src/cli/known-children.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { openReader } from '../../src/ledger/open.ts';
import { begun, freshLedger, outcomes, settled } from '../ledger/support.ts';
import { NOON, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, Signals, magpie, onPlayMoney, place } from './harness.ts';

const withConfig = ['--config', 'magpie.yaml'] as const;
const both = `accounts: { anna: {}, bert: { limits: { spend: { day: 30 } }, mode: dry-run } }\n${onPlayMoney}`;

const child = { apiKeyId: 'c1', name: null, status: 'active', keyFile: null, toldAt: NOON };

function haltOf(cwd: string, name: string): string | undefined {
  const reader = openReader(join(cwd, 'data/accounts', name));
  if (!reader.ok) return undefined;
  const halt = reader.value.standingHalts()[0];
  reader.value.close();
  return halt?.reason;
}

function run(cwd: string, ...args: string[]): Promise<Ran> {
  return magpie([...args, ...withConfig], { cwd });
}

describe('commands where the configuration has several accounts', () => {
  it('say which accounts there are where they act on one and none is named, and do nothing', async () => {
    const cwd = place({ 'magpie.yaml': both });
    for (const words of [['purchases', '1'], ['why', '1'], ['resume'], ['reconcile'], ['audit'], ['backup']]) {
      const { code, err } = await run(cwd, ...words);
      expect({ words, code, err }).toEqual({
        words,
        code: 2,
        err: 'This configuration has several accounts, and nothing was done: anna, bert.\n→ say which one with --account NAME\n',
      });
    }
  });

  it('know no account that the configuration has not, and run all of them or none', async () => {
    const cwd = place({ 'magpie.yaml': both });
    const { code, err } = await run(cwd, 'status', '--account', 'berta');
    expect({ code, err }).toEqual({
      code: 2,
      err:
        'fault --account: no account is called berta; those of magpie.yaml are: anna, bert → --account bert\n' +
        'The command line is wrong, not the configuration: nothing was done.\n',
    });
    const alone = await run(cwd, 'run', '--account', 'anna');
    expect(alone.code).toBe(2);
    expect(alone.err).toContain('`run` serves all accounts of a configuration in one process');
  });

  it('halt one by name and leave the others be; resume wants a name', async () => {
    const cwd = place({ 'magpie.yaml': both });
    const one = await run(cwd, 'halt', '--account', 'anna', '--reason', 'hers alone');
    expect(one.code).toBe(0);
    expect(one.out).toContain('data folder data/accounts/anna');
    expect(one.out).toContain('`magpie resume --config magpie.yaml --account anna`');
    expect([haltOf(cwd, 'anna'), haltOf(cwd, 'bert')]).toEqual(['hers alone', undefined]);
    expect((await run(cwd, 'resume')).code).toBe(2);
    expect((await run(cwd, 'resume', '--account', 'anna')).out).toContain('Resumed.');
    expect(haltOf(cwd, 'anna')).toBeUndefined();
  });

  it('say how to stop everybody where a halt names an account that there is not, and halt nobody', async () => {
    const cwd = place({ 'magpie.yaml': both });
    const { code, err } = await run(cwd, 'halt', '--account', 'berta', '--reason', 'in a hurry');
    expect({ code, err }).toEqual({
      code: 2,
      err:
        'fault --account: no account is called berta; those of magpie.yaml are: anna, bert → --account bert\n' +
        'NOTHING WAS HALTED. → leave --account out, and every account is halted; or name one of anna, bert\n',
    });
    expect([haltOf(cwd, 'anna'), haltOf(cwd, 'bert')]).toEqual([undefined, undefined]);
    const single = place({ 'magpie.yaml': onPlayMoney });
    const alone = await run(single, 'halt', '--account', 'anna', '--reason', 'in a hurry');
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('NOTHING WAS HALTED. → leave --account out')]);
  });

  it('list the child keys that all of them know, as they ask for one, with the top-level key', async () => {
    const cwd = place({ 'magpie.yaml': both });
    noteChild(join(cwd, 'data'), { ...child, email: 'of-all@example.com' });
    noteChild(join(cwd, 'data/accounts/anna'), { ...child, email: 'of-anna@example.com' });
    const listed = async (...more: string[]): Promise<unknown> => {
      const { code, out } = await run(cwd, 'partner', 'users', '--json', ...more);
      return { code, emails: JSON.parse(out).children.map(({ email }: { email: string }) => email) };
    };
    expect(await listed()).toEqual({ code: 0, emails: ['of-all@example.com'] });
    expect(await listed('--account', 'anna')).toEqual({ code: 0, emails: ['of-anna@example.com'] });
  });

  it("ask the treasury of the configuration, which is no account's", async () => {
    const cwd = place({ 'magpie.yaml': both });
    const { code, err } = await run(cwd, 'treasury', 'status');
    expect([code, err]).toEqual([2, expect.stringContaining('The configuration has no treasury')]);
  });

  it('halt all without a name, each that can be, also where the configuration is faulty', async () => {
    const cwd = place({ 'magpie.yaml': both.replace('day: 500', 'day: much') });
    freshLedger(join(cwd, 'data/accounts/anna'));
    const held = acquireFolderLock(join(cwd, 'data/accounts/anna'));
    if (!held.ok) throw new Error(held.fault.message);
    const { code, out, err } = await run(cwd, 'halt', '--reason', 'all of it');
    held.lock.release();
    expect(code).toBe(2);
    expect(out).toMatchInlineSnapshot(`
      "Halting all accounts: all of it
        anna: halted
        bert: halted; it is not running, and starts halted
      Configuration magpie.yaml, data folder data
      → \`magpie resume --config magpie.yaml --account NAME\` lets one of them buy again
      "
    `);
    expect(err).toContain('Halted in spite of the faults above');
    expect([haltOf(cwd, 'anna'), haltOf(cwd, 'bert')]).toEqual(['all of it', 'all of it']);
  });

  it('show a line an account, and one of them whole', async () => {
    const cwd = place({ 'magpie.yaml': both });
    const ledger = freshLedger(join(cwd, 'data/accounts/anna'));
    ledger.halt('prices look odd', 'person', 1);
    const all = await run(cwd, 'status');
    expect(all.code).toBe(0);
    expect(all.out).toMatchInlineSnapshot(`
      "anna  halted: prices look odd · balance $1000.00 · spent: hour $0.00 of $200.00, day $0.00 of $500.00
      bert  not running · no balance yet · spent: hour $0.00 of $200.00, day $0.00 of $30.00
      → \`magpie status --config magpie.yaml --account NAME\` shows one of them whole
      "
    `);
    const json = JSON.parse((await run(cwd, 'status', '--json')).out) as { accounts: Record<string, { halted: boolean }> };
    expect(json.accounts['anna']?.halted).toBe(true);
    expect(json.accounts['bert']?.halted).toBe(false);
    expect((await run(cwd, 'status', '--account', 'anna')).out).toContain('prices look odd');
    expect((await run(cwd, 'status', '--account', 'bert')).out).not.toContain('prices look odd');
  });

  it('tell the newest alerts of all, with the account of each and what to do', async () => {
    const cwd = place({ 'magpie.yaml': both });
    const tell = (name: string, minutes: readonly number[]): void => {
      const ledger = freshLedger(join(cwd, 'data/accounts', name));
      for (const minute of minutes)
        ledger.recordAlert({
          ...{ kind: 'key', at: NOON + minute * 60_000, message: `its key was refused at 12:0${minute}`, purchaseId: undefined },
          next: minute === 8 ? 'Look at its key.' : undefined,
        });
    };
    tell('anna', [1, 2, 3, 8]);
    tell('bert', [4, 5]);
    const { code, out } = await magpie(['status', ...withConfig], { cwd, clock: new VirtualClock(NOON + 600_000) });
    expect([code, out.slice(out.indexOf('Newest'))]).toMatchInlineSnapshot(`
      [
        0,
        "Newest alerts
        2026-01-05 12:08:00 UTC (2 min ago)  anna: its key was refused at 12:08
          → Look at its key.
        2026-01-05 12:05:00 UTC (5 min ago)  bert: its key was refused at 12:05
        2026-01-05 12:04:00 UTC (6 min ago)  bert: its key was refused at 12:04
        2026-01-05 12:03:00 UTC (7 min ago)  anna: its key was refused at 12:03
        2026-01-05 12:02:00 UTC (8 min ago)  anna: its key was refused at 12:02
      → \`magpie status --config magpie.yaml --account NAME\` shows one of them whole
      ",
      ]
    `);
  });

  it('draw all of them for as long as somebody looks', async () => {
    const cwd = place({ 'magpie.yaml': both });
    freshLedger(join(cwd, 'data/accounts/anna'));
    const [clock, signals] = [new VirtualClock(NOON), new Signals()];
    const env = { NO_COLOR: '1' };
    const watching = magpie(['status', '--watch', ...withConfig], { cwd, clock, columns: 80, signals, env });
    await clock.advance(2_500);
    signals.send('SIGINT');
    const { code, out, err } = await watching;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [picture = ''] = out.split('\u001b[H').slice(1);
    const lines = picture.split('\r\n').map((line) => stripVTControlCharacters(line));
    expect(lines[0]).toMatch(/^anna {2}not running · balance \$1000\.00/);
    expect(lines.some((line) => line.startsWith('bert  not running · no balance yet'))).toBe(true);
  });

  it('check the strategies of each', async () => {
    const faulty = both.replace('anna: {}', 'anna: { strategies: ./hers }');
    const cwd = place({ 'magpie.yaml': faulty, 'hers/one.yaml': 'name: one\nprice: { max: cheap }\n' });
    const { code, out } = await run(cwd, 'check');
    expect(code).toBe(2);
    expect(out).toContain('hers/one.yaml:2:15');
    expect(out).toContain('2 strategies checked');
  });
});

/** Anna has bought twice and bert once in between; carl has never run. */
function bought(): string {
  const accounts = 'accounts: { anna: {}, bert: {}, carl: {} }\n';
  const cwd = place({ 'magpie.yaml': `${accounts}${onPlayMoney}` });
  const buy = (ledger: ReturnType<typeof freshLedger>, number: number, at: number): void => {
    const offer = listing({ id: String(number), price: number });
    settled(ledger, begun(ledger, number, at, { strategy: 'redlines', listing: offer }), outcomes.bought(`order-${number}`));
  };
  const [anna, bert] = ['anna', 'bert'].map((name) => freshLedger(join(cwd, 'data/accounts', name)));
  if (anna === undefined || bert === undefined) throw new Error('a ledger is missing');
  buy(anna, 1, NOON + 1_000);
  buy(bert, 2, NOON + 2_000);
  buy(anna, 3, NOON + 3_000);
  return cwd;
}

describe('the purchases of several accounts', () => {
  it('are one list, newest first, each with its account', async () => {
    const cwd = bought();
    const { code, out, err } = await run(cwd, 'purchases');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').map((line) => line.split(/\s+/, 2))).toEqual([
      ['account', 'id'],
      ['anna', '2'],
      ['bert', '1'],
      ['anna', '1'],
      [''],
      ['3', 'purchases:'],
      [''],
    ]);
    const rows = JSON.parse((await run(cwd, 'purchases', '--json')).out) as Record<string, unknown>[];
    expect(rows.map(({ account, listingId }) => [account, listingId])).toEqual([
      ['anna', '3'],
      ['bert', '2'],
      ['anna', '1'],
    ]);
    const own = JSON.parse((await run(cwd, 'purchases', '--json', '--account', 'bert')).out) as Record<string, unknown>[];
    expect(own).toEqual(rows.flatMap(({ account, ...row }) => (account === 'bert' ? [row] : [])));
    const newest = await run(cwd, 'purchases', '--limit', '2');
    expect(newest.out).toContain('There are older ones');
    expect(newest.out.match(/^(?:anna|bert) /gm)).toEqual(['anna ', 'bert ']);
  });

  it('are told to be incomplete where the ledger of one cannot be read', async () => {
    const cwd = bought();
    const folder = join(cwd, 'data/accounts/carl');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    const { code, out, err } = await run(cwd, 'purchases', '--json');
    expect([code, (JSON.parse(out) as unknown[]).length]).toEqual([1, 3]);
    expect(err).toMatch(/^carl is missing: .*magpie\.db/);
    expect((await run(cwd, 'export', 'purchases', '-o', 'all.csv')).code).toBe(1);
    expect(existsSync(join(cwd, 'all.csv'))).toBe(false);
  });

  it('are exported one account after the other, with a column behind those that a single account has', async () => {
    const cwd = bought();
    const one = (await run(cwd, 'export', 'purchases', '--account', 'anna')).out.split('\r\n');
    const all = (await run(cwd, 'export', 'purchases')).out.split('\r\n');
    expect(all.map((line) => line.split(',').at(-1))).toEqual(['account', 'anna', 'anna', 'bert', '']);
    expect(all.slice(0, 3).map((line) => line.replace(/,[^,]*$/, ''))).toEqual(one.slice(0, 3));
    const json = JSON.parse((await run(cwd, 'export', 'purchases', '--json')).out) as Record<string, unknown>[];
    expect(json.map(({ account, listingId }) => [account, listingId])).toEqual([
      ['anna', '1'],
      ['anna', '3'],
      ['bert', '2'],
    ]);
    const none = place({ 'magpie.yaml': both });
    const { code, err } = await run(none, 'export', 'purchases');
    expect([code, err]).toEqual([1, expect.stringContaining('There is no ledger in')]);
  });
});
