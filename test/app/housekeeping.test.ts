import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Housekeeping, type HousekeepingOptions } from '../../src/app/housekeeping.ts';
import { backUpLedger } from '../../src/ledger/backup.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, freshFolder, freshLedger, raw } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { freshPlace, offer, openExchange, startBot } from './stage.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

interface House {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly clock: VirtualClock;
  /** What was told, in order; `over` for a trouble that has passed. */
  readonly told: string[];
  readonly backups: () => string[];
  /** Lets time pass, and what then is due come to its end. */
  passes(ms: number): Promise<void>;
}

function house(given: Partial<HousekeepingOptions['settings']> = {}): House {
  const folder = freshFolder();
  const ledger = freshLedger(folder);
  const clock = new VirtualClock(NOON);
  const told: string[] = [];
  const tell = (what: string) => (words: string | undefined) => void told.push(`${what}: ${words ?? 'over'}`);
  const keep = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      told.push(`journal: ${String(error)}`);
      return undefined;
    }
  };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const settings = { data: folder, backup: { everyMs: DAY, keep: 2 }, disk: { minFreeBytes: 0 }, ...given };
  const troubles = { space: tell('space'), backup: tell('backup'), check: tell('check') };
  const onDefect = (error: unknown): void => void told.push(`defect: ${String(error)}`);
  const keeping = new Housekeeping({ core: { troubles, keep }, ledger, clock, log, settings, onDefect });
  const stopping = new AbortController();
  onTestFinished(async () => {
    stopping.abort();
    await keeping.finished();
  });
  keeping.start(stopping.signal);
  const backups = (): string[] => {
    const place = join(folder, 'backups');
    return existsSync(place) ? readdirSync(place).toSorted() : [];
  };
  const passes = async (ms: number): Promise<void> => {
    // Looks follow each other: the next is due a minute after the one before has ended.
    if (ms > MINUTE) await clock.advance(ms - MINUTE);
    await keeping.finished();
    await clock.advance(MINUTE);
    await keeping.finished();
  };
  return { folder, ledger, clock, told, backups, passes };
}

describe('scheduled backups', () => {
  it('are made a minute after the first start, then each day, and the newest are kept', async () => {
    const { backups, passes, told } = house();
    await passes(3 * MINUTE);
    expect(backups()).toEqual([expect.stringMatching(/^scheduled-2026-01-05T12-0\d-\d\dZ\.db$/) as string]);
    await passes(DAY / 2);
    expect(backups()).toHaveLength(1);
    for (const _ of [1, 2, 3]) await passes(DAY);
    expect(backups()).toHaveLength(2);
    expect(backups()[0]).toMatch(/^scheduled-2026-01-0[78]T/);
    expect(new Set(told)).toEqual(new Set(['space: over', 'backup: over', 'check: over']));
  });

  it('that a clock far ahead has dated do not take the place of the newest, and none is made each minute for that', async () => {
    const { folder, backups, passes } = house();
    const ahead = ['scheduled-2036-01-05T12-00-00Z.db', 'scheduled-2036-01-06T12-00-00Z.db'];
    mkdirSync(join(folder, 'backups'), { mode: 0o700 });
    for (const name of ahead) writeFileSync(join(folder, 'backups', name), '', { mode: 0o600 });
    await passes(3 * MINUTE);
    const first = backups();
    expect(first).toEqual([expect.stringMatching(/^scheduled-2026-/), ahead[1]]);
    await passes(DAY / 2);
    expect(backups()).toEqual(first);
    await passes(DAY);
    expect(backups()).toEqual([expect.stringMatching(/^scheduled-2026-01-07T/), ahead[1]]);
  });

  it('are due by what lies there, whichever process made it, and those of a person are left alone', async () => {
    const { folder, backups, passes } = house();
    mkdirSync(join(folder, 'backups'));
    await backUpLedger(folder, join(folder, 'backups', 'magpie-2020-01-01T00-00-00Z.db'));
    for (const name of ['2026-01-01T00-00-00', '2026-01-02T00-00-00', '2026-01-05T00-00-00', '2033-01-01T00-00-00'])
      writeFileSync(join(folder, 'backups', `scheduled-${name}Z.db`), name);
    writeFileSync(join(folder, 'backups', 'scheduled-2026-01-02T00-00-00Z.db.77.part'), 'killed');
    await passes(3 * MINUTE);
    expect(backups()).toHaveLength(6);
    await passes(DAY / 2);
    expect(backups()).toEqual([
      'magpie-2020-01-01T00-00-00Z.db',
      expect.stringMatching(/^scheduled-2026-01-06T/) as string,
      'scheduled-2033-01-01T00-00-00Z.db',
    ]);
  });

  it('that fail are told and tried again an hour later, and older ones stay until one is whole', async () => {
    const { folder, backups, passes, told } = house();
    await passes(3 * MINUTE);
    const [first = ''] = backups();
    const whole = readFileSync(join(folder, 'backups', first));
    rmSync(join(folder, 'backups'), { recursive: true });
    writeFileSync(join(folder, 'backups'), 'no folder');
    told.length = 0;
    await passes(DAY);
    await passes(30 * MINUTE);
    const failed = new Set(told.filter((words) => words.startsWith('backup:')));
    expect([...failed]).toEqual([expect.stringContaining('backups') as string]);
    rmSync(join(folder, 'backups'));
    mkdirSync(join(folder, 'backups'));
    writeFileSync(join(folder, 'backups', first), whole);
    await passes(45 * MINUTE);
    expect(told.findLast((words) => words.startsWith('backup:'))).toBe('backup: over');
    expect(backups()).toHaveLength(2);
  });

  it('are not made where the configuration says so', async () => {
    const { backups, passes } = house({ backup: undefined });
    await passes(2 * DAY);
    expect(backups()).toEqual([]);
  });

  it('are left out while less is free than there should be, which is told before the disk is full', async () => {
    const { backups, passes, told } = house({ disk: { minFreeBytes: 1e18 } });
    await passes(3 * MINUTE);
    const words = /^space: .* free at .*, less than disk\.minFree \(1000000000\.0 GB\)$/;
    expect([...new Set(told)]).toEqual([expect.stringMatching(words) as string]);
    expect(backups()).toEqual([]);
  });
});

describe('the nightly check', () => {
  it('closes a ledger that is damaged where nobody has looked, and says what is wrong [P19]', async () => {
    const { folder, ledger, passes, told } = house({ backup: undefined });
    begun(ledger, 1);
    await passes(DAY + MINUTE);
    expect(told.filter((words) => words.startsWith('check:'))).toEqual(['check: over']);
    const db = raw(folder);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'orders'").pluck().get() as number;
    db.close();
    // By another program: a file that is closed here takes the locks of the ledger along.
    const where = [`of=${join(folder, 'magpie.db')}`, 'bs=4096', `seek=${root - 1}`, 'count=1', 'conv=notrunc'];
    execFileSync('dd', ['if=/dev/zero', ...where], { stdio: 'ignore' });
    await passes(DAY + 2 * MINUTE);
    expect(told.find((words) => words.startsWith('journal:'))).toMatch(
      /^journal: .*magpie\.db: it is damaged \(.*\); restart Magpie after that$/,
    );
    expect(() => begun(ledger, 2)).toThrow('it is damaged');
  });
});

describe('a daemon', () => {
  it('says once that the disk is nearly full, with what to do', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { disk: { minFree: '10TB' } } });
    await bot.says('ALERT     The disk is nearly full');
    expect(bot.text).toContain('→ free disk space');
  });
});
