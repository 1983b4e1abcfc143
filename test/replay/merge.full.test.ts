import { copyFileSync, existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importJsonl } from '../../src/replay/import.ts';
import { jsonlHead, jsonlSink } from '../../src/replay/jsonl-write.ts';
import { mergeRecordings, tellSessions } from '../../src/replay/merge.ts';
import type { Moment } from '../../src/replay/moment.ts';
import { Recording, momentsOf } from '../../src/replay/recordings.ts';
import { trimRecording } from '../../src/replay/trim-recording.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { recordingPath, tapeAt } from './recording.ts';

/** Polls with everything that a recording can hold. */
function recorded(polls = 30, startedAt = START, path = recordingPath()): string {
  const { tape } = tapeAt(path, { startedAt });
  const feed = new Polls();
  tape.input('strategies', startedAt, []);
  for (let poll = 0; poll < polls; poll++) {
    tape.input('evidence', startedAt + poll * 1_000 + 500, { poll });
    if (poll % 7 === 3) tape.poll(shifted(feed.fail(), startedAt));
    else if (poll % 5 === 2)
      tape.poll(shifted(feed.next([...entries(40, poll), entry({ id: '999', wear: 7, novel: { '2': 'ü' } })]), startedAt));
    else tape.poll(shifted(feed.next(entries(40, poll)), startedAt));
  }
  tape.close(startedAt + 3_600_000);
  return path;
}

function shifted<P extends ReturnType<Polls['next']> | ReturnType<Polls['fail']>>(result: P, startedAt: number): P {
  const shift = startedAt - START;
  const times = { beganAt: result.facts.beganAt + shift, endedAt: result.facts.endedAt + shift };
  const change = result.change && { ...result.change, ...times };
  return { ...result, facts: { ...result.facts, ...times }, ...(change && { change }) };
}

function opening<T>(paths: readonly string[], work: (recordings: readonly Recording[]) => T): T {
  const opened = paths.map((path) => new Recording(path));
  try {
    return work(opened);
  } finally {
    for (const recording of opened) recording.close();
  }
}

/** What a recording tells, whatever it is called and however its sessions are numbered. */
function told(path: string): unknown[] {
  return opening([path], (opened) =>
    [...momentsOf(opened)].map(({ source, ...moment }: Moment) => ({ ...moment, session: { ...source.session, id: 0 } })),
  );
}

function merged(...paths: string[]): { path: string; taken: ReturnType<typeof mergeRecordings> } {
  const path = recordingPath();
  return { path, taken: opening(paths, (opened) => mergeRecordings(path, opened)) };
}

describe('recordings that are joined', () => {
  it('hold what each of them held, in a file of its own that nobody else can read', () => {
    const [early, late] = [recorded(), recorded(20, START + 86_400_000)];
    const { path, taken } = merged(late, early);
    expect(taken).toMatchObject({ sessions: 2, polls: 50, inputs: 52, damage: [] });
    expect(told(path)).toEqual([...told(early), ...told(late)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(['recording.db']);
  });

  it('take a session once that several have, with what any of them still has of it', () => {
    const whole = recorded();
    const [older, trimmed] = [recordingPath(), recordingPath()];
    copyFileSync(recorded(18), older);
    copyFileSync(whole, trimmed);
    trimRecording(trimmed, { before: START + 12_000, maxBytes: undefined });
    const { path, taken } = merged(trimmed, older);
    expect(taken).toMatchObject({ sessions: 1, polls: 30 });
    expect(told(path)).toEqual(told(whole));
    expect(told(merged(whole, whole, older).path)).toEqual(told(whole));
  });

  it('tell a session as two where none of them has what lies between', () => {
    const [older, trimmed] = [recorded(5), recorded()];
    trimRecording(trimmed, { before: START + 12_000, maxBytes: undefined });
    const { path, taken } = merged(older, trimmed);
    expect(taken).toMatchObject({ sessions: 2, polls: 24 });
    expect(told(path)).toEqual([...told(older), ...told(trimmed)]);
  });

  it('take everything up to where one is damaged, and say what was lost', () => {
    const whole = recorded(200);
    const cut = recordingPath();
    copyFileSync(whole, cut);
    truncateSync(cut, statSync(cut).size - 65_536);
    const { path, taken } = merged(cut);
    expect(taken.damage).toMatchObject([{ recording: cut }]);
    expect(taken.polls).toBeGreaterThan(0);
    expect(taken.polls).toBeLessThan(200);
    expect(told(path)).toEqual(told(whole).slice(0, told(path).length));
    expect(told(merged(cut, whole).path)).toEqual(told(whole));
  });

  it('are written over nothing, and leave nothing behind where they fail', () => {
    const path = recorded(2);
    const before = readFileSync(path);
    expect(() => opening([path], (opened) => mergeRecordings(path, opened))).toThrow('is there already');
    expect(readFileSync(path).equals(before)).toBe(true);
    const target = recordingPath();
    const failing = {
      ...{ session: () => undefined },
      unit: () => {
        throw new Error('no space left');
      },
    };
    expect(() => opening([path], (opened) => tellSessions(opened, failing))).toThrow('no space left');
    expect(existsSync(target)).toBe(false);
  });
});

describe('lines of JSON', () => {
  const lines = (path: string): string => {
    let text = jsonlHead();
    opening([path], (opened) =>
      tellSessions(
        opened,
        jsonlSink((line) => void (text += line)),
      ),
    );
    return text;
  };
  const imported = (text: string) => {
    const [file, path] = [recordingPath(), recordingPath()];
    writeFileSync(file, text);
    return { path, result: importJsonl(file, path) };
  };

  it('give the same recording back, listings with fields that nobody knows among it', () => {
    const path = recorded();
    recorded(20, START + 86_400_000, path);
    trimRecording(path, { before: START + 8_000, maxBytes: undefined });
    const back = imported(lines(path));
    expect(back.result).toMatchObject({ sessions: 2, broken: undefined });
    const brief = (all: unknown[]) =>
      all.map((one) => `${(one as Moment).kind} ${(one as Moment).at - START} ${JSON.stringify(one).length}`);
    expect(brief(told(back.path))).toEqual(brief(told(path)));
    expect(told(back.path)).toEqual(told(path));
    expect(lines(back.path)).toBe(lines(path));
  });

  it('are read by anybody: one thing a line, the listing as the service sent it', () => {
    const all = lines(recorded(3)).split('\n');
    expect(all[0]).toBe('{"recording":"magpie","form":1}');
    expect(JSON.parse(all[1] ?? '')).toEqual({
      session: { startedAt: START, stoppedAt: START + 3_600_000, version: '0.1.0', mode: 'dry-run' },
    });
    expect(all.filter((line) => line.startsWith('{"poll"'))).toHaveLength(3);
    expect(JSON.parse(all.find((line) => line.includes('"999"')) ?? '')).toMatchObject({
      event: { kind: 'bad', listing: { novel: { '2': 'ü' } } },
    });
  });

  it('are taken up to where they are cut off or garbled, and the line is named', () => {
    const path = recorded();
    const text = lines(path);
    const all = told(path);
    const half = imported(text.slice(0, Math.floor(text.length / 2)));
    expect(half.result.broken).toMatchObject({ line: text.slice(0, Math.floor(text.length / 2)).split('\n').length });
    expect(half.result.polls).toBeGreaterThan(3);
    const without = (moments: unknown[]) => moments.filter((moment) => (moment as { kind: string }).kind === 'poll');
    expect(without(told(half.path))).toEqual(without(all).slice(0, half.result.polls));
    const rows = text.split('\n');
    const garbled = imported([...rows.slice(0, 100), '{"event":{"kind":"appeared","at":"noon"}}', ...rows.slice(100)].join('\n'));
    expect(garbled.result.broken).toMatchObject({ line: 101 });
    for (const cut of [1, 2, 3, 7, 50]) expect(imported(rows.slice(0, cut).join('\n')).result.polls).toBeLessThan(4);
  });

  it('are refused where the first is none of a recording', () => {
    const path = recordingPath();
    for (const text of ['', '[]\n', '{"recording":"magpie","form":9}\n', '\u0000\u0001']) {
      const file = recordingPath();
      writeFileSync(file, text);
      if (text === '') expect(importJsonl(file, path)).toMatchObject({ sessions: 0 });
      else expect(() => importJsonl(file, recordingPath())).toThrow(/first line|another Magpie/);
    }
  });
});
