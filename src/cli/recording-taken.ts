import { bytesText, counted, printable } from '../domain/text.ts';
import { isSqliteError } from '../replay/damage.ts';
import type { Taken } from '../replay/merge.ts';
import { RecordingExists } from '../replay/recording-copy.ts';
import { Recording } from '../replay/recordings.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { isThere } from './new-file.ts';
import { readingFile, shownRecording } from './recording-file.ts';
import { utc } from './time.ts';

/** Opens recordings that must be there, for as long as some work takes. */
export function withRecordings<T>(io: Io, paths: readonly string[], work: (recordings: readonly Recording[]) => T): T {
  const opened: Recording[] = [];
  try {
    for (const path of paths) opened.push(readingFile(io, path, () => new Recording(path)));
    return work(opened);
  } finally {
    for (const recording of opened) recording.close();
  }
}

/** Makes a new recording; what can go wrong with its file ends the command. */
export async function makingRecording<T>(path: string, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof RecordingExists) throw isThere(path);
    if (isSqliteError(error)) throw new CommandFailure(exits.failed, `Nothing was written: ${error.message} (${error.code})`);
    throw error;
  }
}

/** What was taken over, in words: `2 sessions, 70 polls, 146 events, 3 other inputs`. */
export function takenWords({ sessions, polls, events, inputs }: Taken): string {
  return `${counted(sessions, 'session')}, ${counted(polls, 'poll')}, ${counted(events, 'event')}, ${counted(inputs, 'other input')}`;
}

export function takenJson({ sessions, polls, events, inputs, damage }: Taken): Readonly<Record<string, unknown>> {
  const told = damage.map(({ recording, readUntil, message }) => ({
    recording,
    readUntil: new Date(readUntil).toISOString(),
    message,
  }));
  return { ok: damage.length === 0, sessions, polls, events, inputs, damage: told };
}

/** Says what could not be read of damaged recordings; the exit code says whether there was any. */
export function tellDamage(io: Io, { damage }: Taken): ExitCode {
  for (const { recording, readUntil, message } of damage)
    io.err.line(
      io.err.palette.bad(
        `${shownRecording(io, recording)} is damaged: read up to ${utc(readUntil)}, then ${printable(message, 300)}`,
      ),
    );
  return damage.length === 0 ? exits.done : exits.failed;
}

export function sizeWords(bytes: number): string {
  return `(${bytesText(bytes)})`;
}
