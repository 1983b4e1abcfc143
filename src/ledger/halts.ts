import type { EpochMs } from '../domain/clock.ts';
import type { Halt, Journal } from '../engine/journal.ts';
import { createMeta } from './meta.ts';
import type { Store } from './store.ts';

interface HaltRow {
  readonly reason: string;
  readonly by_whom: string;
  readonly at: EpochMs;
}

export interface Halts extends Pick<Journal, 'halt' | 'resume' | 'halted'> {
  /** Every halt that stands, the first cause first. A resume ends them all. */
  standingHalts(): readonly Halt[];
  /** When a person last resumed; undefined when never. */
  resumedAt(): EpochMs | undefined;
  /** As `halted`, from the file that commands write to: throws JournalFailure where another has taken its place or it cannot be trusted. */
  haltedOnDisk(): Halt | undefined;
  /** Grows with each resume that ended a halt, whatever the clock says; 0 before the first. */
  resumes(): number;
}

export interface HaltWriter extends Halts {
  /** The halt as part of a transaction that is already running. The same cause is not written twice while it stands. */
  write(reason: string, by: string, now: EpochMs): Halt;
}

/**
 * Halts that stand, and those that stood. The first cause is the one that is shown: what tripped must not be hidden by a halt
 * that a person adds to it.
 */
export function createHalts(store: Store): HaltWriter {
  const standing = store.reading<[], HaltRow>('SELECT reason, by_whom, at FROM halts WHERE resumed_at IS NULL ORDER BY id');
  const insert = store.writing<[string, string, EpochMs]>('INSERT INTO halts (reason, by_whom, at) VALUES (?, ?, ?)');
  const end = store.writing<[EpochMs]>('UPDATE halts SET resumed_at = ? WHERE resumed_at IS NULL');
  const lastResumed = store.value<[], EpochMs | null>('SELECT max(resumed_at) FROM halts');
  const newestEnded = store.value<[], number | null>('SELECT max(id) FROM halts WHERE resumed_at IS NOT NULL');
  const newestEvidence = store.value<[], number | null>('SELECT max(seq) FROM evidence');
  const meta = createMeta(store);
  const standingHalts = (): Halt[] => standing.all().map(({ reason, by_whom, at }) => ({ reason, by: by_whom, at }));
  const write = (reason: string, by: string, now: EpochMs): Halt => {
    const same = standingHalts().find((halt) => halt.reason === reason && halt.by === by);
    if (same) return same;
    insert(reason, by, now);
    return { reason, by, at: now };
  };
  return {
    write,
    halt: (reason, by, now) => store.transaction('halt', () => write(reason, by, now)),
    resume: (now) =>
      store.transaction('resume', () => {
        // Whoever resumes goes by another clock than the daemon's steady one: what came after is told by its place.
        if (end(now).changes > 0) meta.set('resumedSeq', newestEvidence() ?? 0);
      }),
    halted: () => standingHalts()[0],
    haltedOnDisk() {
      store.assertSound();
      return standingHalts()[0];
    },
    standingHalts,
    resumedAt: () => lastResumed() ?? undefined,
    // A resume ends all that stand, and those are younger than all that were ended before.
    resumes: () => newestEnded() ?? 0,
  };
}
