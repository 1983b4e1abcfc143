import { describe, expect, it } from 'vitest';
import { Bell } from '../../src/app/bell.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { Troubles } from '../../src/app/troubles.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

function ringing() {
  const clock = new VirtualClock(NOON);
  const ledger = freshLedger();
  const shown: unknown[] = [];
  const disk = { full: false };
  const log = {
    info: () => undefined,
    warn: (event: string, fields: object = {}) => void (event === 'alert' && shown.push(fields)),
    error: () => undefined,
  };
  const write = (): void => {
    if (disk.full) throw new JournalFailure('the disk is full');
  };
  const guard: JournalGuard = new JournalGuard({
    clock,
    post: () => undefined,
    log,
    probe: write,
    onTurn: (failing) => troubles.journal(failing),
  });
  const bell = new Bell(log, ledger, guard);
  const troubles = new Troubles(bell, clock);
  const kept = (): string[] => ledger.alerts(0, 99).map(({ kind, message, next }) => `${kind}: ${message} → ${next}`);
  /** Trials over as long as it takes at first. */
  const well = (): void => {
    guard.mend();
    clock.advanceSync(5_000);
    guard.mend();
  };
  return { well, clock, ledger, troubles, guard, disk, write, shown, kept, bell };
}

describe('a journal that cannot be written', () => {
  it('is well again only when trials succeed for a while, ever longer where it relapses, and is told of once', () => {
    const { guard, disk, write, shown, well, clock } = ringing();
    const failing = (): boolean => guard.failing !== undefined;
    disk.full = true;
    guard.attempt(write);
    disk.full = false;
    guard.mend();
    expect(failing(), 'one trial proves little').toBe(true);
    clock.advanceSync(4_000);
    disk.full = true;
    guard.mend();
    disk.full = false;
    clock.advanceSync(4_000);
    guard.mend();
    expect(failing(), 'a trial that failed begins it anew').toBe(true);
    clock.advanceSync(5_000);
    guard.mend();
    expect(failing()).toBe(false);
    disk.full = true;
    guard.attempt(write);
    disk.full = false;
    well();
    expect(failing(), 'twice as long after a relapse').toBe(true);
    clock.advanceSync(5_000);
    guard.mend();
    expect(failing()).toBe(false);
    expect(shown).toHaveLength(1);
    clock.advanceSync(11 * MINUTE);
    disk.full = true;
    guard.attempt(write);
    expect(shown, 'much later it is another trouble').toHaveLength(2);
  });

  it('is told of at once and once, and kept as soon as it can be written again, with what else rang meanwhile', () => {
    const { troubles, guard, disk, write, shown, kept, well } = ringing();
    disk.full = true;
    for (let tries = 0; tries < 3; tries++) guard.attempt(write);
    guard.mend();
    troubles.clock('it says 1970');
    expect(shown).toHaveLength(2);
    expect(kept()).toEqual([]);
    disk.full = false;
    well();
    expect(kept().reverse()).toMatchInlineSnapshot(`
      [
        "disk: The journal cannot be written: the disk is full → free disk space or repair the data folder; nothing is bought meanwhile",
        "clock: Nothing is bought while the clock cannot be trusted: it says 1970 → set the clock of this machine right, have NTP keep it, and start Magpie again: a run reads it once",
      ]
    `);
    expect(shown).toHaveLength(2);
  });
});

describe('the recording', () => {
  it('is told of when it pauses, once for each outage', () => {
    const { troubles, kept } = ringing();
    const paused = {
      kind: 'paused',
      at: NOON,
      code: 'SQLITE_FULL',
      message: 'the recording cannot be written: full',
      next: 'Free disk space.',
    } as const;
    troubles.recording(paused);
    troubles.recording({ ...paused, message: 'the recording cannot be written: still full' });
    expect(kept()).toEqual(['disk: Recording pauses: the recording cannot be written: full → Free disk space.']);
    troubles.recording({ kind: 'resumed', at: NOON + 1, since: NOON, lostPolls: 3 });
    troubles.recording(paused);
    expect(kept()).toHaveLength(2);
  });
});

describe('a service that asks us to slow down', () => {
  it('is no trouble for some seconds, is one for a minute, and a closed door always', () => {
    const { clock, troubles, kept, bell } = ringing();
    troubles.slowed(clock.now() + 30_000, { cause: 'rate', message: 'too many requests' });
    expect(kept()).toEqual([]);
    troubles.slowed(clock.now() + MINUTE, { cause: 'rate', message: 'too many requests' });
    troubles.slowed(clock.now() + 2 * MINUTE, { cause: 'rate', message: 'too many requests' });
    bell.again('slowed-down');
    troubles.slowed(clock.now() + 1_000, { cause: 'ban', message: 'forbidden' });
    expect(kept().reverse()).toMatchInlineSnapshot(`
      [
        "slowed-down: The service asks us to slow down until 2026-01-05T12:01:00.000Z: too many requests → lower rate.reads and rate.buys, or find out what else uses this key; Magpie goes on by itself",
        "slowed-down: The service shuts its door on this key until 2026-01-05T12:00:01.000Z: forbidden → look whether the key is still good, and whether anything else uses it; Magpie tries again by itself",
      ]
    `);
  });
});

describe('a halt', () => {
  it('that tripped is told of; a person’s own is not', () => {
    const { troubles, kept } = ringing();
    troubles.halted({ reason: 'enough for today', by: 'person', at: NOON });
    troubles.halted({ reason: '$10.80 was debited for purchase 1, $10.50 was expected', by: 'evidence', at: NOON });
    expect(kept()).toMatchInlineSnapshot(`
      [
        "halt: Buying has halted itself: $10.80 was debited for purchase 1, $10.50 was expected → look into it, then run \`magpie resume\`",
      ]
    `);
  });
});

describe('a clock that is wrong at the start', () => {
  it('is told of once, and again when it was right in between', () => {
    const { troubles, kept } = ringing();
    troubles.clock('this machine says 1970');
    troubles.clock('this machine says 1970 and a second');
    expect(kept()).toMatchInlineSnapshot(`
      [
        "clock: Nothing is bought while the clock cannot be trusted: this machine says 1970 → set the clock of this machine right, have NTP keep it, and start Magpie again: a run reads it once",
      ]
    `);
    troubles.clock(undefined);
    troubles.clock('this machine says 2099');
    expect(kept()).toHaveLength(2);
  });
});
