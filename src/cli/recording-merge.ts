import type { Command } from 'commander';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { mergeRecordings } from '../replay/merge.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import type { ExitCode } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { shownRecording } from './recording-file.ts';
import { makingRecording, sizeWords, takenJson, takenWords, tellDamage, withRecordings } from './recording-taken.ts';

interface MergeOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addRecordingMerge: AddCommand = (recording, { io, run }) => {
  recording
    .command('merge')
    .summary('join recordings in a new one')
    .description(
      'Makes a new recording of all that others hold, which stay as they are. A session that several of them have is taken once. Of a damaged one everything up to the damage is taken and the rest is reported, with exit code 1.',
    )
    .argument('<NEW>', 'the recording to be made; never over a file that is there')
    .argument('<FILE...>', 'one or several recordings')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('magpie recording merge all.db here.db there.db', 'magpie recording merge mended.db damaged.db'),
    )
    .action((target: string, files: readonly string[], _: unknown, command: Command) =>
      run(() => merge(io, resolve(io.cwd, target), files, command.optsWithGlobals<MergeOptions>())),
    );
};

async function merge(io: Io, target: string, files: readonly string[], options: MergeOptions): Promise<ExitCode> {
  const paths = files.map((file) => resolve(io.cwd, file));
  const taken = await makingRecording(target, () =>
    withRecordings(io, paths, (recordings) => mergeRecordings(target, recordings)),
  );
  const { size } = statSync(target);
  if (options.json === true) printJson(io, { recording: target, bytes: size, ...takenJson(taken) });
  else io.out.line(`${io.out.palette.good('Made')} ${shownRecording(io, target)} ${sizeWords(size)} with ${takenWords(taken)}`);
  return tellDamage(io, taken);
}
