import type { Assumption } from '../backtest/assumptions.ts';
import type { Coverage } from '../backtest/coverage.ts';
import type { ValueModel } from '../backtest/value.ts';
import { between, modelWords, money, percent } from '../backtest/words.ts';
import type { Span } from '../span.ts';
import { axisPairs, heatMap, settingText } from '../sweep/heat-map.ts';
import type { Ahead, Luck } from '../sweep/luck.ts';
import { type Part, type VariantResult, parts } from '../sweep/part.ts';
import { agreementWords, capWords, luckWords, testWords } from '../sweep/words.ts';
import { barChart, coverageStrip } from './charts.ts';
import { dotChart } from './dot-chart.ts';
import { framed, table, utc } from './frame.ts';
import { heatTable } from './heat-table.ts';
import { Html, html } from './html.ts';

/** A variant as the page shows it. */
interface TriedFacts {
  /** What stands on each axis. */
  readonly setting: readonly unknown[];
  readonly isBase: boolean;
  readonly isBest: boolean;
  readonly result: VariantResult;
}

interface PartFacts extends Span {
  readonly coverage: Coverage;
  readonly listings: number;
  readonly polls: number;
}

export interface SweepReportFacts {
  /** As the reader knows them. */
  readonly recordings: readonly string[];
  readonly file: string;
  /** What to type to get the same. */
  readonly command: string;
  readonly axes: readonly string[];
  readonly model: ValueModel;
  readonly parts: Readonly<Record<Part, PartFacts>>;
  readonly tried: readonly TriedFacts[];
  readonly base: TriedFacts;
  readonly best: { readonly result: VariantResult };
  readonly luck: Luck;
  readonly ahead: Ahead;
  readonly agreement: number | undefined;
  readonly assumptions: readonly Assumption[];
}

const ROWS_MAX = 40;
const MAPS_MAX = 6;

/** A whole sweep as one file that needs nothing else. */
export function sweepReportPage(facts: SweepReportFacts): string {
  const { luck, ahead, agreement, assumptions, command, tried } = facts;
  const words = luckWords(facts, facts.model);
  const capped = capWords(tried);
  return framed(
    'Magpie sweep',
    html`<h1>Other values of ${facts.file}</h1>
      ${timeSection(facts)}
      <h2>How much of it is luck</h2>
      <p${words.isTold ? '' : new Html(' class="warn"')}>${words.text}</p>
      <p>${testWords(ahead)}</p>
      <p>${agreementWords(agreement) ?? ''}</p>
      ${capped === undefined ? '' : html`<p class="warn">${capped}</p>`}
      ${barChart('Lead in the train part', [
        { label: `the best of ${luck.tried}`, value: luck.lead, words: money(luck.lead) },
        { label: 'the best of as many by luck alone', value: luck.byLuck, words: money(luck.byLuck) },
        { label: 'and 19 times in 20 at most', value: luck.byLuckHigh, words: money(luck.byLuckHigh) },
      ])}
      <h2>Variants</h2>
      ${variantTable(facts)}
      ${mapSection(facts)}
      ${dotChart(
        'Train and test profit of each',
        [...tried.filter(({ isBase, isBest }) => !isBase && !isBest), facts.base, ...tried.filter(({ isBest }) => isBest)].map(
          (each) => ({
            x: profitOf(facts, each, 'train'),
            y: profitOf(facts, each, 'test'),
            look: each.isBest ? 'high' : each.isBase ? 'low' : 'main',
            name: nameOf(facts, each),
          }),
        ),
        { x: 'train profit', y: 'test profit', written: money },
      )}
      <h2>What this rests on</h2>
      <dl>
        ${assumptions.map(
          ({ about, text }) =>
            html`<dt>${about}</dt>
              <dd>${text}</dd>`,
        )}
      </dl>
      <h2>To repeat it</h2>
      <p><code>${command}</code></p>`,
  );
}

function timeSection({ recordings, parts: facts }: SweepReportFacts): Html {
  const lines = parts.map((part) => {
    const { from, to, coverage, polls, listings } = facts[part];
    const share = (at: number): number => (at - from) / (to - from);
    return html`<p>
        ${part === 'train' ? 'Chosen on (train)' : 'Judged on (test)'} ${utc(from)} to ${utc(to)}: ${polls} polls, ${listings}
        listings, ${percent(coverage.share, 1)} of it watched.
      </p>
      ${coverageStrip(coverage.blind.map((gap) => ({ from: share(gap.from), to: share(gap.to) })))}`;
  });
  return html`<p>${recordings.join(', ')}</p>
    ${lines}`;
}

function variantTable(facts: SweepReportFacts): Html {
  const { axes, model, tried, base } = facts;
  const heads = ['which', ...axes, 'bought', 'spent', 'train profit', 'between', 'bought', 'test profit', 'between'];
  const inOrder = tried.toSorted((a, b) => profitOf(facts, b, 'train') - profitOf(facts, a, 'train'));
  const shown = inOrder.slice(0, ROWS_MAX);
  const all = shown.some(({ isBase }) => isBase) ? shown : [...shown, base];
  const rows = all.map((each) => {
    const { train, test } = each.result;
    return [
      each.isBest ? 'best' : each.isBase ? 'as it is' : '',
      ...each.setting.map(settingText),
      train.figures.bought.expected.toFixed(1),
      money(train.figures.spent),
      money(profitOf(facts, each, 'train')),
      between(train.figures.worth[model].interval),
      test.figures.bought.expected.toFixed(1),
      money(profitOf(facts, each, 'test')),
      between(test.figures.worth[model].interval),
    ];
  });
  return html`${table(heads, rows)}
    <p class="dim">
      The ${shown.length} of ${tried.length} that earned most in the train part, and the strategy as it is. Of what is expected,
      by ${modelWords[model]}. Between: the profit of another such time, 19 times in 20.
    </p>`;
}

function mapSection(facts: SweepReportFacts): Html {
  const { axes, tried } = facts;
  const points = (part: Part): { setting: readonly unknown[]; value: number }[] =>
    tried.map((each) => ({ setting: each.setting, value: profitOf(facts, each, part) }));
  const pairs = axisPairs(points('train')).slice(0, MAPS_MAX);
  if (pairs.length === 0) return html``;
  return html`<h2>What goes with what</h2>
    ${pairs.flatMap((pair) => parts.map((part) => heatTable(`Profit, ${part}`, heatMap(axes, pair, points(part)), money)))}
    <p class="dim">
      The fuller the colour, the more it earned within its map. A good value among bad neighbours is more likely luck.
    </p>`;
}

function profitOf({ model }: SweepReportFacts, { result }: TriedFacts, part: Part): number {
  return result[part].figures.worth[model].profit;
}

function nameOf({ axes }: SweepReportFacts, { setting }: TriedFacts): string {
  return axes.map((axis, index) => `${axis} ${settingText(setting[index])}`).join(', ');
}
