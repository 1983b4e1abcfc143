import { copyFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countsOf } from '../../../src/replay/recording-counts.ts';
import { Recording, momentsOf } from '../../../src/replay/recordings.ts';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import { compacting } from '../../../src/replay/segment/compact.ts';
import { openForWriting } from '../../../src/replay/tape-schema.ts';
import { trimRecording } from '../../../src/replay/trim-recording.ts';
import { verifyRecording } from '../../../src/replay/verify.ts';
import { Polls, START, entries, entry } from '../../support/feed-entries.ts';
import { reading, recordingPath, rows, tapeAt } from '../recording.ts';

const names = ['AK-47 | Redline (Field-Tested)', 'AWP | Asiimov (Battle-Scarred)', '★ Karambit | Doppler (Factory New)'];

/** A session with new, repriced, gone and bad listings, and one failed poll. */
function record(path: string, polls: number, startedAt = START): string {
  const { tape } = tapeAt(path, { startedAt });
  const feed = new Polls();
  for (let poll = 0; poll < polls; poll++) {
    const standing = entries(25, poll * 3 + 1).map((each, index) => ({
      ...each,
      ...{ marketHashName: names[index % 3], wear: ((index * 37 + poll) % 1000) / 1000, price: 1 + ((index + poll) % 7) / 100 },
    }));
    const odd = poll % 4 === 1 ? [entry({ id: '900', wear: 7, novel: 'ü' })] : [];
    const result = poll === 5 ? feed.fail() : feed.next([...standing, ...odd]);
    const times = { beganAt: result.facts.beganAt + startedAt - START, endedAt: result.facts.endedAt + startedAt - START };
    tape.poll({ ...result, facts: { ...result.facts, ...times } });
  }
  tape.close(startedAt + 3_600_000);
  return path;
}

function told(path: string): unknown[] {
  const recording = new Recording(path);
  try {
    return [...momentsOf([recording])].map(({ source, ...moment }) => ({ ...moment, session: source.session.id }));
  } finally {
    recording.close();
  }
}

describe('a recording that is compacted into column segments', () => {
  it('tells the same as its rows did, to whoever asks, in less room', () => {
    const path = record(record(recordingPath(), 40), 30, START + 86_400_000);
    const before = told(path);
    const history = reading(path, (reader) => reader.findListing('40'));
    const { events } = countsIn(path);
    const { bytes, bytesBefore } = compactRecording(path);
    expect(bytes).toBeLessThan(bytesBefore);
    expect(rows(path, 'SELECT (SELECT count(*) FROM event) AS events, (SELECT count(*) FROM text) AS texts')).toEqual([
      { events: 0, texts: 0 },
    ]);
    expect(told(path)).toEqual(before);
    expect(reading(path, (reader) => reader.findListing('40'))).toEqual(history);
    expect(countsIn(path)).toMatchObject({ events, segments: 2, compacted: events, damage: undefined });
    expect(verifyRecording(path).flaws).toEqual([]);
  });

  it('tells the same wherever compacting was broken off, and is compacted to the end by the next who does', () => {
    const whole = record(recordingPath(), 12);
    const before = told(whole);
    let slices = 1;
    for (let ended = false; !ended; slices += 4) {
      const path = recordingPath();
      copyFileSync(whole, path);
      const db = openForWriting(path, 2 ** 40);
      const steps = compacting(db, true);
      for (let slice = 0; slice < slices && !ended; slice++) ended = steps.next().done === true;
      db.close();
      expect(told(path)).toEqual(before);
      compactRecording(path);
      expect(told(path)).toEqual(before);
      expect(rows(path, 'SELECT count(*) AS n FROM piece WHERE id / 65536 NOT IN (SELECT id FROM segment)')).toEqual([{ n: 0 }]);
    }
    expect(slices).toBeGreaterThan(12);
  });

  it('goes on with rows, is read from within a segment, and trimmed by whole segments', () => {
    const path = record(recordingPath(), 40);
    compactRecording(path);
    record(path, 30, START + 86_400_000);
    const all = told(path);
    const recording = new Recording(path);
    const part = [...momentsOf([recording], { from: START + 20_000, to: START + 30_000 })];
    recording.close();
    expect(part.filter(({ kind }) => kind === 'poll').map(({ at }) => at)).toEqual(
      (all as { kind: string; at: number; session: number }[])
        .filter(({ kind, at, session }) => session === 1 && kind === 'poll' && at >= START + 20_000 && at < START + 30_000)
        .map(({ at }) => at),
    );
    expect(part.find(({ kind }) => kind === 'ground')).toMatchObject({ standing: { length: 25 } });
    trimRecording(path, { before: START + 3_700_000, maxBytes: undefined });
    expect(told(path)).toEqual((all as { session: number }[]).filter(({ session }) => session === 2));
    expect(rows(path, 'SELECT count(*) AS n FROM piece')).toEqual([{ n: 0 }]);
  });

  it('that was made before there were segments is read as it is, and compacted in place', () => {
    const path = record(recordingPath(), 20);
    const before = told(path);
    const db = openForWriting(path, 2 ** 40);
    db.exec('DROP TABLE segment; DROP TABLE piece; PRAGMA user_version = 1');
    db.close();
    expect(told(path)).toEqual(before);
    compactRecording(path);
    expect(told(path)).toEqual(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read up to a segment of which a byte is wrong, and says so', () => {
    const path = record(record(recordingPath(), 20), 20, START + 86_400_000);
    compactRecording(path);
    const whole = told(path);
    const db = openForWriting(path, 2 ** 40);
    db.prepare('UPDATE piece SET data = zeroblob(length(data)) WHERE id = 2 * 65536 + 4').run();
    db.close();
    const { flaws, polls } = verifyRecording(path);
    expect({ polls, flaws: flaws.map(({ message }) => message) }).toMatchObject({
      polls: 20,
      flaws: ['column listing of segment 2 is not as it was written (DAMAGED)'],
    });
    expect(told(path).slice(0, 21)).toEqual(whole.slice(0, 21));
  });
});

function countsIn(path: string) {
  const recording = new Recording(path);
  try {
    return countsOf(recording);
  } finally {
    recording.close();
  }
}
