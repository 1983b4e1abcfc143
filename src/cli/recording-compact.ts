import type { Command } from 'commander';
import { dirname } from 'node:path';
import { bytesText } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { compactRecording } from '../replay/segment/compact-recording.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { readingFile, recordingPath, shownRecording, writingAlone } from './recording-file.ts';

interface CompactOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addRecordingCompact: AddCommand = (recording, { io, run }) => {
  recording
    .command('compact')
    .summary('turn a recording into column segments, a fraction of its size')
    .description(
      'Turns the rows of a recording into column segments: the same events, in a fraction of the room. A daemon does this by itself, in moments between two polls; this is for a recording that none writes.',
    )
    .argument('[FILE]', 'a recording (default: that of the data folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie recording compact shared.db'))
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => compact(io, file, command.optsWithGlobals<CompactOptions>())),
    );
};

function compact(io: Io, file: string | undefined, options: CompactOptions): ExitCode {
  const path = recordingPath(io, file, options);
  if (isFolderHeld(dirname(path)))
    throw new CommandFailure(
      exits.held,
      'The daemon that runs writes this recording, and compacts it by itself. Nothing was changed.',
    );
  const { bytesBefore, bytes } = readingFile(io, path, () => writingAlone(() => compactRecording(path)));
  if (options.json === true) printJson(io, { ok: true, recording: path, bytesBefore, bytes });
  else io.out.line(`Compacted ${shownRecording(io, path)}: ${bytesText(bytesBefore)} before, ${bytesText(bytes)} now`);
  return exits.done;
}
