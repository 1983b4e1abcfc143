import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import type { Figure } from './figure.ts';

/** Where and when a run was made: what its milliseconds hang on, and its ratios much less. */
export interface Setting {
  /** Of the repository, with `-dirty` where it differs from that; `unknown` outside one. */
  readonly commit: string;
  readonly at: string;
  readonly node: string;
  readonly cores: number;
  readonly cpu: string;
  /** Of the machine, over the minute before the run began. */
  readonly load: number;
  /** As `feed.parse`; `default` is what a configuration has that says nothing. */
  readonly parse: string;
}

export function settingNow(parse: string | undefined): Setting {
  const processors = cpus();
  return {
    commit: commitNow(),
    at: new Date().toISOString(),
    node: process.version,
    cores: processors.length,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
    parse: parse ?? 'default',
  };
}

function commitNow(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    // What runs of this bench leave behind is no difference.
    const changed = git('status', '--porcelain', '--', 'src', 'test/bench', ':!test/bench/history.jsonl') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? '-dirty' : ''}`;
  } catch {
    return 'unknown';
  }
}

export interface Report {
  readonly setting: Setting;
  readonly seconds: number;
  readonly figures: readonly Figure[];
}

/** The table and the summary, as lines for a person. */
export function reportText({ setting, seconds, figures }: Report): string {
  const { commit, node, cores, cpu, load } = setting;
  const busy =
    load > cores / 2 ? `\nThe machine was busy (load ${load} on ${cores} cores): take the figures again when it is quiet.` : '';
  const head = `Magpie ${commit} · Node.js ${node} · ${cores} × ${cpu} · load ${load} · ${seconds.toFixed(0)} s${busy}`;
  return `${head}\n\n${tableOf(figures)}\n\n${summaryOf(figures)}\n`;
}

function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['', 'floor', 'Magpie', 'figure', 'goal', ''],
    ...figures.map((each) => [each.what, each.floor, each.ours, shown(each, each.value), goalOf(each), verdictOf(each)]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 || at === 5 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shown({ unit }: Figure, value: number): string {
  return unit === 'ms' ? `${value.toFixed(Math.abs(value) < 1 ? 3 : 1)} ms` : value.toFixed(value < 10 ? 3 : 1);
}

function goalOf(each: Figure): string {
  if (each.goal === undefined) return '';
  const atMost = Number(each.goal.atMost.toPrecision(3));
  return `≤ ${each.unit === 'ms' ? `${atMost} ms` : String(atMost)}`;
}

function verdictOf({ goal, note }: Figure): string {
  const words = goal === undefined ? [] : [goal.met ? 'met' : 'MISSED'];
  return [...words, ...(note === undefined ? [] : [note])].join('; ');
}

/** The table for a document. */
export function markdownOf({ setting, figures }: Report): string {
  const { commit, node, cores, load } = setting;
  const rows = figures.map((each) => [
    ...[each.what, each.floor, each.ours, shown(each, each.value), goalOf(each), verdictOf(each).replace('MISSED', '**missed**')],
  ]);
  const lines = [['what', 'floor', 'Magpie', 'figure', 'goal', ''], ['---', '---:', '---:', '---:', '---:', '---'], ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${table}\n\nCommit ${commit}, Node.js ${node}, ${cores} cores, load ${load} when the run began.\n`;
}

/** How many goals were met, and each that was not with its figure. */
export function summaryOf(figures: readonly Figure[]): string {
  const wanted = figures.filter(({ goal }) => goal !== undefined);
  const missed = wanted.filter(({ goal }) => goal?.met !== true);
  const head = `${wanted.length - missed.length} of ${wanted.length} goals met.`;
  const lines = missed.map((each) => `missed: ${each.what}: ${shown(each, each.value)}, wanted ${goalOf(each)}`);
  return [head, ...lines].join('\n');
}

/** One line of the history. */
export function historyLine({ setting, seconds, figures }: Report): string {
  const ratios = Object.fromEntries(figures.map(({ id, value }) => [id, Number(value.toFixed(4))]));
  return JSON.stringify({ ...setting, seconds: Math.round(seconds), ratios });
}
