import type { Sweep, Tried } from '../app/sweep/sweep.ts';
import { counted, printable } from '../domain/text.ts';
import { modelWords, money, between, percent } from '../replay/backtest/words.ts';
import { type HeatMap, axisPairs, heatMap, heatOf, settingText } from '../replay/sweep/heat-map.ts';
import { type Part, parts } from '../replay/sweep/part.ts';
import { agreementWords, capWords, luckWords, testWords } from '../replay/sweep/words.ts';
import { shownPath } from '../settings/text-file.ts';
import { roiOf } from './backtest-json.ts';
import type { Io, Voice } from './io.ts';
import { type Column, table } from './table.ts';
import { span, utc } from './time.ts';

const MAPS_SHOWN = 3;
const SHADES = [' ', '░', '▒', '▓', '█'] as const;
const VALUE_LENGTH_MAX = 24;

/** A sweep for a person: the best variants beside the strategy as it is, maps of what goes with what, and how much of it is luck. */
export function showSweep(io: Io, done: Sweep, rows: number): void {
  const { out } = io;
  showTime(io, done);
  out.line();
  showVariants(out, done, rows);
  showMaps(out, done);
  out.line();
  const { luck, ahead } = done;
  const words = luckWords(done, done.request.model);
  out.line(words.isTold ? out.palette.good(words.text) : out.palette.warn(words.text));
  out.line(testWords(ahead));
  const order = agreementWords(done.agreement);
  if (order !== undefined) out.line(order);
  const capped = capWords(done.tried);
  if (capped !== undefined) out.line(out.palette.warn(capped));
  if (luck.lead > 0) showChange(out, done, words.isTold);
  out.line();
  out.line(out.palette.strong('What this rests on'));
  for (const { about, text } of done.assumptions) out.line(`  ${about}: ${text}`);
}

function showTime({ out, cwd }: Io, { request, parts: facts, tried, computed, kept }: Sweep): void {
  const { plan } = request;
  const files = request.recordings.map((path) => printable(shownPath(path, cwd), 300)).join(', ');
  const drawn = plan.drawn === undefined ? '' : ` drawn by chance (seed ${plan.drawn.seed})`;
  out.line(
    `${out.palette.strong('Tried')} ${counted(tried.length, 'variant')}${drawn} of ${printable(plan.file, 300)} on ${files}`,
  );
  for (const part of parts) {
    const { from, to, coverage, polls, listings } = facts[part];
    const what = part === 'train' ? 'chosen on (train)' : 'judged on (test) ';
    const line = `${what} ${utc(from)} to ${utc(to)} (${span(to - from)}): ${counted(polls, 'poll')}, ${counted(listings, 'listing')}`;
    const gaps = coverage.blind.length;
    out.line(gaps === 0 ? line : `${line}, ${percent(coverage.share, 1)} of it watched, ${counted(gaps, 'gap')}`);
  }
  if (kept > 0) out.line(out.palette.dim(`${computed} computed now, ${kept} kept from before`));
}

function showVariants(out: Voice, { request, tried, base, best }: Sweep, rows: number): void {
  const { plan, model } = request;
  const right = (title: string): Column => ({ title, align: 'right' });
  const columns: readonly Column[] = [
    { title: '' },
    ...plan.axes.map(({ name }): Column => ({ title: name, align: 'right', grows: true })),
    ...['bought', 'spent', 'train profit', 'between', 'bought', 'test profit', 'return'].map(right),
  ];
  const row = (each: Tried): readonly string[] => {
    const { train, test } = each.result;
    const [own, later] = [train.figures.worth[model], test.figures.worth[model]];
    const roi = roiOf(later);
    return [
      each === best ? 'best' : each.isBase ? 'as it is' : '',
      ...each.variant.setting.map((value) => printable(settingText(value), VALUE_LENGTH_MAX)),
      ...[train.figures.bought.expected.toFixed(1), money(train.figures.spent), money(own.profit), between(own.interval)],
      ...[test.figures.bought.expected.toFixed(1), money(later.profit), roi === null ? '–' : percent(roi, 1)],
    ];
  };
  const inOrder = tried.toSorted(
    (a, b) => b.result.train.figures.worth[model].profit - a.result.train.figures.worth[model].profit,
  );
  const shown = inOrder.slice(0, rows);
  const all = shown.includes(base) ? shown : [...shown, base];
  out.write(table(columns, all.map(row), { width: out.width, wrap: true }));
  if (inOrder.length > shown.length) out.line(out.palette.dim(`and ${inOrder.length - shown.length} more (--rows, --json)`));
  out.line(
    out.palette.dim(`of what is expected, by ${modelWords[model]}; between: the profit of another such time, 19 times in 20`),
  );
}

function showMaps(out: Voice, { request, tried }: Sweep): void {
  const { plan, model } = request;
  const points = (part: Part): { setting: readonly unknown[]; value: number }[] =>
    tried.map(({ variant, result }) => ({ setting: variant.setting, value: result[part].figures.worth[model].profit }));
  const train = points('train');
  for (const pair of axisPairs(train).slice(0, MAPS_SHOWN)) {
    const names = plan.axes.map(({ name }) => name);
    for (const part of parts) showMap(out, heatMap(names, pair, points(part)), part);
  }
}

function showMap(out: Voice, map: HeatMap, part: Part): void {
  const heat = heatOf(map);
  const cells = map.cells.map((row, index) => [
    printable(map.rows[index] ?? '', VALUE_LENGTH_MAX),
    ...row.map((cell) => (cell === undefined ? '–' : `${money(cell.value)} ${shade(heat(cell.value))}`)),
  ]);
  const heads = map.columns.map((title): Column => ({ title: printable(title, VALUE_LENGTH_MAX), align: 'right' }));
  const isMean = map.cells.flat().some((cell) => (cell?.of ?? 0) > 1);
  out.line();
  out.line(`${out.palette.strong(`${part} profit`)}, ${map.down} (down) by ${map.across} (across)${isMean ? ', means' : ''}`);
  out.write(table([{ title: '' }, ...heads], cells, { width: Infinity, indent: 2 }));
}

function shade(heat: number): string {
  return (SHADES[Math.min(SHADES.length - 1, Math.floor(heat * SHADES.length))] ?? ' ').repeat(2);
}

function showChange(out: Voice, { request, best }: Sweep, isTold: boolean): void {
  const { plan } = request;
  out.line();
  out.line(`To take the best${isTold ? '' : ' all the same'}, write in ${printable(plan.file, 300)}`);
  for (const [index, { name }] of plan.axes.entries())
    out.line(`  ${name}: ${printable(JSON.stringify(best.variant.setting[index]), 200)}`);
}
