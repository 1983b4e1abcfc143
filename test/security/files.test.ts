import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Tape } from '../../src/replay/tape.ts';
import type { TapeTrouble } from '../../src/replay/trouble.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { freshPlace, offer, openExchange, startBot, tryBot } from '../app/stage.ts';
import { magpie, place } from '../cli/harness.ts';
import { START, Polls, entry } from '../support/feed-entries.ts';

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const mode = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

/** Every name below a folder with its mode, folders ended by a slash. */
function modesBelow(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries.map((found) => {
      const path = join(found.parentPath, found.name);
      return [path.slice(folder.length + 1) + (found.isDirectory() ? '/' : ''), mode(path)];
    }),
  );
}

/** As lenient as a shell may be set. */
function underOpenMask(): void {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
}

describe('what a run leaves on the disk', () => {
  it('is for its owner alone while it runs and afterwards, also where the shell is lenient [S29 S33]', async () => {
    underOpenMask();
    const exchange = await openExchange({ offers: [offer('1')] });
    const folder = freshPlace();
    const bot = await startBot({ place: folder, at: exchange });
    await bot.sees('a purchase', () => bot.purchases().length === 1);
    await bot.sees('a recording', () => existsSync(join(bot.data, 'recording.db-wal')));
    const { 'magpie.db': ledger, 'recording.db': tape, 'magpie.lock': lock, ...companions } = modesBelow(bot.data);
    expect({ folder: mode(bot.data), ledger, tape, lock }).toEqual({ folder: '700', ledger: '600', tape: '600', lock: '600' });
    expect(Object.keys(companions).sort()).toEqual(
      expect.arrayContaining(['magpie.db-shm', 'magpie.db-wal', 'recording.db-shm', 'recording.db-wal']),
    );
    expect(new Set(Object.values(companions))).toEqual(new Set(['600']));
    const locks = readdirSync(folder).filter((name) => name.endsWith('.lock'));
    expect(locks).toEqual([expect.stringMatching(/^magpie-[0-9a-f]{24}\.lock$/)]);
    expect(readFileSync(join(folder, locks[0] ?? '')).length).toBe(0);
    for (const name of locks) expect(mode(join(folder, name))).toBe('600');
    await bot.stop();
    expect(new Set(Object.values(modesBelow(bot.data)))).toEqual(new Set(['600']));
  });

  it('is nothing outside the data folder once it has stopped: the lock of the key is gone [S2]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const folder = freshPlace();
    const bot = await startBot({ place: folder, at: exchange, once: true });
    await bot.daemon.ended;
    expect(readdirSync(folder).sort()).toEqual(['data', 'magpie.yaml', 'strategies']);
  });

  it('is for its owner alone on play money too [S33]', async () => {
    underOpenMask();
    const folder = freshFolder();
    const dataFolder = join(folder, 'books');
    const exchange = await startSandbox({ seed: 1, listings: 5, balance: 10, speed: 1, dataFolder, clock: new SystemClock() });
    const modes = modesBelow(dataFolder);
    await exchange.close();
    expect(mode(dataFolder)).toBe('700');
    expect(new Set(Object.values(modes))).toEqual(new Set(['600']));
    expect(modes).toHaveProperty(['sandbox.db']);
  });
});

describe('a link where Magpie keeps something of its own', () => {
  const linked = ['', '-wal', '-shm', '-journal'];

  it.each(linked)('is not written through: recording.db%s [S33]', (suffix) => {
    const folder = freshFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, '');
    symlinkSync(victim, join(folder, `recording.db${suffix}`));
    const troubles: TapeTrouble[] = [];
    const tape = new Tape({
      ...{ path: join(folder, 'recording.db'), version: 'test', mode: 'live', startedAt: START },
      ...{ maxBytes: 2 ** 30, maxAgeMs: 2 ** 40, scrub: (text) => text, onTrouble: (trouble) => void troubles.push(trouble) },
    });
    tape.poll(new Polls().next([entry()]));
    tape.close(START + 1_000);
    expect(troubles).toMatchObject([{ kind: 'paused', code: 'REFUSED' }]);
    expect(readFileSync(victim, 'utf8')).toBe('');
    expect(readdirSync(folder).sort()).toEqual([`recording.db${suffix}`, 'victim'].sort());
  });

  it.each(linked)('is not written through: sandbox.db%s [S33]', async (suffix) => {
    const folder = freshFolder();
    const victim = join(folder, 'victim');
    writeFileSync(victim, '');
    symlinkSync(victim, join(folder, `sandbox.db${suffix}`));
    const started = startSandbox({ seed: 1, listings: 5, balance: 10, speed: 1, dataFolder: folder, clock: new SystemClock() });
    await expect(started).rejects.toThrow(/must be a plain file, not a link/);
    expect(readFileSync(victim, 'utf8')).toBe('');
    expect(readdirSync(folder).sort()).toEqual([`sandbox.db${suffix}`, 'victim'].sort());
  });

  it('stops a start: the folder, the ledger or its lock [S33]', async () => {
    const exchange = await openExchange({ offers: [] });
    for (const name of ['data', 'data/magpie.db', 'data/magpie.db-wal', 'data/magpie.lock', 'data/magpie.lock-journal']) {
      const folder = freshPlace();
      const victim = join(folder, 'victim');
      if (name === 'data') mkdirSync(victim);
      else {
        mkdirSync(join(folder, 'data'));
        writeFileSync(victim, '');
      }
      symlinkSync(victim, join(folder, name));
      const tried = await tryBot({ place: folder, at: exchange });
      expect({ name, ...tried }).toMatchObject({
        name,
        ok: false,
        exitCode: 1,
        message: expect.stringContaining('link') as string,
      });
      expect(name === 'data' ? readdirSync(victim) : [readFileSync(victim, 'utf8')]).toEqual(name === 'data' ? [] : ['']);
    }
  });

  it('stops commands that change something, and those that read [S33]', async () => {
    const cwd = place();
    mkdirSync(join(cwd, 'data'));
    const victim = join(cwd, 'victim');
    writeFileSync(victim, '');
    symlinkSync(victim, join(cwd, 'data', 'magpie.db'));
    for (const command of [
      ['halt', '--reason', 'x'],
      ['resume'],
      ['status'],
      ['purchases'],
      ['resolve', '1', '--as', 'bought', '--reason', 'x'],
    ]) {
      const { code, err } = await magpie([...command, '--config', 'magpie.yaml'], { cwd });
      expect({ command, code, err }).toEqual({
        command,
        code: 1,
        err: expect.stringContaining('must be a plain file') as string,
      });
    }
    expect(readFileSync(victim, 'utf8')).toBe('');
  });
});

describe('a configuration that holds keys', () => {
  it('is warned of where others may read it, by check and at the start [S5 S33]', async () => {
    const keys = 'account: { apiKey: "key-that-others-may-read" }\n';
    const cwd = place({ 'open.yaml': `service: { baseUrl: "http://127.0.0.1:9" }\n${keys}strategies: ./strategies\n` });
    chmodSync(join(cwd, 'open.yaml'), 0o644);
    for (const command of [
      ['check', 'open.yaml'],
      ['run', '--for', '1ms', '--config', 'open.yaml'],
    ]) {
      const { err, out } = await magpie(command, { cwd, clock: new SystemClock() });
      expect(out + err).toContain('stands in a file that other users of this machine may read → chmod 600 open.yaml');
      expect(out + err).not.toContain('key-that-others-may-read');
    }
  });
});
