import type { Command } from 'commander';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printable } from '../domain/text.ts';
import { type Imported, importJsonl, importParquet } from '../replay/import.ts';
import { NotLines } from '../replay/jsonl-read.ts';
import { FileBroken, NoExport } from '../replay/parquet/faults.ts';
import { LIST_FILE } from '../replay/parquet/tables.ts';
import { whyUnreadable } from '../settings/text-file.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { shownRecording } from './recording-file.ts';
import { makingRecording, sizeWords, takenJson, takenWords } from './recording-taken.ts';

interface ImportOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addRecordingImport: AddCommand = (recording, { io, run }) => {
  recording
    .command('import')
    .summary('make a recording of what was exported')
    .description(
      'Makes a new recording of a file, or a folder of Parquet files, that `magpie recording export` has written. Of one that is cut off or garbled everything up to there is taken and the rest is reported, with exit code 1.',
    )
    .argument('<FILE>', 'what was exported: lines of JSON, or a folder of Parquet files')
    .argument('<NEW>', 'the recording to be made; never over a file that is there')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie recording import market.jsonl market.db', 'magpie recording import market market.db'))
    .action((file: string, target: string, _: unknown, command: Command) =>
      run(() => imported(io, resolve(io.cwd, file), resolve(io.cwd, target), command.optsWithGlobals<ImportOptions>())),
    );
};

async function imported(io: Io, file: string, target: string, options: ImportOptions): Promise<ExitCode> {
  const result = await makingRecording(target, () => reading(io, file, () => importFrom(file, target)));
  const { broken } = result;
  const { size } = statSync(target);
  if (options.json === true) printJson(io, { recording: target, bytes: size, ...takenJson(result), ...brokenJson(result) });
  else io.out.line(`${io.out.palette.good('Made')} ${shownRecording(io, target)} ${sizeWords(size)} with ${takenWords(result)}`);
  if (broken === undefined) return exits.done;
  io.err.line(io.err.palette.bad(brokenWords(io, file, broken)));
  return exits.failed;
}

async function importFrom(file: string, target: string): Promise<Imported> {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
    ? importParquet(file, target)
    : importJsonl(file, target);
}

function brokenWords(io: Io, file: string, broken: NonNullable<Imported['broken']>): string {
  const message = printable(broken.message, 300);
  if (!(broken instanceof FileBroken))
    return `${shownRecording(io, file)}:${broken.line}: ${message}; everything before it was taken, nothing after it`;
  const shown = shownRecording(io, join(file, broken.file));
  return broken.file === LIST_FILE
    ? `${shown}: ${message}; all that is there was taken → copy it from where the export was made, and import again`
    : `${shown}: ${message}; everything before its part was taken, nothing from there on → copy that file again from where the export was made, and import again`;
}

function brokenJson({ broken }: Imported): Readonly<Record<string, unknown>> {
  if (broken === undefined) return { broken: null };
  const { message } = broken;
  return { ok: false, broken: broken instanceof FileBroken ? { file: broken.file, message } : { line: broken.line, message } };
}

/** What can be wrong with the file that is read. */
async function reading<T>(io: Io, file: string, work: () => Promise<T>): Promise<T> {
  const shown = shownRecording(io, file);
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoExport || error instanceof NotLines || error instanceof RangeError)
      throw new CommandFailure(
        exits.wrong,
        `${shown} cannot be imported: ${error.message}${/-\d+\.parquet$/.test(file) ? ' → it is one file of an export: name its folder' : ''}`,
      );
    const { code, path } = (error instanceof Error ? error : {}) as { code?: unknown; path?: unknown };
    if (path !== file || typeof code !== 'string') throw error;
    const { message, suggestion } = whyUnreadable(error, 'file');
    throw new CommandFailure(
      exits.wrong,
      `${shown} cannot be read: ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
    );
  }
}
