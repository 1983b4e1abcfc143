import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countsOf } from '../../src/replay/recording-counts.ts';
import { Recording, momentsOf } from '../../src/replay/recordings.ts';
import { verifyRecording } from '../../src/replay/verify.ts';
import { Polls, START, entries } from '../support/feed-entries.ts';
import { recordingPath, rows, tapeAt } from './recording.ts';

const PAGE_BYTES = 65_536;

/** A recording of some hundred pages, brought home from its write-ahead log. */
function recorded(polls = 60): string {
  const path = recordingPath();
  const { tape } = tapeAt(path);
  const feed = new Polls();
  for (let poll = 0; poll < polls; poll++) tape.poll(feed.next(entries(100, poll * 100 + 1)));
  tape.close(START + 3_600_000);
  return path;
}

describe('a recording of which the end is missing', () => {
  it('is read up to where it is missed, and says so, wherever it was cut off', () => {
    const whole = recorded();
    const pages = statSync(whole).size / PAGE_BYTES;
    const read = [0.97, 0.7, 0.4].map((share) => {
      const path = recordingPath();
      writeFileSync(path, readFileSync(whole));
      truncateSync(path, Math.floor(pages * share) * PAGE_BYTES + 777);
      const told = momentsIn(path);
      expect(told.at(-1)?.kind).toBe('damage');
      expect(verifyRecording(path).flaws.length).toBeGreaterThan(0);
      const polls = told.flatMap((moment) => (moment.kind === 'poll' ? [moment.poll] : []));
      expect(polls.map(({ seq }) => seq)).toEqual(polls.map((_, index) => index + 1));
      for (const { events, first } of polls) expect(events.length).toBe(first ? 100 : 200);
      return polls.length;
    });
    expect(read[0]).toBeGreaterThan(20);
    expect(read.toSorted((a, b) => b - a)).toEqual(read);
  });
});

describe('a recording with a garbled page', () => {
  it('is told as damaged up to the last moment that can be trusted, and what lies before it is used', () => {
    const path = recorded();
    const { page } =
      rows(path, "SELECT pageno AS page FROM dbstat WHERE name = 'event' AND pagetype = 'leaf' ORDER BY path DESC")[0] ?? {};
    const bytes = readFileSync(path);
    bytes.fill(0xa5, (Number(page) - 1) * PAGE_BYTES, Number(page) * PAGE_BYTES);
    writeFileSync(path, bytes);
    const { flaws, polls } = verifyRecording(path);
    expect(polls).toBeGreaterThan(20);
    expect(polls).toBeLessThan(60);
    expect(
      flaws.some(({ readUntil, message }) => readUntil === START + polls * 1_000 + 50 && message.includes('malformed')),
    ).toBe(true);
    const recording = new Recording(path);
    expect(countsOf(recording)).toMatchObject({ completePolls: 60 });
    recording.close();
  });

  it('is found by the checksum of a text that SQLite cannot know is wrong', () => {
    const path = recorded(3);
    const bytes = readFileSync(path, 'latin1');
    writeFileSync(path, bytes.replaceAll('"paintSeed":7,', '"paintSeed":8,'), 'latin1');
    const { flaws } = verifyRecording(path);
    expect(flaws.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^the texts of \d+ listings are not as they were written \(row 1, row 2, .*row 10 and more\)$/),
    ]);
  });
});

function momentsIn(path: string) {
  const recording = new Recording(path);
  try {
    return [...momentsOf([recording])];
  } finally {
    recording.close();
  }
}
