import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable } from '../domain/text.ts';
import { damageWords, isDamage, isSqliteError } from '../replay/damage.ts';
import { Recording } from '../replay/recordings.ts';
import { TapeRefused } from '../replay/tape-schema.ts';
import { shownPath } from '../settings/text-file.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';
import type { Io } from './io.ts';
import { wholeLocalSettingsFor } from './settings.ts';

/** The recording of a data folder. */
export const RECORDING_FILE = 'recording.db';

/** The file that was named, or the recording of the configuration's data folder. */
export function recordingPath(io: Io, file: string | undefined, options: SharedOptions): string {
  return file === undefined
    ? join(wholeLocalSettingsFor(io, options).settings.recordingFolder, RECORDING_FILE)
    : resolve(io.cwd, file);
}

/** A path as a person reads it. */
export function shownRecording(io: Io, path: string): string {
  return printable(shownPath(path, io.cwd), 500);
}

/** Does some work with a recording that must be there. What is wrong with the file ends the command. */
export function withRecording<T>(io: Io, path: string, work: (recording: Recording) => T): T {
  return readingFile(io, path, () => {
    const recording = new Recording(path);
    try {
      return work(recording);
    } finally {
      recording.close();
    }
  });
}

/** Turns what can be wrong with a recording into words. */
export function readingFile<T>(io: Io, path: string, work: () => T): T {
  const shown = shownRecording(io, path);
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new CommandFailure(
      exits.failed,
      `There is no recording ${shown}. → \`magpie run\` and \`magpie record\` make one; is it the right --config or --data?`,
    );
  try {
    return work();
  } catch (error) {
    if (error instanceof TapeRefused) throw new CommandFailure(exits.wrong, printable(error.message, 600));
    if (isDamage(error)) {
      const unlike = noRecording(io, path);
      if (unlike !== undefined) throw unlike;
      throw new CommandFailure(
        exits.failed,
        `${shown} is damaged where it begins, so that nothing of it can be read: ${damageWords(error)}. → take a copy of it that is older`,
      );
    }
    if (isSqliteError(error)) throw new CommandFailure(exits.failed, `${shown} cannot be read: ${damageWords(error)}`);
    throw error;
  }
}

/** A folder, or what does not even begin as a recording; undefined for anything else. It is opened, so no database may have it open here. */
export function noRecording(io: Io, path: string): CommandFailure | undefined {
  const shown = shownRecording(io, path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const within = join(path, RECORDING_FILE);
    const isThere = statSync(within, { throwIfNoEntry: false })?.isFile() === true;
    const next = isThere
      ? `the one in it is ${shownRecording(io, within)}`
      : `name the file; there is no ${RECORDING_FILE} in it`;
    return new CommandFailure(exits.failed, `${shown} is a folder, not a recording. → ${next}`);
  }
  if (beginsAsDatabase(path)) return undefined;
  return new CommandFailure(
    exits.failed,
    `${shown} is not a recording: it does not begin as one (file is not a database). → is it the right file? If it was a recording ` +
      'before, its beginning is garbled: take a copy of it that is older',
  );
}

const DATABASE_BEGINS = Buffer.from('SQLite format 3\0');

/** One that is empty may have all that it holds in the log beside it. */
function beginsAsDatabase(path: string): boolean {
  const head = Buffer.alloc(DATABASE_BEGINS.length);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, head);
    return length === 0 || head.equals(DATABASE_BEGINS);
  } catch {
    // What the disk does not give is told by whoever reads all of it.
    return true;
  } finally {
    closeSync(file);
  }
}

/** Another program may have it open for writing. */
export function writingAlone<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSqliteError(error) || !/^SQLITE_(?:BUSY|LOCKED)/.test(error.code)) throw error;
    throw new CommandFailure(exits.held, 'Another process writes this recording just now. → try again when it has ended');
  }
}
