import { describe, expect, it } from 'vitest';
import { copySink, copying } from '../../src/replay/merge.ts';
import type { Moment, RecordedEvent } from '../../src/replay/moment.ts';
import { Recording, momentsOf } from '../../src/replay/recordings.ts';
import { compactRecording } from '../../src/replay/segment/compact-recording.ts';
import { openForWriting } from '../../src/replay/tape-schema.ts';
import { trimStep } from '../../src/replay/tape-trim.ts';
import { verifyRecording } from '../../src/replay/verify.ts';
import { START, entry } from '../support/feed-entries.ts';
import { recordingPath, rows } from './recording.ts';

/** A session of more polls, inputs and listings than are dropped at once, and one after it; all of them in segments. */
function long(): string {
  const path = recordingPath();
  copying(path, (copy) => {
    const sink = copySink(copy);
    for (const [from, polls] of [
      [START, 12_000],
      [START + 86_400_000, 50],
    ] as const) {
      const session = { id: 0, startedAt: from, stoppedAt: from + 43_200_000, version: '0.1.0', mode: 'record' };
      sink.session(session);
      for (let index = 0; index < polls; index++) {
        const times = { beganAt: from + index * 1_000, endedAt: from + index * 1_000 + 50 };
        const shown = { kind: 'appeared', at: times.endedAt, market: 'c5game', id: String(index), position: 0 } as const;
        const event: RecordedEvent = {
          ...{ ...shown, chunk: 0, text: JSON.stringify(entry({ id: String(index) })), reason: undefined },
          ...{ pollSeq: undefined, afterPollAt: undefined },
        };
        const gone: RecordedEvent = { ...event, kind: 'gone', id: String(index - 20), position: undefined, text: undefined };
        const nothing = { status: 200, bytes: 1, count: 1, bad: 0, requestId: undefined, serviceDate: undefined };
        sink.unit({
          ...{ session, ground: undefined, gaps: [] },
          inputs: [{ kind: 'health', at: times.beganAt, value: String(index) }],
          poll: {
            ...{ seq: index + 1, ...times, outcome: 'ok', complete: true, first: index === 0, ...nothing, message: undefined },
            ...{ after: undefined, events: index < 20 ? [event] : [event, gone] },
          },
        });
      }
    }
  });
  compactRecording(path);
  return path;
}

function polls(path: string): Extract<Moment, { kind: 'poll' }>[] {
  const recording = new Recording(path);
  try {
    return [...momentsOf([recording])].filter((moment) => moment.kind === 'poll');
  } finally {
    recording.close();
  }
}

/** What stands at the end of what is told, its ground included. */
function standing(path: string): string[] {
  const recording = new Recording(path);
  const stands = new Set<string>();
  try {
    for (const moment of momentsOf([recording])) {
      if (moment.kind === 'session') stands.clear();
      if (moment.kind === 'ground') for (const { id } of moment.standing) stands.add(id);
      if (moment.kind !== 'poll') continue;
      for (const { kind, id } of moment.poll.events)
        if (kind === 'gone') stands.delete(id);
        else stands.add(id);
    }
    return [...stands].toSorted();
  } finally {
    recording.close();
  }
}

const counts = `SELECT (SELECT count(*) FROM poll) AS polls, (SELECT count(*) FROM input) AS inputs,
  (SELECT count(*) FROM piece) AS pieces, (SELECT count(*) FROM event) AS events`;

describe('a long recording that is trimmed', () => {
  it('loses a slice at a time, between which others may write, and tells after each what is left', { timeout: 900_000 }, () => {
    const path = long();
    const whole = polls(path);
    const stood = standing(path);
    const times: number[] = [];
    let before = rows(path, counts)[0]!;
    expect(before).toEqual({ polls: 12_050, inputs: 12_050, pieces: expect.any(Number) as number, events: 0 });
    for (let steps = 1; ; steps++) {
      // Each step by a process of its own: whatever one leaves, the next goes on with.
      const db = openForWriting(path, 2 ** 40);
      const step = trimStep(db, { maxBytes: 2 ** 40, maxAgeMs: 0 }, START + 86_000_000);
      db.close();
      if (step === undefined) break;
      const after = rows(path, counts)[0]!;
      for (const [what, most] of [
        ['polls', 5_001],
        ['inputs', 5_000],
        ['pieces', 128],
      ] as const)
        expect(Number(before[what]) - Number(after[what])).toBeLessThanOrEqual(most);
      before = after;
      const left = polls(path);
      expect(left.map(({ at }) => at)).toEqual(whole.slice(-left.length).map(({ at }) => at));
      expect(left.at(-1)).toMatchObject({ poll: whole.at(-1)!.poll });
      expect(standing(path)).toEqual(stood);
      times.push(left.length);
    }
    expect(verifyRecording(path).flaws).toEqual([]);
    expect(times.length).toBeGreaterThan(5);
    expect(times.at(-1)).toBe(50);
    expect(rows(path, 'SELECT id, whole FROM segment')).toEqual([{ id: 2, whole: 1 }]);
    expect(rows(path, 'SELECT DISTINCT id / 65536 AS segment FROM piece')).toEqual([{ segment: 2 }]);
  });
});
