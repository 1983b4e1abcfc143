import type { Calibrated, PricesPaid } from '../app/calibrate.ts';
import { formatDollars } from '../domain/money.ts';
import { counted, printable } from '../domain/text.ts';
import type { Calibration } from '../replay/backtest/calibration.ts';
import { binHeads, binRows, calibrationWords, latencyHeads, latencyRows } from '../replay/backtest/calibration-words.ts';
import { percent } from '../replay/backtest/words.ts';
import { shownPath } from '../settings/text-file.ts';
import type { Io, Voice } from './io.ts';
import { table } from './table.ts';
import { span, utc } from './time.ts';

const PRICES_SHOWN = 5;

/** How far off the models were, for a person. */
export function showCalibrated(io: Io, done: Calibrated): void {
  const { out } = io;
  showTime(io, done);
  showRules(out, done);
  out.line();
  if (done.calibration === undefined) {
    out.line(
      out.palette.warn('No live buy of a strategy was answered in that time: there is nothing to hold the models against.'),
    );
    if (done.unclear > 0) out.line(unclearWords(done.unclear));
    return;
  }
  showCalibration(out, done.calibration);
  out.line();
  showReplay(out, done);
  showPrices(out, done.prices);
  if (done.unclear > 0) out.line(unclearWords(done.unclear));
}

/** The forecasts beside what came of them. */
export function showCalibration(out: Voice, calibration: Calibration): void {
  const [first, ...rest] = calibrationWords(calibration);
  const { holds, evidence } = calibration;
  const look = evidence === 'none' || !holds ? out.palette.warn : out.palette.good;
  out.line(look(first ?? ''));
  for (const words of rest) out.line(words);
  const columns = (heads: readonly string[]): { title: string; align: 'left' | 'right' }[] =>
    heads.map((title, index) => ({ title, align: index === 0 ? 'left' : 'right' }));
  out.line();
  out.write(table(columns(binHeads), binRows(calibration), { width: out.width, wrap: true }));
  out.line();
  out.write(table(columns(latencyHeads), latencyRows(calibration), { width: out.width, wrap: true }));
}

function showTime({ out, cwd }: Io, { request, history }: Calibrated): void {
  const { from, to, coverage, polls } = history;
  const files = request.recordings.map((path) => printable(shownPath(path, cwd), 300)).join(', ');
  out.line(`${out.palette.strong('Calibrated by')} ${files}`);
  out.line(`from ${utc(from)} to ${utc(to)} (${span(to - from)}): ${counted(polls.endedAt.length, 'poll')}`);
  const gaps = coverage.blind.length === 0 ? '' : `, with ${counted(coverage.blind.length, 'gap')} (--json has all)`;
  out.line(`${percent(coverage.share, 1)} of it was watched${gaps}`);
}

function showRules(out: Voice, { rules, history }: Calibrated): void {
  const [first] = rules;
  if (first === undefined)
    return out.line(out.palette.warn('The ledger does not say which strategies were in force: those on file now are replayed.'));
  const changes = rules.length === 1 ? '' : `, with ${counted(rules.length - 1, 'change')} of them`;
  out.line(`replayed by the strategies and limits that were in force${changes}`);
  if (first.from > history.from)
    out.line(out.palette.warn(`what was in force before ${utc(first.from)} is not known: those are taken`));
  const missing = [...new Set(rules.flatMap((each) => each.missing))];
  if (missing.length > 0)
    out.line(
      out.palette.warn(`the wording of ${missing.map((name) => printable(name, 100)).join(', ')} was not kept: not replayed`),
    );
}

function showReplay(out: Voice, { relived: { bids, won, same } }: Calibrated): void {
  out.line(
    `The replay of those days bids ${bids.replayed.toFixed(1)} times and wins ${won.replayed.toFixed(1)}; live it was ${bids.lived} and ${won.lived}.`,
  );
  if (same !== undefined) out.line(`${percent(same)} of the live buys are made by the replay as well.`);
}

function showPrices(out: Voice, { known, asListed, others }: PricesPaid): void {
  if (known === 0) return;
  if (others.length === 0)
    return out.line(`${counted(asListed, 'purchase')} with a known debit: each was debited as it was listed.`);
  out.line(out.palette.bad(`${others.length} of ${known} purchases were debited at another price than listed:`));
  for (const { id, listed, paid } of others.slice(0, PRICES_SHOWN))
    out.line(`  ${id}: listed ${formatDollars(listed)}, debited ${formatDollars(paid)}`);
  if (others.length > PRICES_SHOWN) out.line(`  and ${others.length - PRICES_SHOWN} more (--json has all)`);
}

function unclearWords(unclear: number): string {
  return `${counted(unclear, 'more live purchase', 'more live purchases')}: not answered, or not clearly; no model is held against them.`;
}
