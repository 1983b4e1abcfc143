import { describe, expect, it } from 'vitest';
import type { Moment } from '../../src/replay/moment.ts';
import { Recording, coverageOf, momentsOf } from '../../src/replay/recordings.ts';
import type { Span } from '../../src/replay/span.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { recordingPath, tapeAt } from './recording.ts';

const second = 1_000;

describe('what a recording tells, one thing after the other', () => {
  it('is its session, what decisions rested on, and each poll with what it showed and the one before', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    tape.input('strategies', START + 1, []);
    tape.poll(polls.next([entry({ id: '1' })]));
    tape.poll(polls.fail());
    tape.input('evidence', START + 2_500, { found: 'nothing' });
    tape.poll(polls.next([entry({ id: '2', price: 9, novel: [1] }), entry({ id: '3', wear: 7 })], { requestId: 'third' }));
    tape.close(START + 60_000);
    const told = momentsIn(path);
    expect(told.map(({ kind, at }) => [kind, at - START])).toEqual([
      ['session', 0],
      ['input', 1],
      ['poll', 1_050],
      ['poll', 2_010],
      ['input', 2_500],
      ['poll', 3_050],
    ]);
    expect(told[0]?.source).toEqual({
      recording: path,
      session: { id: 1, startedAt: START, stoppedAt: START + 60_000, version: '0.1.0', mode: 'dry-run' },
    });
    expect(told[4]).toMatchObject({ input: { kind: 'evidence', at: START + 2_500, value: '{"found":"nothing"}' } });
    expect(pollsOf(told)).toMatchObject([
      { seq: 1, complete: true, first: true, outcome: 'ok', after: undefined },
      { seq: 2, complete: false, first: false, outcome: 'connection', message: 'connect ECONNREFUSED', events: [] },
      { seq: 3, complete: true, first: false, outcome: 'many-bad', count: 2, bad: 1, requestId: 'third' },
    ]);
    const third = pollsOf(told)[2];
    expect(third?.after).toEqual({ seq: 1, beganAt: START + 1_000, endedAt: START + 1_050 });
    expect(third?.events.map(({ kind, id, text }) => [kind, id, text])).toEqual([
      ['appeared', '2', JSON.stringify(entry({ id: '2', price: 9, novel: [1] }))],
      ['gone', '1', undefined],
      ['bad', '3', JSON.stringify(entry({ id: '3', wear: 7 }))],
    ]);
    expect(third?.events[0]).toMatchObject({
      at: START + 3_050,
      market: 'c5game',
      pollSeq: 3,
      afterPollAt: START + 1_050,
      position: 0,
    });
    expect(third?.events[2]).toMatchObject({ reason: 'wear 7 is outside 0 to 1' });
  });

  it('comes page by page, and is the same however many there are', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    for (let poll = 0; poll < 600; poll++) {
      tape.input('evidence', START + poll * second, poll);
      tape.poll(polls.next(entries(poll === 100 ? 9_000 : 20, poll)));
    }
    tape.close(START + 900_000);
    const told = momentsIn(path);
    expect(pollsOf(told).map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, index) => index + 1));
    expect(told.filter(({ kind }) => kind === 'input')).toHaveLength(600);
    expect(standingAfter(told)).toEqual(new Set(entries(20, 599).map(({ id }) => id)));
  });
});

describe('a range of a recording', () => {
  const path = (): string => {
    const at = recordingPath();
    const { tape } = tapeAt(at);
    const polls = new Polls();
    for (let poll = 0; poll < 10; poll++) {
      tape.input('health', START + poll * second, { missing: 'refused', at: poll } as never);
      tape.poll(polls.next([entry({ id: '7' }), entry({ id: `1${poll}` }), entry({ id: `2${poll - (poll % 2)}` })]));
    }
    tape.close(START + 60_000);
    return at;
  };

  it('begins with what stood and was in force then, and ends before its end', () => {
    const told = momentsIn(path(), { from: START + 5 * second, to: START + 7_050 });
    expect(told.map(({ kind, at }) => [kind, at - START])).toEqual([
      ['session', 5_000],
      ['ground', 5_000],
      ['input', 5_000],
      ['poll', 5_050],
      ['input', 6_000],
      ['poll', 6_050],
      ['input', 7_000],
    ]);
    const ground = told[1];
    if (ground?.kind !== 'ground') throw new Error('no ground');
    expect(ground.standing.map(({ id, pollSeq, afterPollAt }) => [id, pollSeq, afterPollAt])).toEqual([
      ['7', 1, undefined],
      ['22', 3, START + 2_050],
      ['13', 4, START + 3_050],
    ]);
    expect(ground.inForce).toEqual([{ kind: 'health', at: START + 4_000, value: '{"missing":"refused","at":4}' }]);
    expect(pollsOf(told)[0]?.after).toMatchObject({ seq: 4 });
  });

  it('is empty where nothing was recorded', () => {
    const at = path();
    expect(momentsIn(at, { from: START + 3_600_000, to: START + 7_200_000 })).toEqual([]);
    expect(momentsIn(at, { from: 0, to: START })).toEqual([]);
  });

  it('goes on from what an older stretch left behind when that was trimmed', () => {
    const at = recordingPath();
    const { tape } = tapeAt(at, { maxAgeMs: 3 * second });
    const polls = new Polls();
    for (let poll = 0; poll < 10; poll++) tape.poll(polls.next([entry({ id: '7' }), entry({ id: `1${poll}` })]));
    tape.close(START + 60_000);
    const told = momentsIn(at);
    expect(told.slice(0, 3).map(({ kind, at: when }) => [kind, when - START])).toEqual([
      ['session', 7_000],
      ['ground', 7_000],
      ['poll', 7_050],
    ]);
    expect(told[1]).toMatchObject({
      standing: [
        { id: '7', pollSeq: undefined },
        { id: '15', pollSeq: undefined },
      ],
    });
    expect(pollsOf(told).map(({ events }) => events.map(({ kind, id }) => `${kind} ${id}`))[0]).toEqual([
      'appeared 16',
      'gone 15',
    ]);
  });
});

describe('several sessions and recordings', () => {
  it('are told side by side where they overlap, and their coverage is joined', () => {
    const [one, other] = [recordingPath(), recordingPath()];
    record(one, START, 3);
    record(one, START + 100 * second, 2);
    record(other, START + 2_500, 2);
    const opened = [new Recording(one), new Recording(other)];
    const told = [...momentsOf(opened)];
    expect(
      told.map(({ kind, at, source }) => [kind, at - START, source.recording === one ? 'one' : 'other', source.session.id]),
    ).toEqual([
      ['session', 0, 'one', 1],
      ['poll', 1_050, 'one', 1],
      ['poll', 2_050, 'one', 1],
      ['session', 2_500, 'other', 1],
      ['poll', 3_050, 'one', 1],
      ['poll', 3_550, 'other', 1],
      ['poll', 4_550, 'other', 1],
      ['session', 100_000, 'one', 2],
      ['poll', 101_050, 'one', 2],
      ['poll', 102_050, 'one', 2],
    ]);
    expect(coverageOf(opened).map(({ from, to }) => [from - START, to - START])).toEqual([
      [1_000, 3_050],
      [3_500, 4_550],
      [101_000, 102_050],
    ]);
    expect(
      coverageOf(opened, { from: START + 4_000, to: START + 101_500 }).map(({ from, to }) => [from - START, to - START]),
    ).toEqual([
      [4_000, 4_550],
      [101_000, 101_500],
    ]);
    for (const recording of opened) recording.close();
  });
});

/** A session of `count` polls, one a second. */
function record(path: string, startedAt: number, count: number): void {
  const { tape } = tapeAt(path, { startedAt });
  const polls = new Polls();
  for (let poll = 0; poll < count; poll++) {
    const result = polls.next([entry({ id: '1' })]);
    const shift = startedAt - START;
    const times = { beganAt: result.facts.beganAt + shift, endedAt: result.facts.endedAt + shift };
    tape.poll({ ...result, facts: { ...result.facts, ...times }, change: { ...result.change, ...times } });
  }
  tape.close(startedAt + 60_000);
}

function momentsIn(path: string, range?: Span): Moment[] {
  const recording = new Recording(path);
  try {
    return [...momentsOf([recording], range)];
  } finally {
    recording.close();
  }
}

function pollsOf(told: readonly Moment[]) {
  return told.flatMap((moment) => (moment.kind === 'poll' ? [moment.poll] : []));
}

function standingAfter(told: readonly Moment[]): Set<string> {
  const standing = new Set<string>();
  for (const { kind, id } of pollsOf(told).flatMap(({ events }) => events)) {
    if (kind === 'gone') standing.delete(id);
    else if (kind !== 'bad') standing.add(id);
  }
  return standing;
}
