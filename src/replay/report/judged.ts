import type { Calibration } from '../backtest/calibration.ts';
import { binHeads, binRows, calibrationWords, latencyHeads, latencyRows } from '../backtest/calibration-words.ts';
import type { WalkWindow } from '../backtest/walk-forward.ts';
import { modelWords, money, strategyLabel, walkWords } from '../backtest/words.ts';
import { type Html, html } from './html.ts';
import { table, utc } from './frame.ts';
import type { ReportFacts } from './report.ts';

/** What a choice made of what was known came to in the time after it, stretch by stretch. */
export function walkSection({ figures: { walkForward }, model }: Pick<ReportFacts, 'figures' | 'model'>, several: boolean): Html {
  const windows = walkForward.windows.map((window) => ({ ...window, strategies: window.strategies.slice(0, COLUMNS_MAX) }));
  const heads = ['from', 'chosen by what was known', 'resting on', 'profit of the choice', ...namesOf(windows[0], several)];
  return html`<h2>Walking forward</h2>
    <p>${walkWords(walkForward, several)}</p>
    ${table(
      heads,
      windows.map(({ from, chosen, known, profit, strategies }) => [
        utc(from),
        chosen === undefined ? 'none: nothing had made money' : strategyLabel(chosen, several),
        `${known.toFixed(1)} bought`,
        money(profit),
        ...strategies.map((each) => `${money(each.profit)} of ${each.bought.toFixed(1)}`),
      ]),
    )}
    <p class="dim">
      Each stretch is judged by itself: the strategy that had made the most by its beginning, and what every strategy came to in
      it. What was good in one stretch alone may have been luck. Profits by ${modelWords[model]}.
    </p>`;
}

/** More columns than these nobody can read. */
const COLUMNS_MAX = 8;

function namesOf(window: Pick<WalkWindow, 'strategies'> | undefined, several: boolean): readonly string[] {
  return (window?.strategies ?? []).map((each) => strategyLabel(each, several));
}

/** How far off the models were, where there were live buys of our own to hold them against. */
export function calibrationSection(calibration: Calibration | undefined): Html {
  if (calibration === undefined) return html``;
  return html`<h2>How far off the model was</h2>
    ${calibrationWords(calibration).map((words) => html`<p>${words}</p>`)} ${table(binHeads, binRows(calibration))}
    ${table(latencyHeads, latencyRows(calibration))}
    <p class="dim">
      What the models would have said of each of our own live buys, fitted without it, beside what came of it. Between: so many
      would be won 19 times in 20 if the models were right.
    </p>`;
}
