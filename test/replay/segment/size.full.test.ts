import { describe, expect, it } from 'vitest';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import { Polls } from '../../support/feed-entries.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { Bench } from '../../sandbox/harness.ts';
import { recordingPath, rows, tapeAt } from '../recording.ts';

const POLLS = 300;

/** A market of 300 listings that moves as the sandbox lets it, looked at every ten seconds. */
async function sandboxRecording(): Promise<string> {
  const path = recordingPath();
  const clock = new VirtualClock();
  const bench = new Bench({ listings: 300 }, clock);
  const { tape, troubles } = tapeAt(path, { startedAt: clock.now(), maxBytes: 2 ** 33, maxAgeMs: 2 ** 40 });
  const polls = new Polls();
  for (let poll = 0; poll < POLLS; poll++) {
    const beganAt = clock.now();
    await clock.advance(10_000);
    const times = { beganAt, endedAt: beganAt + 40 + (poll % 13) };
    const result = polls.next(bench.feed(), times);
    tape.poll({ ...result, facts: { ...result.facts, ...times } });
  }
  tape.close(clock.now());
  expect(troubles).toEqual([]);
  return path;
}

describe('a recording of the sandbox in column segments', () => {
  it('takes at most 40 bytes an event, and each text of a listing once beside', { timeout: 900_000 }, async () => {
    const path = await sandboxRecording();
    compactRecording(path);
    const segments = rows(path, 'SELECT id, events, shape FROM segment WHERE whole = 1') as {
      id: number;
      events: number;
      shape: string;
    }[];
    const events = segments.reduce((sum, segment) => sum + segment.events, 0);
    expect(events).toBeGreaterThan(3_000);
    let columns = 0;
    let texts = 0;
    for (const { id, shape } of segments) {
      const { columns: layouts, texts: kept } = JSON.parse(shape) as { columns: unknown[]; texts: number };
      // Columns first, then the words that their numbers stand for; what follows are texts.
      const [{ bytes } = {}] = rows(
        path,
        `SELECT sum(length(data)) AS bytes FROM piece WHERE id BETWEEN ${id} * 65536 AND ${id} * 65536 + ${layouts.length}`,
      );
      columns += Number(bytes);
      texts += kept;
    }
    expect(columns / events).toBeLessThanOrEqual(40);
    // Every listing that came or changed its price has a text of its own; one that went has none.
    expect(texts).toBeLessThan(events);
    expect(rows(path, 'SELECT count(*) AS n FROM event')).toEqual([{ n: 0 }]);
    expect(rows(path, 'SELECT count(*) AS n FROM text')).toEqual([{ n: 0 }]);
  });
});
