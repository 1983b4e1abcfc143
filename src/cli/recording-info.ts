import type { Command } from 'commander';
import { bytesText, counted, printable } from '../domain/text.ts';
import type { RecordedSession } from '../replay/moment.ts';
import { type RecordingCounts, countsOf } from '../replay/recording-counts.ts';
import { type DayCovered, type RecordingSummary, summaryOf } from '../replay/recording-summary.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { recordingPath, shownRecording, withRecording } from './recording-file.ts';
import { span, utc } from './time.ts';

interface InfoOptions extends SharedOptions {
  readonly json?: boolean;
}

/** Holes and sessions of which a person reads; --json has them all. */
const SHOWN_MAX = 20;

export const addRecordingInfo: AddCommand = (recording, { io, run }) => {
  recording
    .command('info')
    .summary('which times a recording covers, its gaps and its size')
    .description(
      'Says what a recording holds: its sessions, how much of each day it covers, what is missing and why, and how large it is. Works beside a daemon that writes it.',
    )
    .argument('[FILE]', 'a recording (default: that of the data folder)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie recording info --config live.yaml', 'magpie recording info shared.db --json'))
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => info(io, file, command.optsWithGlobals<InfoOptions>())),
    );
};

function info(io: Io, file: string | undefined, options: InfoOptions): ExitCode {
  const path = recordingPath(io, file, options);
  const [summary, counts] = withRecording(io, path, (recording) => [summaryOf(recording), countsOf(recording)] as const);
  if (options.json === true) printJson(io, infoJson(path, summary, counts));
  else showInfo(io, path, summary, counts);
  return exits.done;
}

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

function infoJson(path: string, summary: RecordingSummary, counts: RecordingCounts): unknown {
  const spanJson = ({ from, to }: { from: number; to: number }) => ({ from: iso(from), to: iso(to) });
  return {
    ...{ recording: path, from: iso(summary.from), to: iso(summary.to) },
    ...{ coverage: coverageOf(summary), coveredSeconds: Math.round(summary.coveredMs / 1_000) },
    ...{ ...counts, damage: counts.damage ?? null, bytes: summary.bytes },
    sessions: summary.sessions.map(({ startedAt, stoppedAt, version, mode }) => ({
      ...{ startedAt: iso(startedAt), stoppedAt: iso(stoppedAt), version, mode },
    })),
    covered: summary.coverage.map(spanJson),
    holes: summary.holes.map((hole) => ({ ...spanJson(hole), reason: hole.reason })),
    days: summary.days.map(({ day, coveredMs, hours }) => ({
      ...{ day, coveredSeconds: Math.round(coveredMs / 1_000), hours: hours.map((share) => Math.round(share * 1_000) / 1_000) },
    })),
  };
}

/** Share of the time between the first poll and the last, 0 to 1; null where nothing was polled. */
function coverageOf({ from, to, coveredMs }: RecordingSummary): number | null {
  return from === undefined || to === undefined || to <= from ? null : Math.round((coveredMs / (to - from)) * 10_000) / 10_000;
}

function showInfo(io: Io, path: string, summary: RecordingSummary, counts: RecordingCounts): void {
  const { out } = io;
  const { from, to, sessions, holes, days, bytes } = summary;
  const row = (label: string, words: string): void => out.line(`${label.padEnd(10)}${words}`);
  out.line(`${out.palette.strong('Recording')} ${shownRecording(io, path)} (${bytesText(bytes)})`);
  if (counts.damage !== undefined)
    row('damaged', out.palette.bad(`${printable(counts.damage, 300)} → \`magpie recording verify\``));
  if (from === undefined || to === undefined) return out.line('Nothing is recorded in it.');
  row('time', `${utc(from)} to ${utc(to)} (${span(to - from)}), ${percent(coverageOf(summary) ?? 0)} covered`);
  row('polls', `${counts.polls}, ${counts.completePolls} of them complete`);
  row(
    'events',
    `${counts.events} of listings, ${counted(counts.texts, 'text')} of theirs; ${counted(counts.inputs, 'other input')}`,
  );
  if (counts.segments > 0) row('', `${counted(counts.segments, 'segment')} with ${counted(counts.compacted, 'event')} compacted`);
  row('sessions', sessionWords(sessions));
  out.line(`\n${out.palette.dim('covered (UTC)  0     6     12    18')}`);
  for (const day of days) out.line(dayLine(day));
  if (holes.length > 0) out.line('\nmissing');
  for (const hole of holes.slice(-SHOWN_MAX))
    out.line(`  ${utc(hole.from)} for ${span(hole.to - hole.from)}: ${printable(hole.reason, 200)}`);
  if (holes.length > SHOWN_MAX) out.line(`  … and ${holes.length - SHOWN_MAX} earlier; --json has all`);
}

function sessionWords(sessions: readonly RecordedSession[]): string {
  const last = sessions.at(-1);
  const newest = last === undefined ? '' : `, the newest of version ${printable(last.version, 40)} (${printable(last.mode, 40)})`;
  return `${sessions.length}${newest}`;
}

const shades = [' ', '░', '▒', '▓', '█'];

function dayLine({ day, coveredMs, hours }: DayCovered): string {
  // An hour of which only a moment is missing is not whole, and one of which a moment is there is not empty.
  const shade = (share: number): string =>
    shades[share >= 1 ? 4 : share <= 0 ? 0 : 1 + Math.min(2, Math.floor(share * 3))] ?? ' ';
  return `  ${day}  │${hours.map(shade).join('')}│ ${percent(coveredMs / 86_400_000)}`;
}

/** Never rounded up to all. */
function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}
