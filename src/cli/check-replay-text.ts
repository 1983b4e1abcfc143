import type { ReplayedChange } from '../app/replay-change.ts';
import { MICROS_PER_DOLLAR, formatDollars } from '../domain/money.ts';
import { counted, printable } from '../domain/text.ts';
import type { Moved, Sum, Sums } from '../replay/backtest/added-removed.ts';
import { modelWords, money, percent } from '../replay/backtest/words.ts';
import type { Voice } from './io.ts';
import { type Column, table } from './table.ts';
import { span, utc, withoutZone } from './time.ts';

const ROWS_SHOWN = 40;

const columns: readonly Column[] = [
  { title: '' },
  { title: 'UTC' },
  { title: 'strategy', grows: true },
  { title: 'item', grows: true },
  { title: 'cost', align: 'right' },
  { title: 'leaves', align: 'right' },
  { title: 'likely', align: 'right' },
  { title: 'surely', align: 'right' },
];

/** What a change of strategies adds and takes away, for a person. */
export function showReplayedChange(out: Voice, done: ReplayedChange): void {
  const { history, request, moved } = done;
  out.line();
  out.line(
    `${out.palette.strong('Replayed')} from ${utc(history.from)} to ${utc(history.to)} (${span(history.to - history.from)}, ${counted(history.polls.endedAt.length, 'poll')})`,
  );
  showCoverage(out, done);
  showBefore(out, request.before);
  out.line();
  if (moved.length === 0) out.line('No purchase is added, and none removed.');
  else {
    out.write(table(columns, moved.slice(0, ROWS_SHOWN).map(rowOf), { width: out.width, wrap: true }));
    if (moved.length > ROWS_SHOWN) out.line(`and ${moved.length - ROWS_SHOWN} more (--json has all)`);
    out.line(
      out.palette.dim(
        `+ added, − removed, ↑ ↓ bought more or less often; leaves: ${modelWords.steam}, less the cost; likely: how often it is bought, before → after; surely: by what a later look still showed`,
      ),
    );
  }
  out.line();
  showSums(out, done);
}

function showCoverage(out: Voice, { history: { coverage, from, to }, request: { lastMs } }: ReplayedChange): void {
  const { blind, share } = coverage;
  // A recording that ends with a poll is a poll shorter than what was asked for.
  if (to - from < lastMs * 0.99) out.line(out.palette.warn(`no more than ${span(to - from)} are recorded`));
  const watched = `${percent(share, 1)} of it was watched`;
  if (blind.length === 0) return out.line(watched);
  out.line(out.palette.warn(`${watched}; in ${counted(blind.length, 'gap')} nothing is taken as bought (--json has all)`));
}

function showBefore(out: Voice, before: ReplayedChange['request']['before']): void {
  if (before === undefined)
    return out.line(
      out.palette.warn(
        'What is in force is not known, as no daemon has run on this data folder: all purchases are shown as added.',
      ),
    );
  out.line(`beside the strategies and limits in force since ${utc(before.from)}`);
  if (before.missing.length > 0)
    out.line(
      out.palette.warn(
        `the wording of ${before.missing.map((name) => printable(name, 100)).join(', ')} was not kept: what it bought is shown as added`,
      ),
    );
}

const signs: Readonly<Record<Moved['how'], string>> = { added: '+', removed: '−', more: '↑', less: '↓' };

function rowOf({ how, bid, before, after, cost, profit }: Moved): readonly string[] {
  const { listing, strategy, decidedAt } = bid;
  const both = (was: number, is: number): string =>
    how === 'added' ? percent(is) : how === 'removed' ? percent(was) : `${percent(was)} → ${percent(is)}`;
  return [
    signs[how],
    withoutZone(decidedAt),
    printable(strategy, 80),
    printable(listing.name, 120),
    formatDollars(cost),
    profit === undefined ? '–' : money(profit),
    both(before.expected, after.expected),
    both(before.pessimistic, after.pessimistic),
  ];
}

function showSums(out: Voice, { added, removed, before, after }: ReplayedChange): void {
  const rows = (['added', 'removed', 'before', 'after'] as const).map((name) => {
    const { expected, pessimistic } = { added, removed, before, after }[name];
    return [name, ...figures(expected), ...figures(pessimistic)];
  });
  const right = (title: string): Column => ({ title, align: 'right' });
  const heads = ['likely', 'spent', 'profit', 'surely', 'spent', 'profit'].map(right);
  out.write(table([{ title: 'purchases' }, ...heads], rows, { width: out.width, wrap: true }));
}

function figures({ bought, spent, profit }: Sum): readonly string[] {
  return [bought.toFixed(1), money(spent), money(profit)];
}

/** What `magpie check --replay --json` adds. Amounts in dollars, chances from 0 to 1. */
export function replayedChangeJson({ history, request, moved, added, removed, before, after }: ReplayedChange): unknown {
  const { from, to, coverage } = history;
  return {
    ...{ from: iso(from), to: iso(to), coverage: coverage.share },
    gaps: coverage.blind.map((gap) => ({ from: iso(gap.from), to: iso(gap.to), reason: gap.why })),
    inForce:
      request.before === undefined
        ? null
        : {
            since: iso(request.before.from),
            strategies: request.before.strategies.map(({ name, hash }) => ({ name, hash })),
            missing: request.before.missing,
          },
    purchases: moved.map(movedJson),
    totals: { added: sumsJson(added), removed: sumsJson(removed), before: sumsJson(before), after: sumsJson(after) },
  };
}

function movedJson({ how, bid, before, after, cost, profit }: Moved): unknown {
  const { listing, strategy, lane, decidedAt } = bid;
  return {
    ...{ how, at: iso(decidedAt), strategy, mode: lane === 'live' ? 'live' : 'dry-run' },
    ...{ market: listing.market, listingId: listing.id, itemId: listing.itemId, marketHashName: listing.name },
    ...{ price: listing.price, priceWithFee: listing.priceWithFee, cost: dollars(cost) },
    ...{ profit: profit === undefined ? null : dollars(profit), before, after },
  };
}

function sumsJson(sums: Sums): unknown {
  const sum = ({ bought, spent, profit }: Sum): unknown => ({ bought, spent: dollars(spent), profit: dollars(profit) });
  return { expected: sum(sums.expected), pessimistic: sum(sums.pessimistic) };
}

function dollars(amount: number): number {
  return Math.round(amount) / MICROS_PER_DOLLAR;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
