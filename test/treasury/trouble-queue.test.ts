import { describe, expect, it, onTestFinished } from 'vitest';
import type { Trouble } from '../../src/treasury/decide/troubles.ts';
import { openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import { TroubleQueue } from '../../src/treasury/trouble-queue.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOUR = 3_600_000;

function journalIn(folder: string): TreasuryJournal {
  const opened = openToWrite(folder);
  if (!opened.ok) throw new Error(opened.fault.message);
  const journal = new TreasuryJournal(opened.value);
  onTestFinished(() => journal.close());
  return journal;
}

function trouble(mark: string): Trouble {
  return { mark, at: NOON, message: `it is ${mark}`, next: 'mend it' };
}

/** A channel's queue in a folder; `stands` says what stands. */
function scene() {
  const folder = freshFolder();
  const clock = new VirtualClock();
  let standing: readonly Trouble[] | undefined = [];
  const start = (channel = 'discord', by = clock): TroubleQueue =>
    new TroubleQueue(channel, journalIn(folder), by, () => standing);
  const stands = (...marks: string[]): void => {
    standing = marks.map(trouble);
  };
  const notLooked = (): void => {
    standing = undefined;
  };
  return { clock, start, stands, notLooked };
}

const shown = (queue: TroubleQueue): string[] =>
  (queue.waiting()?.groups ?? []).flatMap(({ newest }) => newest.map(({ message }) => message));

describe('what waits to be told of the treasury', () => {
  it('waits until the channel has taken it, and is told once while it stands, across starts too', () => {
    const { start, stands } = scene();
    const queue = start();
    stands('halted', 'short');
    expect(shown(queue)).toEqual(['it is halted', 'it is short']);
    expect(shown(queue)).toEqual(['it is halted', 'it is short']);
    queue.waiting()?.told();
    expect(queue.waiting()).toBeUndefined();
    expect(start().waiting()).toBeUndefined();
    stands('halted', 'short', 'unread');
    expect(shown(start())).toEqual(['it is unread']);
  });

  it('is each channel’s own', () => {
    const { start, stands } = scene();
    stands('halted');
    start().waiting()?.told();
    expect(shown(start('telegram'))).toEqual(['it is halted']);
  });

  it('is told anew when it has passed and comes again, and at the earliest six hours after it was told: never a flood', () => {
    const { clock, start, stands } = scene();
    const queue = start();
    stands('short');
    queue.waiting()?.told();
    for (let hour = 0; hour < 5; hour++) {
      clock.advanceSync(HOUR);
      stands();
      expect(queue.waiting()).toBeUndefined();
      stands('short');
      expect(queue.waiting()).toBeUndefined();
    }
    clock.advanceSync(HOUR);
    stands();
    expect(queue.waiting()).toBeUndefined();
    stands('short');
    expect(shown(queue)).toEqual(['it is short']);
  });

  it('that stood when the process before ended, and stands in the first round of this one, is told no second time', () => {
    const { clock, start, stands, notLooked } = scene();
    stands('halted');
    start().waiting()?.told();
    clock.advanceSync(72 * HOUR);
    notLooked();
    const queue = start();
    expect(queue.waiting()).toBeUndefined();
    stands('halted');
    expect(queue.waiting()).toBeUndefined();
  });

  it('that passed long ago, in an earlier process, is news when it comes again', () => {
    const { clock, start, stands } = scene();
    const queue = start();
    stands('short');
    queue.waiting()?.told();
    clock.advanceSync(7 * HOUR);
    stands();
    expect(queue.waiting()).toBeUndefined();
    stands('short');
    expect(shown(start())).toEqual(['it is short']);
  });

  it('that was told when the clock was far ahead is held no longer than others', () => {
    const { clock, start, stands } = scene();
    clock.advanceSync(90 * 24 * HOUR);
    const ahead = start();
    stands('short');
    ahead.waiting()?.told();
    const now = start('discord', new VirtualClock());
    stands();
    expect(now.waiting()).toBeUndefined();
    stands('short');
    expect(shown(now)).toEqual(['it is short']);
  });

  it('that stands for days is not told again', () => {
    const { clock, start, stands } = scene();
    const queue = start();
    stands('halted');
    queue.waiting()?.told();
    clock.advanceSync(72 * HOUR);
    expect(queue.waiting()).toBeUndefined();
  });
});
