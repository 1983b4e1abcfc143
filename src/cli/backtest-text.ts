import type { Backtest } from '../app/backtest.ts';
import { counted, printable } from '../domain/text.ts';
import type { Figures, StrategyFigures } from '../replay/backtest/figures.ts';
import type { LookaheadCheck } from '../replay/backtest/lookahead.ts';
import type { Study } from '../replay/backtest/study.ts';
import {
  between,
  evidenceWords,
  modelWords,
  money,
  notAdmittedWords,
  orderWords,
  percent,
  strategyLabel,
  verdictOf,
  walkWords,
} from '../replay/backtest/words.ts';
import { shownPath } from '../settings/text-file.ts';
import { showCalibration } from './calibrate-text.ts';
import { roiOf } from './backtest-json.ts';
import type { Io, Voice } from './io.ts';
import { type Column, table } from './table.ts';
import { span, utc } from './time.ts';

const GAPS_SHOWN = 5;
const COMPARISONS_SHOWN = 10;
const REASONS_SHOWN = 5;

const columns: readonly Column[] = [
  { title: 'strategy', grows: true },
  { title: 'matched', align: 'right' },
  { title: 'admitted', align: 'right' },
  { title: 'surely', align: 'right' },
  { title: 'probably', align: 'right' },
  { title: 'at best', align: 'right' },
  { title: 'spent', align: 'right' },
  { title: 'profit', align: 'right' },
  { title: 'between', align: 'right' },
  { title: 'return', align: 'right' },
];

/** A backtest for a person: what would have been bought, what it is worth, how sure that is, and what it all rests on. */
export function showBacktest(io: Io, done: Backtest): void {
  const { out } = io;
  const { request, history, figures, studies } = done;
  const several = studies.length > 1;
  showTime(io, done);
  out.line();
  out.write(
    table(
      columns,
      figures.strategies.map((each) => rowOf(each, several, done)),
      { width: out.width, wrap: true },
    ),
  );
  out.line(
    out.palette.dim(
      `bought surely (pessimistic), probably (expected), at best (optimistic); spent, profit and return of what is expected,`,
    ),
  );
  out.line(out.palette.dim(`by ${modelWords[request.model]}; between: the profit of another such time, 19 times in 20`));
  const order = orderWords(figures.strategies, several);
  if (order !== undefined) out.line(printable(order, 1_000));
  showNotAdmitted(out, figures.strategies, several);
  showWorth(out, figures.strategies, several);
  showEvidence(out, figures.strategies, several);
  showComparisons(out, figures, several);
  out.line();
  out.line(walkWords(figures.walkForward, several));
  if (done.calibration !== undefined) {
    out.line();
    out.line(out.palette.strong('How far off the model was'));
    showCalibration(out, done.calibration);
  }
  for (const each of studies) showHalt(out, each, history.to);
  if (done.lookahead !== undefined) showLookahead(out, done.lookahead);
  out.line();
  out.line(out.palette.strong('What this rests on'));
  for (const { about, text } of done.assumptions) out.line(`  ${about}: ${text}`);
}

/** The name of a strategy, with its folder where there are several. */
function labelOf(each: Pick<StrategyFigures, 'name' | 'folder'>, several: boolean): string {
  return printable(strategyLabel(each, several), 120);
}

function showTime({ out, cwd }: Io, { request, history }: Backtest): void {
  const { from, to, coverage, listings, events, polls } = history;
  const files = request.recordings.map((path) => printable(shownPath(path, cwd), 300)).join(', ');
  out.line(`${out.palette.strong('Replayed')} ${files}`);
  out.line(
    `from ${utc(from)} to ${utc(to)} (${span(to - from)}): ${counted(polls.endedAt.length, 'poll')}, ${counted(listings, 'listing')}, ${counted(events, 'event')}`,
  );
  const { blind, share } = coverage;
  const watched = `${percent(share, 1)} of it was watched`;
  if (blind.length === 0) return out.line(watched);
  out.line(out.palette.warn(`${watched}; in ${counted(blind.length, 'gap')} nothing is taken as bought:`));
  for (const gap of blind.slice(0, GAPS_SHOWN))
    out.line(`  ${utc(gap.from)} for ${span(gap.to - gap.from)}: ${printable(gap.why, 200)}`);
  if (blind.length > GAPS_SHOWN) out.line(`  and ${blind.length - GAPS_SHOWN} more (--json has all)`);
}

function rowOf(figures: StrategyFigures, several: boolean, { request }: Backtest): readonly string[] {
  const { matched, admitted, bought, spent, worth } = figures;
  const own = worth[request.model];
  const roi = roiOf(own);
  return [
    labelOf(figures, several),
    ...[matched, admitted, bought.pessimistic].map(String),
    bought.expected.toFixed(1),
    String(bought.optimistic),
    money(spent),
    money(own.profit),
    between(own.interval),
    roi === null ? '–' : percent(roi, 1),
  ];
}

function showNotAdmitted(out: Voice, strategies: readonly StrategyFigures[], several: boolean): void {
  for (const each of strategies) {
    const words = notAdmittedWords(each);
    if (words === undefined) continue;
    out.line(`\n${labelOf(each, several)}: ${words.heading}`);
    for (const line of words.lines.slice(0, REASONS_SHOWN)) out.line(`  ${line}`);
    if (words.lines.length > REASONS_SHOWN) out.line(`  and ${words.lines.length - REASONS_SHOWN} more (--json has all)`);
  }
}

function showWorth(out: Voice, strategies: readonly StrategyFigures[], several: boolean): void {
  out.line();
  const rows = strategies.map((each) => [
    labelOf(each, several),
    ...(['steam', 'resale', 'relist'] as const).flatMap((model) => {
      const { profit, share } = each.worth[model];
      return [share === undefined || share === 0 ? '–' : money(profit), share === undefined ? '–' : percent(share)];
    }),
  ]);
  const right = (title: string): Column => ({ title, align: 'right' });
  const heads = [right('on Steam'), right('valued'), right('resale'), right('valued'), right('relisted'), right('valued')];
  out.write(table([{ title: 'profit by', grows: true }, ...heads], rows, { width: out.width, wrap: true }));
  out.line(out.palette.dim('valued: the share of its purchases that a model can value'));
}

function showEvidence(out: Voice, strategies: readonly StrategyFigures[], several: boolean): void {
  for (const evidence of ['none', 'little'] as const) {
    const names = strategies.filter((each) => each.evidence === evidence).map((each) => labelOf(each, several));
    if (names.length > 0) out.line(out.palette.warn(`\n${names.join(', ')}: ${evidenceWords[evidence]}`));
  }
}

/** Those that have something to be compared by, the surest first. */
function showComparisons(out: Voice, { comparisons, strategies }: Figures, several: boolean): void {
  const weak = new Set(strategies.filter(({ evidence }) => evidence === 'none').map((each) => labelOf(each, true)));
  const telling = comparisons
    .filter(({ better, worse }) => !weak.has(labelOf(better, true)) || !weak.has(labelOf(worse, true)))
    .toSorted((a, b) => b.chance - a.chance);
  if (telling.length > 0) out.line();
  for (const { better, worse, chance, difference } of telling.slice(0, COMPARISONS_SHOWN)) {
    const verdict = verdictOf(chance);
    const sure = `ahead in ${Math.floor(chance * 100)} of 100 such times, by ${between(difference)}`;
    out.line(`${labelOf(better, several)} ${verdict} ${labelOf(worse, several)}: ${sure}`);
  }
}

function showLookahead(out: Voice, { cuts, compared, differs }: LookaheadCheck): void {
  out.line();
  if (differs === undefined) {
    out.line(
      out.palette.good(
        `No look-ahead: cut at ${cuts.length} random instants, all ${compared} decisions before them are the same.`,
      ),
    );
    return;
  }
  out.line(out.palette.bad(`LOOK-AHEAD: cut at ${utc(differs.cut)}, another decision is made before that.`));
  out.line(`  whole: ${printable(differs.whole, 300)}\n  cut:   ${printable(differs.cutShort, 300)}`);
}

function showHalt(out: Voice, { trial, optimistic: { halt } }: Study, to: number): void {
  if (halt === undefined) return;
  out.line();
  out.line(out.palette.bad(`${printable(trial.folder, 200)}: halted at ${utc(halt.at)}: ${printable(halt.reason, 300)}`));
  out.line(`  nothing was bought in the ${span(to - halt.at)} after that; live, it waits for \`magpie resume\``);
}
