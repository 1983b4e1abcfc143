import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { openReader } from '../../src/ledger/open.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, magpie, onPlayMoney, place } from './harness.ts';

const named = (...names: readonly string[]): string =>
  `accounts: { ${names.map((name) => `${name}: {}`).join(', ')} }\n${onPlayMoney}`;

function haltOf(cwd: string, ...path: readonly string[]): string | undefined {
  const reader = openReader(join(cwd, 'data', ...path));
  if (!reader.ok) return undefined;
  const halt = reader.value.standingHalts()[0];
  reader.value.close();
  return halt?.reason;
}

const ofBoth = (cwd: string): readonly (string | undefined)[] => ['anna', 'bert'].map((name) => haltOf(cwd, 'accounts', name));

function held(folder: string): void {
  const lock = acquireFolderLock(folder);
  if (!lock.ok) throw new Error(lock.fault.message);
  onTestFinished(() => lock.lock.release());
}

/** As beside a process that was started with both accounts, whatever the file says by now. */
function running(text: string, ...names: readonly string[]): string {
  const cwd = place({ 'magpie.yaml': text });
  held(join(cwd, 'data'));
  for (const name of names.length === 0 ? ['anna', 'bert'] : names) {
    freshLedger(join(cwd, 'data/accounts', name));
    held(join(cwd, 'data/accounts', name));
  }
  return cwd;
}

function run(cwd: string, ...args: string[]): Promise<Ran> {
  return magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new VirtualClock(NOON) });
}

const halt = (cwd: string, ...more: string[]): Promise<Ran> => run(cwd, 'halt', '--reason', 'stop all', ...more);

describe('a halt of all', () => {
  it('reaches an account that was taken out of the file while it runs', async () => {
    const cwd = running(named('anna'));
    const { code, out, err } = await halt(cwd);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Halting all accounts: stop all
        anna: halted
        bert: halted; it is at work, though the configuration does not name it
      Configuration magpie.yaml, data folder data
      → \`magpie resume --config magpie.yaml --account NAME\` lets one of them buy again
      "
    `);
    expect(ofBoth(cwd)).toEqual(['stop all', 'stop all']);
  });

  it.each(['bert: ', 'bert: ${UNSET}', 'bert: [1]', 'bert: { limitz: {} }'])(
    'reaches an account whose block is faulty: %s',
    async (block) => {
      const text = named('anna').replace('{ anna: {} }', `\n  anna: {}\n  ${block}`);
      const cwd = running(text);
      const { code, out } = await halt(cwd);
      expect([code, ofBoth(cwd)]).toEqual([2, ['stop all', 'stop all']]);
      expect(out).toContain('  bert: halted\n');
      // It is named, though nothing is known of it.
      const fresh = place({ 'magpie.yaml': text });
      await halt(fresh);
      expect(ofBoth(fresh)).toEqual(['stop all', 'stop all']);
    },
  );

  it('reaches the accounts below the data folder where the file no longer says which there are, running or not', async () => {
    const text = `accounts: \${UNSET}\n${onPlayMoney}`;
    const busy = running(text);
    const idle = place({ 'magpie.yaml': text });
    for (const name of ['anna', 'bert']) freshLedger(join(idle, 'data/accounts', name));
    for (const cwd of [busy, idle]) {
      const { code, out } = await halt(cwd);
      expect([code, ofBoth(cwd)]).toEqual([2, ['stop all', 'stop all']]);
      // Nobody would look at a ledger that was made there now.
      expect(existsSync(join(cwd, 'data/magpie.db'))).toBe(false);
      expect(out).not.toMatch(/starts halted|The daemon buys nothing/);
    }
  });

  it.each([`accounts: \${UNSET}\n${onPlayMoney}`, onPlayMoney, named('anna', 'bert')])(
    'takes a ledger of the data folder itself for one of several that may be at work: %s',
    async (text) => {
      const cwd = running(text);
      freshLedger(join(cwd, 'data'));
      const { out } = await halt(cwd);
      expect([...ofBoth(cwd), haltOf(cwd)]).toEqual(['stop all', 'stop all', 'stop all']);
      expect(out).toContain('  the data folder itself: halted\n');
      expect(out).not.toContain('The daemon buys nothing');
    },
  );

  it('makes no ledger for an account alone where what runs serves several, and one where nothing runs', async () => {
    const busy = running(onPlayMoney);
    expect((await halt(busy)).code).toBe(0);
    expect([ofBoth(busy), existsSync(join(busy, 'data/magpie.db'))]).toEqual([['stop all', 'stop all'], false]);
    const idle = place({ 'magpie.yaml': onPlayMoney });
    freshLedger(join(idle, 'data/accounts/anna'));
    const { code, out } = await halt(idle);
    expect([code, haltOf(idle), haltOf(idle, 'accounts/anna')]).toEqual([0, 'stop all', 'stop all']);
    expect(out).toContain('  anna: halted; it is not running, and the configuration does not name it\n');
    expect(out).toContain('  the data folder itself: halted; it is not running, and starts halted\n');
  });

  it('ends with another code than 0 where one could not be halted, or nobody can say which there are', async () => {
    const cwd = running(named('anna'), 'anna');
    const broken = join(cwd, 'data/accounts/bert');
    mkdirSync(broken, { mode: 0o700 });
    writeFileSync(join(broken, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    const { code, out, err } = await halt(cwd);
    expect([code, out.includes('  anna: halted\n')]).toEqual([1, true]);
    expect(err).toContain('  bert: NOT HALTED: ');
    const unread = place({ 'magpie.yaml': onPlayMoney });
    freshLedger(join(unread, 'data'));
    symlinkSync('accounts', join(unread, 'data/accounts'));
    const other = await halt(unread);
    expect([other.code, haltOf(unread)]).toEqual([1, 'stop all']);
    expect(other.err).toContain('  any other account: NOT HALTED: which there are cannot be read: ');
  });

  it('halts one by name that the file does not name any more, and no other', async () => {
    const cwd = running(named('anna'));
    const { out } = await halt(cwd, '--account', 'bert');
    expect(ofBoth(cwd)).toEqual([undefined, 'stop all']);
    expect(out).toContain('The daemon buys nothing from now on');
    const nobody = await halt(cwd, '--account', '../accounts/anna');
    expect([nobody.code, ofBoth(cwd)]).toEqual([2, [undefined, 'stop all']]);
    expect(nobody.err).toContain('NOTHING WAS HALTED. → leave --account out');
  });
});

describe('what shows all accounts', () => {
  const left = 'Left out: 1 account in the data folder that the configuration does not name: bert (at work)\n';

  it('says which it leaves out', async () => {
    const cwd = running(named('anna'));
    expect((await run(cwd, 'status')).out).toContain(left);
    for (const words of [['status', '--json'], ['purchases'], ['purchases', '--json'], ['export', 'purchases']]) {
      const { code, err } = await run(cwd, ...words);
      expect({ words, code, err }).toEqual({ words, code: 0, err: left });
    }
    expect((await run(cwd, 'status', '--account', 'anna')).out).not.toContain('Left out');
    const all = await run(running(named('anna', 'bert')), 'status');
    expect(all.out).not.toContain('Left out');
  });

  it('finds a process alive whose accounts the file does not name any more', async () => {
    for (const text of [named('carl'), onPlayMoney]) {
      const cwd = running(text);
      expect((await run(cwd, 'status', '--alive')).code).toBe(1);
      freshLedger(join(cwd, 'data/accounts/bert')).saveHeartbeat({
        ...{ at: NOON - 1_000, startedAt: NOON - 90_000, pid: 1, version: '1', mode: 'live' },
        ...{ listings: 0, matching: 0, bad: 0, blockers: [] },
      });
      expect((await run(cwd, 'status', '--alive')).code).toBe(0);
    }
  });

  it('is no resume of accounts that are not named', async () => {
    const cwd = running(onPlayMoney);
    const alone = freshLedger(join(cwd, 'data'));
    for (const name of ['anna', 'bert']) freshLedger(join(cwd, 'data/accounts', name)).halt('odd', 'person', NOON);
    alone.halt('odd', 'person', NOON);
    const { code, out } = await run(cwd, 'resume');
    expect([code, haltOf(cwd), ...ofBoth(cwd)]).toEqual([0, undefined, 'odd', 'odd']);
    expect(out).toContain('does not name: anna (at work), bert (at work). Their halts stand.');
  });
});
