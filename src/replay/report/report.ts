import type { EpochMs } from '../../domain/clock.ts';
import type { Assumption } from '../backtest/assumptions.ts';
import type { Calibration } from '../backtest/calibration.ts';
import { type Breakdowns, type Share, breakdownsOf } from '../backtest/breakdowns.ts';
import { type Curves, curvesOf } from '../backtest/curves.ts';
import type { Figures, StrategyFigures } from '../backtest/figures.ts';
import type { MarketHistory } from '../backtest/market-history.ts';
import type { NearMiss } from '../backtest/near-misses.ts';
import type { Study } from '../backtest/study.ts';
import { type ValueModel, valueModels } from '../backtest/value.ts';
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
} from '../backtest/words.ts';
import { barChart, coverageStrip, lineChart } from './charts.ts';
import { framed, table, utc } from './frame.ts';
import { Html, html } from './html.ts';
import { calibrationSection, walkSection } from './judged.ts';

export interface ReportFacts {
  /** The recordings, as the reader knows them. */
  readonly recordings: readonly string[];
  /** What to type to get the same. */
  readonly command: string;
  readonly model: ValueModel;
  readonly history: MarketHistory;
  readonly studies: readonly Study[];
  readonly figures: Figures;
  readonly assumptions: readonly Assumption[];
  readonly nearMisses: { readonly found: readonly NearMiss[]; readonly isWhole: boolean };
  /** How far off the models were, by our own live buys of the time; undefined without any. */
  readonly calibration: Calibration | undefined;
}

const ROWS_MAX = 15;

/** A whole backtest as one file that needs nothing else: no script, no address, nothing that a name could start. */
export function reportPage(facts: ReportFacts): string {
  const { history, studies, figures } = facts;
  const several = studies.length > 1;
  return framed(
    'Magpie backtest',
    html`<h1>What would have been bought</h1>
      ${timeSection(facts)}
      <h2>Strategies</h2>
      ${figureTable(facts, several)} ${orderSection(figures, several)} ${notAdmittedSection(figures, several)}
      ${evidenceSection(figures, several)} ${comparisonSection(figures, several)}
      <h2>What it is worth</h2>
      ${worthTable(figures, several)} ${walkSection(facts, several)} ${calibrationSection(facts.calibration)}
      ${studies.map((study) => studySection(facts, study, curvesOf(history, study, facts.model), breakdownsOf(study, facts.model)))}
      ${nearMissSection(facts)}
      <h2>What this rests on</h2>
      <dl>
        ${facts.assumptions.map(
          ({ about, text }) =>
            html`<dt>${about}</dt>
              <dd>${text}</dd>`,
        )}
      </dl>
      <h2>To repeat it</h2>
      <p><code>${facts.command}</code></p>`,
  );
}

function timeSection({ recordings, history }: ReportFacts): Html {
  const { from, to, coverage, polls, listings, events } = history;
  const share = (at: EpochMs): number => (at - from) / (to - from);
  return html`<p>${recordings.join(', ')}, from ${utc(from)} to ${utc(to)}: ${polls.endedAt.length} polls, ${listings} listings, ${events} events.</p>
<p${coverage.blind.length > 0 ? new Html(' class="warn"') : ''}>${percent(coverage.share, 1)} of it was watched${
    coverage.blind.length > 0 ? '; in the gaps nothing is taken as bought' : ''
  }.</p>
${coverageStrip(coverage.blind.map((gap) => ({ from: share(gap.from), to: share(gap.to) })))}
${coverage.blind.slice(0, ROWS_MAX).map((gap) => html`<p class="dim">${utc(gap.from)} to ${utc(gap.to)}: ${gap.why}</p>`)}
${coverage.blind.length > ROWS_MAX ? html`<p class="dim">and ${coverage.blind.length - ROWS_MAX} more gaps</p>` : ''}`;
}

function figureTable({ figures, model }: ReportFacts, several: boolean): Html {
  const heads = ['strategy', 'matched', 'admitted', 'surely', 'probably', 'at best', 'spent', 'profit', 'between', 'return'];
  return html`${table(
      heads,
      figures.strategies.map((each) => {
        const { bought, worth } = each;
        const own = worth[model];
        return [
          strategyLabel(each, several),
          ...[each.matched, each.admitted, bought.pessimistic].map(String),
          bought.expected.toFixed(1),
          String(bought.optimistic),
          money(each.spent),
          money(own.profit),
          between(own.interval),
          own.spent === 0 ? '–' : percent(own.profit / own.spent, 1),
        ];
      }),
    )}
    <p class="dim">
      Bought surely (pessimistic), probably (expected), at best (optimistic). Spent, profit and return of what is expected, by
      ${modelWords[model]}. Between: the profit of another such time, 19 times in 20.
    </p>`;
}

function orderSection({ strategies }: Figures, several: boolean): Html {
  const words = orderWords(strategies, several);
  return words === undefined ? html`` : html`<p>${words}</p>`;
}

function notAdmittedSection({ strategies }: Figures, several: boolean): Html {
  const parts = strategies.map((each) => {
    const words = notAdmittedWords(each);
    if (words === undefined) return html``;
    return html`<p>${strategyLabel(each, several)}: ${words.heading}</p>
      <ul>
        ${words.lines.map((line) => html`<li>${line}</li>`)}
      </ul>`;
  });
  return html`${parts}`;
}

function evidenceSection({ strategies }: Figures, several: boolean): Html {
  const parts = (['none', 'little'] as const).map((evidence) => {
    const names = strategies.filter((each) => each.evidence === evidence).map((each) => strategyLabel(each, several));
    return names.length === 0 ? html`` : html`<p class="warn">${names.join(', ')}: ${evidenceWords[evidence]}.</p>`;
  });
  return html`${parts}`;
}

function comparisonSection({ comparisons, strategies }: Figures, several: boolean): Html {
  const weak = (each: Pick<StrategyFigures, 'name' | 'folder'>): boolean =>
    strategies.some(({ name, folder, evidence }) => evidence === 'none' && name === each.name && folder === each.folder);
  const telling = comparisons
    .filter(({ better, worse }) => !weak(better) || !weak(worse))
    .toSorted((a, b) => b.chance - a.chance);
  if (telling.length === 0) return html`<p>Which of them is better cannot be told from so few purchases.</p>`;
  return html`<ul>
    ${telling
      .slice(0, ROWS_MAX)
      .map(
        ({ better, worse, chance, difference }) =>
          html`<li>
            ${strategyLabel(better, several)} ${verdictOf(chance)} ${strategyLabel(worse, several)}: ahead in
            ${Math.floor(chance * 100)} of 100 such times, by ${between(difference)}
          </li>`,
      )}
  </ul>`;
}

function worthTable({ strategies }: Figures, several: boolean): Html {
  const heads = ['strategy', ...valueModels.flatMap((model) => [`profit, ${model}`, 'between', 'valued'])];
  const rows = strategies.map((each) => [
    strategyLabel(each, several),
    ...valueModels.flatMap((model) => {
      const { share, profit, interval } = each.worth[model];
      return share === undefined || share === 0
        ? ['–', '–', share === undefined ? '–' : '0 %']
        : [money(profit), between(interval), percent(share)];
    }),
  ]);
  return html`${table(heads, rows)}
    <p class="dim">
      Valued: the share of its purchases that a model can value.
      ${valueModels.map((model) => html`<b>${model}</b>: ${modelWords[model]}. `)}
    </p>`;
}

function studySection({ history }: ReportFacts, study: Study, curves: Curves, parts: Breakdowns): Html {
  const { halt } = study.optimistic;
  const axis = { from: utc(history.from), to: utc(history.to), written: money };
  const { pessimistic, expected, optimistic } = curves.profit;
  return html`<h2>${study.trial.folder}</h2>
    ${halt === undefined ? '' : html`<p class="warn">Halted at ${utc(halt.at)}: ${halt.reason}. Nothing was bought after that.</p>`}
    ${lineChart(
      'Profit over time',
      [
        { name: 'surely', look: 'low', values: pessimistic },
        { name: 'probably', look: 'main', values: expected },
        { name: 'at best', look: 'high', values: optimistic },
      ],
      axis,
    )}
    <p>
      Deepest fall of the expected profit: ${money(curves.drawdown)}.
      ${curves.turnover === undefined ? '' : `The money went round ${curves.turnover.toFixed(1)} times.`}
    </p>
    ${lineChart('Money in purchases that may not be sold yet', [{ name: 'expected', look: 'main', values: curves.locked }], axis)}
    ${barChart(`Profit by item, the ${ROWS_MAX} furthest from nothing`, bars(furthest(parts.items)))}
    ${barChart('By rarity', bars(parts.rarities))} ${barChart('By price as a share of steamPrice', bars(parts.discounts))}
    ${barChart('By hour of the day, UTC', bars(parts.hours))}`;
}

function nearMissSection({ nearMisses: { found, isWhole } }: ReportFacts): Html {
  const rows = found
    .slice(0, ROWS_MAX)
    .map(({ strategy, path, wants, offers, cost, profit }) => [
      strategy,
      `${path}: ${wants}`,
      String(offers),
      money(cost),
      money(profit),
    ]);
  const part = isWhole ? '' : ' Only the first part of the recording was looked at so closely.';
  return html`<h2>Near misses</h2>
    <p class="dim">
      Offers that one condition alone kept from a strategy: what a sale on Steam would have left, before any cap and any
      rival.${part}
    </p>
    ${rows.length === 0 ? html`<p>None.</p>` : table(['strategy', 'condition', 'offers', 'cost', 'worth more'], rows)}`;
}

function furthest(shares: readonly Share[]): readonly Share[] {
  const chosen = new Set(shares.toSorted((a, b) => Math.abs(b.profit) - Math.abs(a.profit)).slice(0, ROWS_MAX));
  return shares.filter((share) => chosen.has(share));
}

function bars(shares: readonly Share[]): { label: string; value: number; words: string }[] {
  return shares.map(({ label, bought, profit }) => ({ label, value: profit, words: `${money(profit)} of ${bought.toFixed(1)}` }));
}
