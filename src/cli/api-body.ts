import { resolve } from 'node:path';
import { printable } from '../domain/text.ts';
import { readTextFile, shownPath } from '../settings/text-file.ts';
import { CommandFailure, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';

/** The JSON of a file, or of standard input for `-`. What cannot be read or is no JSON ends the command. */
export function bodyGiven(io: Io, file: string): unknown {
  const text = file === '-' ? inputOf(io) : textOf(io, resolve(io.cwd, file));
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = printable(error instanceof Error ? error.message : String(error));
    throw new CommandFailure(exits.wrong, `Nothing was sent: the body is no JSON: ${why}`);
  }
}

function inputOf(io: Io): string {
  if (io.input === undefined) throw new CommandFailure(exits.wrong, 'Nothing was sent: there is no standard input to read.');
  return io.input();
}

function textOf(io: Io, path: string): string {
  const file = readTextFile(path, shownPath(path, io.cwd));
  if (file.ok) return file.text;
  showFaults(io.err, [file.fault], 'fault');
  throw new CommandFailure(exits.wrong, 'Nothing was sent: the body could not be read.', [file.fault]);
}
