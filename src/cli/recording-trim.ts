import { type Command, InvalidArgumentError } from 'commander';
import { dirname } from 'node:path';
import { bytesText, counted } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { type Trimmed, trimRecording } from '../replay/trim-recording.ts';
import { sizeBytes, sizeMeant } from '../settings/units.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { readingFile, recordingPath, shownRecording, writingAlone } from './recording-file.ts';
import { momentGiven, utc } from './time.ts';

interface TrimOptions extends SharedOptions {
  readonly before?: string;
  /** Bytes. */
  readonly maxSize?: number;
  readonly json?: boolean;
}

export const addRecordingTrim: AddCommand = (recording, { io, run }) => {
  recording
    .command('trim')
    .summary('remove the oldest part of a recording')
    .description(
      'Removes the oldest part of a recording and gives its space back. What stood at the cut is kept as the ground for what follows. A daemon trims its own, by `recording.maxAge` and `recording.maxSize`.',
    )
    .argument('[FILE]', 'a recording (default: that of the data folder)')
    .option('--before <TIME>', 'what is older: ISO 8601 (UTC unless it says otherwise), or a duration before now such as 30d')
    .option('--max-size <SIZE>', 'what is too much for that size: 500MB, 2GB', size)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('magpie recording trim shared.db --before 30d', 'magpie recording trim --config live.yaml --max-size 500MB'),
    )
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => trim(io, file, command.optsWithGlobals<TrimOptions>())),
    );
};

function size(text: string): number {
  const bytes = sizeBytes(text);
  if (bytes !== undefined && bytes > 0) return bytes;
  const meant = sizeMeant(text);
  throw new InvalidArgumentError(
    `A size above 0 is needed, such as 500MB or 2GB.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  );
}

function trim(io: Io, file: string | undefined, options: TrimOptions): ExitCode {
  const { before: given, maxSize } = options;
  if (given === undefined && maxSize === undefined)
    throw new CommandFailure(exits.wrong, 'Say what is to go: --before 30d, --max-size 500MB, or both. Nothing was changed.');
  const before = momentGiven('--before', given, io.clock.now());
  const path = recordingPath(io, file, options);
  if (isFolderHeld(dirname(path)))
    throw new CommandFailure(
      exits.held,
      'The daemon that runs writes this recording, and trims it by `recording.maxAge` and `recording.maxSize`. Nothing was changed.',
    );
  const trimmed = readingFile(io, path, () => writingAlone(() => trimRecording(path, { before, maxBytes: maxSize })));
  if (options.json === true) printJson(io, trimJson(path, trimmed));
  else show(io, path, trimmed);
  return exits.done;
}

function trimJson(path: string, { polls, events, bytesBefore, bytes, from }: Trimmed): unknown {
  const begins = from === undefined ? null : new Date(from).toISOString();
  return { ok: true, recording: path, removed: { polls, events }, bytesBefore, bytes, from: begins };
}

function show(io: Io, path: string, { polls, events, bytesBefore, bytes, from }: Trimmed): void {
  const sizes = `${bytesText(bytesBefore)} before, ${bytesText(bytes)} now`;
  io.out.line(`${counted(polls, 'poll')} and ${counted(events, 'event')} removed from ${shownRecording(io, path)} (${sizes})`);
  io.out.line(from === undefined ? 'Nothing is recorded in it.' : `It begins with ${utc(from)} now.`);
}
