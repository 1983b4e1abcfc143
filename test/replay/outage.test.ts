import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Tape } from '../../src/replay/tape.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { reading, recordingPath, rows, standingByEvents, tapeAt } from './recording.ts';

/** Someone else who writes into the recording for as long as the test likes. */
class Intruder {
  readonly #db: Database.Database;

  constructor(path: string) {
    this.#db = new Database(path);
  }

  lock(): void {
    if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
  }

  unlock(): void {
    if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
  }

  leave(): void {
    this.unlock();
    this.#db.close();
  }
}

/** Polls the same thing for `seconds` seconds. */
function pollOn(tape: Tape, polls: Polls, listings: readonly unknown[], seconds: number): void {
  for (let second = 0; second < seconds; second++) tape.poll(polls.next(listings));
}

describe('a recording that cannot be written', () => {
  it('pauses, says so once, goes on when it can, and says what is missing', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '1' }), entry({ id: '2' })]));
    const intruder = new Intruder(path);
    intruder.lock();
    tape.input('balance', START, { amount: 1 as never, beganAt: 1, endedAt: 2 });
    tape.poll(polls.next([entry({ id: '2', price: 9 }), entry({ id: '3' })]));
    pollOn(tape, polls, [entry({ id: '2', price: 9 }), entry({ id: '4' })], 8);
    intruder.leave();
    pollOn(tape, polls, [entry({ id: '2', price: 9 }), entry({ id: '4' })], 20);
    tape.close(START + 60_000);
    expect(troubles).toMatchObject([
      { kind: 'paused', code: 'SQLITE_BUSY', message: 'the recording cannot be written: database is locked' },
      { kind: 'resumed', since: START + 2_000 },
    ]);
    expect(
      rows(path, 'SELECT from_at - 1767614400000 AS "from", to_at - 1767614400000 AS "to", polls, inputs, reason FROM gap'),
    ).toEqual([{ from: 2_000, to: 17_000, polls: 15, inputs: 0, reason: 'the recording cannot be written: database is locked' }]);
    expect(rows(path, 'SELECT poll.seq, kind, listing FROM event JOIN poll ON poll.id = event.poll WHERE poll.seq > 1')).toEqual([
      { seq: 17, kind: 'repriced', listing: '2' },
      { seq: 17, kind: 'appeared', listing: '4' },
      { seq: 17, kind: 'gone', listing: '1' },
    ]);
    expect(rows(path, 'SELECT kind FROM input')).toEqual([{ kind: 'balance' }]);
    expect(reading(path, (reader) => reader.info().coverage)).toEqual([
      { from: START + 1_000, to: START + 2_000 },
      { from: START + 17_000, to: START + 30_050 },
    ]);
  });

  it('costs nothing but the recording when the disk is full, and waits for room [P17 unattended-4]', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path, { maxBytes: 1 });
    const polls = new Polls();
    tape.poll(polls.next(entries(3)));
    pollOn(tape, polls, entries(10_000), 30);
    expect(troubles).toMatchObject([
      {
        kind: 'paused',
        code: 'SQLITE_FULL',
        next: 'Free disk space, or allow the recording more room. Recording goes on by itself.',
      },
    ]);
    expect(rows(path, 'SELECT count(*) AS polls FROM poll')).toEqual([{ polls: 1 }]);
    pollOn(tape, polls, entries(2), 70);
    tape.close(START + 200_000);
    expect(troubles).toMatchObject([{ kind: 'paused' }, { kind: 'resumed', since: START + 2_000 }]);
    expect([...standingByEvents(path).keys()]).toEqual(['c5game:1', 'c5game:2']);
  });

  it('begins late when there is no folder yet, with all that stands by then', () => {
    const path = join(dirname(recordingPath()), 'not-yet', 'recording.db');
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    pollOn(tape, polls, [entry({ id: '1' })], 2);
    pollOn(tape, polls, [entry({ id: '2' })], 2);
    expect(troubles).toMatchObject([{ kind: 'paused', code: 'ENOENT' }]);
    mkdirSync(dirname(path));
    pollOn(tape, polls, [entry({ id: '2' })], 10);
    tape.close(START + 60_000);
    expect(rows(path, 'SELECT kind, listing FROM event')).toEqual([{ kind: 'appeared', listing: '2' }]);
    expect(rows(path, 'SELECT started_at FROM session')).toEqual([{ started_at: START }]);
  });

  it('waits longer from try to try, up to a minute', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    pollOn(tape, polls, [], 1);
    const intruder = new Intruder(path);
    intruder.lock();
    pollOn(tape, polls, [], 300);
    intruder.leave();
    pollOn(tape, polls, [], 60);
    tape.close(START + 400_000);
    expect(troubles.map(({ kind }) => kind)).toEqual(['paused', 'resumed']);
    // Polls 2 to 316 are lost: the tries after the first failure were at 7, 17, 37, 77, 137, 197, 257 and 317.
    expect(rows(path, 'SELECT polls FROM gap')).toEqual([{ polls: 315 }]);
  });

  it('counts the inputs that could not wait', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    for (let input = 0; input < 10_500; input++) tape.input('event', START + input, input);
    tape.poll(new Polls().next([]));
    tape.close(START + 60_000);
    expect(rows(path, 'SELECT polls, inputs, reason FROM gap')).toEqual([
      { polls: 0, inputs: 1_000, reason: 'more inputs than can wait' },
    ]);
    expect(rows(path, 'SELECT count(*) AS n, max(value + 0) AS last FROM input')).toEqual([{ n: 9_500, last: 10_499 }]);
  });

  it('has the right state again afterwards, whatever happened meanwhile', () => {
    const step = fc.record({
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }),
      price: fc.constantFrom(9, 10),
      locked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const path = recordingPath();
        const { tape } = tapeAt(path);
        const polls = new Polls();
        tape.poll(polls.next([]));
        const intruder = new Intruder(path);
        let last: Record<string, unknown>[] = [];
        for (const { ids, price, locked } of steps) {
          if (locked) intruder.lock();
          else intruder.unlock();
          last = ids.map((id) => entry({ id: String(id), price }));
          tape.poll(polls.next(last));
        }
        intruder.leave();
        pollOn(tape, polls, last, 61);
        tape.close(START);
        expect([...standingByEvents(path).values()].sort(byId)).toEqual(last.sort(byId));
        const odd = `SELECT kind FROM (SELECT kind, lag(kind, 1, 'gone') OVER (PARTITION BY listing ORDER BY id) AS before FROM event)
          WHERE (kind = 'appeared') <> (before = 'gone') OR (kind = 'gone' AND before = 'gone')`;
        expect(rows(path, odd)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

function byId(a: unknown, b: unknown): number {
  return Number((a as { id: string }).id) - Number((b as { id: string }).id);
}
