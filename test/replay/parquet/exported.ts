import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { importParquet } from '../../../src/replay/import.ts';
import { jsonlHead, jsonlSink } from '../../../src/replay/jsonl-write.ts';
import { copySink, copying, tellSessions } from '../../../src/replay/merge.ts';
import type { RecordedEvent } from '../../../src/replay/moment.ts';
import { type PartBounds, ParquetSink } from '../../../src/replay/parquet/write.ts';
import { loadZstd } from '../../../src/replay/parquet/zstd.ts';
import { Recording } from '../../../src/replay/recordings.ts';
import type { Unit } from '../../../src/replay/session-units.ts';
import { entry } from '../../support/feed-entries.ts';
import { recordingPath } from '../recording.ts';

export type Files = ReadonlyMap<string, Uint8Array>;

/** Does something with an opened recording. */
export function opening<T>(path: string, work: (recording: Recording) => T): T {
  const recording = new Recording(path);
  try {
    return work(recording);
  } finally {
    recording.close();
  }
}

/** The lines of JSON of a recording. */
export function linesOf(path: string): string {
  const lines = [jsonlHead()];
  opening(path, (recording) =>
    tellSessions(
      [recording],
      jsonlSink((line) => void lines.push(line)),
    ),
  );
  return lines.join('');
}

/** The Parquet files of a recording, by name, in parts as small as a test wants them. */
export async function filesOf(path: string, bounds?: PartBounds): Promise<Files> {
  const files = new Map<string, Uint8Array>();
  const sink = new ParquetSink(await loadZstd(), (name, bytes) => void files.set(name, bytes), bounds);
  opening(path, (recording) => tellSessions([recording], sink));
  sink.finish();
  return files;
}

/** What files are compared by: their names and SHA-256, in their order. */
export function digests(files: Files): readonly string[] {
  return [...files].map(([name, bytes]) => `${name} ${createHash('sha256').update(bytes).digest('hex')}`);
}

/** Puts files into a folder of their own. */
export function folderOf(files: Files): string {
  const folder = join(dirname(recordingPath()), 'market');
  mkdirSync(folder);
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return folder;
}

/** What one poll of a session made up for a test shows. */
export interface MadeUp {
  readonly events: readonly Partial<RecordedEvent>[];
  readonly inputs: readonly { readonly value: unknown }[];
  readonly message: string | undefined;
  readonly gap: string | undefined;
  readonly ok: boolean;
}

/** A recording that holds just this, session by session, a poll a second. */
export function made(sessions: readonly (readonly MadeUp[])[], start = 1_790_000_000_000.25): string {
  const path = recordingPath();
  copying(path, (copy) => {
    const sink = copySink(copy);
    for (const [index, polls] of sessions.entries()) {
      const from = start + index * 1_000_000;
      const session = { id: 0, startedAt: from, stoppedAt: index % 2 === 0 ? from + 900_000 : undefined };
      const whole = { ...session, version: '0.1.0', mode: index % 2 === 0 ? 'dry-run' : 'record' };
      sink.session(whole);
      for (const [poll, one] of polls.entries()) sink.unit({ session: whole, ...unitOf(one, poll, from) });
    }
  });
  return path;
}

function unitOf({ events, inputs, message, gap, ok }: MadeUp, index: number, from: number): Omit<Unit, 'session'> {
  const beganAt = from + index * 1_000 + 1 / 3;
  const endedAt = beganAt + 50.123;
  return {
    ground: undefined,
    inputs: inputs.map(({ value }) => ({ kind: 'health', at: beganAt - 500, value: JSON.stringify(value) })),
    gaps: gap === undefined ? [] : [{ from: beganAt - 900, to: beganAt - 800.5, polls: 3, inputs: 1, reason: gap }],
    poll: {
      ...{ seq: index + 1, beganAt, endedAt, outcome: ok ? 'ok' : 'connection', complete: ok, first: index === 0 },
      ...{ status: ok ? 200 : undefined, bytes: ok ? 2 ** 33 : undefined, count: ok ? events.length : undefined },
      ...{ bad: ok ? 0 : undefined, requestId: message, serviceDate: ok ? from : undefined, message, after: undefined },
      events: events.map((event) => ({
        ...{ kind: 'appeared', at: endedAt, market: 'c5game', id: '1', position: 0, chunk: undefined, text: undefined },
        ...{ reason: undefined, pollSeq: undefined, afterPollAt: undefined, ...event },
      })),
    },
  };
}

/** A recording made of exported files, and what was said of them. */
export async function imported(files: Files) {
  const path = recordingPath();
  return { path, result: await importParquet(folderOf(files), path) };
}

/** Three sessions of listings that come and go. */
export function market(): string {
  const shown = (id: number, kind: 'appeared' | 'gone') =>
    kind === 'gone'
      ? { kind, id: String(id), position: undefined }
      : {
          kind,
          id: String(id),
          text: JSON.stringify(entry({ id: String(id), price: (1_000 + id) / 100, priceWithFee: (1_100 + id) / 100 })),
        };
  const polls = (from: number): MadeUp[] =>
    Array.from({ length: 20 }, (_, n) => ({
      ...{ events: [shown(from + n, 'appeared'), ...(n > 2 ? [shown(from + n - 3, 'gone')] : [])], inputs: [{ value: n }] },
      ...{ message: undefined, gap: n === 7 ? 'the disk was full' : undefined, ok: n !== 7 },
    }));
  return made([polls(100), polls(110), polls(200)]);
}

/** Lines of one kind. */
export function lists(text: string, kind: string): string[] {
  return text.split('\n').filter((line) => line.startsWith(`{"${kind}"`));
}
