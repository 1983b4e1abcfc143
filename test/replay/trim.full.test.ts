import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { reading, recordingPath, rows, standingByEvents, tapeAt } from './recording.ts';

const HOUR = 3_600_000;
const MIB = 1024 * 1024;

/** Events whose text is missing though they must have one. */
const textless = `SELECT * FROM event LEFT JOIN text ON text.id = event.text WHERE kind <> 'gone' AND text.text IS NULL`;
const orphans = `SELECT id FROM text WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.text = text.id)`;

describe('a recording that grows old', () => {
  it('drops what is older than allowed, but keeps what still stood then', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path, { maxAgeMs: 24 * HOUR });
    const polls = new Polls();
    tape.input('strategies', START, []);
    tape.input('health', START, { status: 'old', markets: {}, receivedAt: START });
    const old = entry({ id: '1' });
    for (let hour = 0; hour < 72; hour++) {
      const at = { beganAt: START + hour * HOUR, endedAt: START + hour * HOUR + 50 };
      tape.input('health', at.endedAt, { status: 'ok', markets: {}, receivedAt: at.endedAt });
      const result = polls.next([old, entry({ id: String(100 + hour) })], at);
      tape.poll({ ...result, facts: { ...result.facts, ...at } });
    }
    tape.close(START + 73 * HOUR);
    expect(troubles).toEqual([]);
    expect(reading(path, (reader) => reader.info())).toMatchObject({
      from: START + 47 * HOUR,
      to: START + 71 * HOUR + 50,
      polls: 25,
    });
    expect([...standingByEvents(path).keys()]).toEqual(['c5game:1', 'c5game:171']);
    expect(rows(path, 'SELECT listing FROM event ORDER BY id LIMIT 3')).toEqual([
      { listing: '1' },
      { listing: '146' },
      { listing: '147' },
    ]);
    expect(rows(path, 'SELECT kind, count(*) AS n FROM input GROUP BY kind')).toEqual([
      { kind: 'health', n: 27 },
      { kind: 'strategies', n: 1 },
    ]);
    expect([rows(path, textless), rows(path, orphans)]).toEqual([[], []]);
    expect(reading(path, (reader) => reader.findListing('1'))).toMatchObject([
      { firstSeenAt: START + 50, lastSeenAt: START + 71 * HOUR + 50, standing: true, events: [{ pollSeq: undefined }] },
    ]);
  });

  it('forgets the sessions and their listings of which nothing is left', () => {
    const path = recordingPath();
    for (let day = 0; day < 4; day++) {
      const at = { beganAt: START + day * 24 * HOUR, endedAt: START + day * 24 * HOUR + 50 };
      const { tape } = tapeAt(path, { maxAgeMs: 30 * HOUR, startedAt: at.beganAt });
      const polls = new Polls();
      for (let minute = 0; minute < 3; minute++) {
        const times = { beganAt: at.beganAt + minute * 60_000, endedAt: at.endedAt + minute * 60_000 };
        const result = polls.next([entry({ id: String(day) })], times);
        tape.poll({ ...result, facts: { ...result.facts, ...times } });
      }
      tape.close(at.endedAt + HOUR);
    }
    expect(rows(path, 'SELECT id FROM session')).toEqual([{ id: 3 }, { id: 4 }]);
    expect(rows(path, 'SELECT DISTINCT session, listing FROM event')).toEqual([
      { session: 3, listing: '2' },
      { session: 4, listing: '3' },
    ]);
    expect(rows(path, orphans)).toEqual([]);
  });
});

describe('a recording that grows large', () => {
  it('stays under its size by dropping the oldest, without losing what stands [P28]', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path, { maxBytes: 16 * MIB });
    const polls = new Polls();
    let largest = 0;
    const old = entry({ id: '1' });
    for (let poll = 0; poll < 120; poll++) {
      tape.poll(polls.next([old, ...entries(500, 1_000 + poll * 400)]));
      largest = Math.max(largest, statSync(path).size + statSync(`${path}-wal`).size);
    }
    tape.close(START + HOUR);
    expect(troubles).toEqual([]);
    expect(largest).toBeLessThan(16 * MIB);
    const { from, to, polls: kept, bytes } = reading(path, (reader) => reader.info());
    expect(to).toBe(START + 120_050);
    expect(from).toBeGreaterThan(START + 10_000);
    expect(kept).toBeGreaterThan(20);
    expect(bytes).toBeGreaterThan(6 * MIB);
    expect(standingByEvents(path).size).toBe(501);
    expect([rows(path, textless), rows(path, orphans)]).toEqual([[], []]);
  });

  it('gives back what it held before, once it may hold less', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    for (let poll = 0; poll < 40; poll++) tape.poll(polls.next(entries(1_000, poll * 1_000)));
    tape.close(START + HOUR);
    const before = statSync(path).size;
    const smaller = tapeAt(path, { maxBytes: 14 * MIB, startedAt: START + 2 * HOUR });
    const again = new Polls();
    for (let poll = 0; poll < 60; poll++) smaller.tape.poll(again.next(entries(10, 40_000 + poll)));
    smaller.tape.close(START + 3 * HOUR);
    expect(smaller.troubles).toEqual([]);
    expect(before).toBeGreaterThan(20 * MIB);
    expect(statSync(path).size).toBeLessThan(14 * MIB);
    expect(standingByEvents(path).size).toBe(10);
  });

  it('never gives a number twice, though nothing but the newest poll is left', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path, { maxAgeMs: 0 });
    const polls = new Polls();
    tape.poll(polls.next(entries(5)));
    tape.poll(polls.next([]));
    tape.poll(polls.next([]));
    tape.close(START + HOUR);
    expect(rows(path, 'SELECT count(*) AS n FROM event')).toEqual([{ n: 0 }]);
    const again = tapeAt(path, { startedAt: START + 2 * HOUR });
    again.tape.poll(new Polls().next(entries(1)));
    again.tape.close(START + 3 * HOUR);
    expect(rows(path, 'SELECT id, poll FROM event')).toEqual([{ id: 11, poll: 4 }]);
    expect(rows(path, textless)).toEqual([]);
  });
});
