import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  fstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isReserved } from '../../src/domain/purchase.ts';
import { Hardship, mountSmall, remount } from './hardship.ts';

const timeout = 300_000;

describe('a daemon that buys, and its disk', () => {
  it(
    'is full: nothing is bought, killed or not, and all goes on when there is room again [P17 unattended-4]',
    { timeout },
    async ({ annotate }) => {
      let isMounted = false;
      const hardship = await Hardship.open(41, (data) => void (isMounted = mountSmall(data, 32 * 1024 * 1024)));
      await annotate(isMounted ? 'on a file system of 32 MiB' : 'no mount is allowed here: with a limit on the size of files');
      const { daemon } = hardship;
      daemon.start();
      await hardship.buys(8);
      const freed = isMounted ? fill(daemon.data) : limitFiles(daemon.pid, daemon.data);
      await hardship.says('nothing is bought meanwhile');
      expect(daemon.text).toContain('the disk is full: free some space');
      expect(await hardship.buysWithin(3_000)).toBe(0);
      expect(daemon.isRunning).toBe(true);
      await daemon.kill();
      freed.onceMore();
      if (isMounted) {
        // A start on a full disk: it may say so and end, or stay up; it buys nothing.
        const before = await hardship.posts();
        await hardship.failsToStart();
        expect(await hardship.posts()).toBe(before);
      }
      freed.free();
      daemon.start();
      await hardship.buys(5);
      expect(await hardship.differences()).toEqual([]);
    },
  );

  it(
    'is locked by another process for long: nothing is bought, and what to do is said; killed and started meanwhile, too [P18 unattended-5]',
    { timeout },
    async () => {
      const hardship = await Hardship.open(42);
      const { daemon } = hardship;
      daemon.start();
      await hardship.buys(8);
      const locker = new Database(join(daemon.data, 'magpie.db'), { timeout: 10_000 });
      onTestFinished(() => void locker.close());
      locker.exec('BEGIN EXCLUSIVE');
      await hardship.says('nothing is bought meanwhile');
      expect(daemon.text).toContain('another program has locked it: stop that program');
      expect(await hardship.buysWithin(8_000)).toBe(0);
      expect(daemon.isRunning).toBe(true);
      await daemon.kill();
      const before = await hardship.posts();
      const { code, words } = await hardship.failsToStart();
      expect({ code, says: words.includes('another program has locked it: stop that program') }).toEqual({ code: 1, says: true });
      expect(await hardship.posts()).toBe(before);
      locker.exec('ROLLBACK');
      daemon.start();
      await hardship.buys(5);
      expect(await hardship.differences()).toEqual([]);
    },
  );

  it(
    'can only be read: whether it starts or not, it says what to check, and buys nothing [P21]',
    { timeout },
    async ({ annotate }) => {
      let isMounted = false;
      const hardship = await Hardship.open(43, (data) => void (isMounted = mountSmall(data, 64 * 1024 * 1024)));
      const { daemon } = hardship;
      const isRoot = process.getuid?.() === 0;
      // To root every file can be written, unless its file system cannot.
      expect(isMounted || !isRoot, 'root that may not mount can make nothing read-only').toBe(true);
      await annotate(isMounted ? 'a file system that is mounted read-only' : 'files and folder that may only be read');
      daemon.start();
      await hardship.buys(8);
      await daemon.kill();
      const before = await hardship.posts();
      const readOnly = (yes: boolean): void => {
        if (isMounted) return remount(daemon.data, yes ? 'ro' : 'rw');
        for (const name of readdirSync(daemon.data)) chmodSync(join(daemon.data, name), yes ? 0o400 : 0o600);
        chmodSync(daemon.data, yes ? 0o500 : 0o700);
      };
      readOnly(true);
      const { words } = await hardship.failsToStart();
      readOnly(false);
      expect(words).toContain('check its owner, its permissions and the file system');
      expect(await hardship.posts()).toBe(before);
      daemon.start();
      await hardship.buys(5);
      expect(await hardship.differences()).toEqual([]);
    },
  );
});

describe('a ledger that was damaged while nobody ran', () => {
  it(
    'in pages of its file: it does not start, names the steps, and goes on from the backup that they ask for [P19]',
    { timeout },
    async () => {
      const hardship = await Hardship.open(44);
      const { daemon } = hardship;
      daemon.start();
      await hardship.buys(12);
      expect(await daemon.stop()).toBe(0);
      const backup = `${daemon.data}.backup`;
      cpSync(daemon.data, backup, { recursive: true });
      const before = await hardship.posts();
      const path = join(daemon.data, 'magpie.db');
      for (let page = 2; page * 4_096 < statSync(path).size; page += 3) garble(path, page * 4_096 + 100, 1_000);
      const { code, words } = await hardship.failsToStart();
      expect(code).toBe(1);
      expect(words).toContain('damaged');
      expect(words).toMatch(/→ .*backup/);
      expect(await hardship.posts()).toBe(before);
      rmSync(daemon.data, { recursive: true });
      cpSync(backup, daemon.data, { recursive: true });
      daemon.start();
      await hardship.buys(5);
      expect(await hardship.differences()).toEqual([]);
    },
  );

  it.each([
    ['garbled', 'halts', (wal: string) => garble(wal, Math.floor(statSync(wal).size / 2), 10_000)],
    // So a power cut leaves it: what is gone was promised to nobody.
    ['cut off', 'goes on', (wal: string) => truncateSync(wal, Math.floor(statSync(wal).size / 2) + 17)],
    ['garbled at its head', 'halts', (wal: string) => garble(wal, 8, 16)],
  ])(
    'in its write-ahead log (%s): it %s, what is forgotten is found at the service and counted, and nothing is bought twice [P19 P20]',
    { timeout },
    async (_, does, damage) => {
      const hardship = await Hardship.open(45);
      const { daemon, exchange } = hardship;
      daemon.start();
      await hardship.buys(5);
      // Whatever the log held by then is in the file itself.
      expect(await daemon.stop()).toBe(0);
      daemon.start();
      await hardship.buys(12);
      await daemon.kill();
      damage(join(daemon.data, 'magpie.db-wal'));
      daemon.start();
      if (does === 'halts') {
        await hardship.says('the ledger has lost what it wrote last');
        expect(await hardship.buysWithin(3_000)).toBe(0);
        expect((await daemon.command('resume')).code).toBe(0);
      } else await hardship.says('buying is open');
      await hardship.buys(5);
      // What the log had kept is gone, so those orders are nobody's: adopted, told of, and in the caps. Nothing else may differ.
      expect(await hardship.differences(isForgotten)).toEqual([]);
      const adopted = daemon.look((ledger) => ledger.adoptedOrders()) ?? [];
      const owned = new Set((await daemon.purchases()).map(({ serviceOrderId }) => serviceOrderId));
      // Nobody's for now is what a purchase of the same goods may have made of which nobody can say yet whether it was bought.
      const doubtful = new Set(
        daemon.look((ledger) =>
          ledger
            .purchases()
            .filter(isReserved)
            .map(({ itemId }) => itemId),
        ),
      );
      const lost = (await exchange.books()).orders.filter(
        ({ id, itemId }) => !owned.has(id) && !adopted.some(({ orderId }) => orderId === id) && !doubtful.has(itemId),
      );
      expect(lost).toEqual([]);
    },
  );
});

/** Differences that a purchase makes whose row the damage took. */
function isForgotten(words: string, all: readonly string[]): boolean {
  if (/was asked for by a buy of ours and is adopted as somebody else’s/.test(words)) return true;
  if (/is lost: its purchases are not on record/.test(words) || forgottenListing(words) !== undefined) return true;
  // The row that is left of a listing takes the order that a forgotten one made, at the price of another moment: wear and number agree.
  const [, market, listing] =
    /^purchase .*, (\w+) (\d+), .* was sent at another price than/.exec(words) ??
    /^order \w+ of listing (\w+):(\d+) was made at/.exec(words) ??
    [];
  return all.some((other) => forgottenListing(other) === `${market}:${listing}`);
}

/** The listing that was asked for more often than there are rows. */
function forgottenListing(words: string): string | undefined {
  return /buys of listing (\S+) arrived, with \d+ purchases on record before them/.exec(words)?.[1];
}

function garble(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+');
  const length = Math.min(bytes, fstatSync(file).size - at);
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, at);
  closeSync(file);
}

interface Filled {
  /** What a process that is started anew must be given as well. */
  onceMore(): void;
  free(): void;
}

/** Fills the file system of a folder to its last block. */
function fill(folder: string): Filled {
  const filler = join(folder, 'filler');
  const more = (): void => {
    for (const size of [65_536, 4_096, 512]) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch {
        // Nothing of this size fits any more.
      }
    }
  };
  more();
  return { onceMore: more, free: () => rmSync(filler) };
}

/** No file of the process may grow beyond what the ledger holds now: what a full disk looks like to one process. */
function limitFiles(pid: number, data: string): Filled {
  const size = statSync(join(data, 'magpie.db')).size;
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${Math.min(size, 8_192)}:unlimited`]);
  return { onceMore: () => undefined, free: () => undefined };
}
