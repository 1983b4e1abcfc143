import { type Command, Option } from 'commander';
import { resolve } from 'node:path';
import type { RecordedInput } from '../replay/moment.ts';
import { jsonlHead, jsonlSink } from '../replay/jsonl-write.ts';
import { type Sink, type Taken, type Wanted, tellSessions } from '../replay/merge.ts';
import type { Recording } from '../replay/recordings.ts';
import type { Span } from '../replay/span.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { toNewFile, toNewFolder } from './new-file.ts';
import { ProgressBar } from './progress-bar.ts';
import { recordingPath, shownRecording } from './recording-file.ts';
import { takenWords, tellDamage, withRecordings } from './recording-taken.ts';
import { momentGiven } from './time.ts';

/** Lines of JSON, in one file or on the terminal; or a folder of Parquet files. */
const formats = ['jsonl', 'parquet'] as const;

interface ExportOptions extends SharedOptions {
  readonly format?: (typeof formats)[number];
  readonly output?: string;
  readonly from?: string;
  readonly to?: string;
  readonly everything?: boolean;
}

/** Lines are written in pieces of about this length. */
const PIECE_CHARS = 1 << 16;

export const addRecordingExport: AddCommand = (recording, { io, run }) => {
  recording
    .command('export')
    .summary('write a recording as lines of JSON or as Parquet, to share it or to look into it')
    .description(
      'Writes what a recording holds of the market: sessions, polls, and every event with the listing as the service sent it; as lines of JSON, or as a folder of Parquet files that DuckDB, pandas and others read. What concerns your account (balance, purchases, strategies, settings) is left out unless --everything is given.',
    )
    .argument('[FILE]', 'a recording (default: that of the data folder)')
    .option('-o, --output <FILE>', 'a new file (of Parquet, a new folder), which only you can read; never over one that is there')
    .addOption(
      new Option(
        '--format <FORMAT>',
        'jsonl: lines of JSON; parquet: tables, packed with Zstandard (default: by the name of FILE, else jsonl)',
      ).choices(formats),
    )
    .option('--from <TIME>', 'only what was seen since then: ISO 8601 (UTC unless it says otherwise), or a duration such as 7d')
    .option('--to <TIME>', 'only what was seen before then')
    .option('--everything', 'what concerns the account, too')
    .addHelpText(
      'after',
      examples(
        'magpie recording export -o market.jsonl --config live.yaml',
        'magpie recording export -o market --format parquet --config live.yaml',
        'magpie recording export shared.db --from 2026-11-27 --to 2026-11-28 | grep AWP',
      ),
    )
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => exported(io, file, command.optsWithGlobals<ExportOptions>())),
    );
};

async function exported(io: Io, file: string | undefined, options: ExportOptions): Promise<ExitCode> {
  const now = io.clock.now();
  const range = {
    from: momentGiven('--from', options.from, now) ?? Number.NEGATIVE_INFINITY,
    to: momentGiven('--to', options.to, now) ?? Number.POSITIVE_INFINITY,
  };
  const target = options.output === undefined ? undefined : resolve(io.cwd, options.output);
  const path = recordingPath(io, file, options);
  const wanted: Wanted = { range, ...(options.everything === true ? {} : { input: isOfMarket }) };
  const write = formatOf(options) === 'parquet' ? await parquetWriter(target) : jsonlWriter(io, target);
  const bar = new ProgressBar(io);
  const taken = withRecordings(io, [path], (recordings) =>
    write((sink) => {
      try {
        // On the terminal the lines themselves show how far it has come.
        const shown = target === undefined ? sink : watched(sink, bar, timeOf(recordings, range));
        return tellSessions(recordings, shown, wanted);
      } finally {
        bar.end();
      }
    }),
  );
  const where = target === undefined ? '' : ` to ${shownRecording(io, target)}`;
  io.err.line(`${takenWords(taken)} written${where}`);
  return tellDamage(io, taken);
}

/** The time that an export goes through. */
function timeOf(recordings: readonly Recording[], { from, to }: Span): Span {
  const polled = recordings.flatMap((recording) => recording.polled());
  return {
    from: Math.max(from, Math.min(...polled.map((span) => span.from))),
    to: Math.min(to, Math.max(...polled.map((span) => span.to))),
  };
}

/** A sink of which is shown how far it has come. */
function watched(sink: Sink, bar: ProgressBar, { from, to }: Span): Sink {
  return {
    session: (session) => sink.session(session),
    unit: (unit) => {
      if (unit.poll !== undefined) bar.show('writing', Math.max(0, unit.poll.endedAt - from), to - from);
      sink.unit(unit);
    },
  };
}

function formatOf({ format, output }: ExportOptions): (typeof formats)[number] {
  return format ?? (output?.endsWith('.parquet') === true ? 'parquet' : 'jsonl');
}

/** Has somebody tell a sink what is to be written. */
type Writer = (tell: (sink: Sink) => Taken) => Taken;

function jsonlWriter(io: Io, target: string | undefined): Writer {
  return (tell) => {
    const fill = (write: (text: string) => void): Taken =>
      inPieces(write, (one) => {
        one(jsonlHead());
        return tell(jsonlSink(one));
      });
    return target === undefined ? fill(io.out.write) : toNewFile(target, fill);
  };
}

async function parquetWriter(target: string | undefined): Promise<Writer> {
  if (target === undefined)
    throw new CommandFailure(exits.wrong, 'Parquet is a folder of files: say which with -o FOLDER. Nothing was written.');
  // Loaded by whoever needs it: every other command starts without it.
  const { ParquetSink } = await import('../replay/parquet/write.ts');
  const { loadZstd } = await import('../replay/parquet/zstd.ts');
  const zstd = await loadZstd();
  return (tell) =>
    toNewFolder(target, (write) => {
      const sink = new ParquetSink(zstd, write);
      const taken = tell(sink);
      sink.finish();
      return taken;
    });
}

/** What was seen of the market beside the polls; nothing of whose recording it is. */
const ofMarket: ReadonlySet<RecordedInput['kind']> = new Set(['health', 'looked', 'sight', 'merged']);

function isOfMarket({ kind }: RecordedInput): boolean {
  return ofMarket.has(kind);
}

function inPieces<T>(write: (text: string) => void, fill: (write: (text: string) => void) => T): T {
  let piece = '';
  const result = fill((text) => {
    piece += text;
    if (piece.length < PIECE_CHARS) return;
    write(piece);
    piece = '';
  });
  if (piece !== '') write(piece);
  return result;
}
