import { type Window } from '../domain/limits.ts';
import { formatDollars } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { type CapUse, fullness } from './cap-use.ts';
import type { Voice } from './io.ts';
import type { StatusFacts } from './status-facts.ts';
import { table } from './table.ts';

const BAR_WIDTH = 20;

const spans: Readonly<Record<Window, string>> = { hour: 'last hour', day: 'last 24 h', total: 'in all' };

/** The use of every cap: the account's always, a strategy's once it is used, an item's once it is reached. */
export function showCaps(out: Voice, { caps, reserved, mode, strategiesFaulty }: StatusFacts): void {
  const shown = caps.filter((use) => {
    if (use.of === 'account') return true;
    return use.of === 'strategy' ? use.amount.used > 0 : (fullness(use) ?? 0) >= 1;
  });
  const columns = [
    { title: mode === 'live' ? 'spend' : 'on paper', grows: true },
    { title: 'used', align: 'right' },
    { title: 'cap', align: 'right' },
    { title: '' },
    { title: '', align: 'right' },
  ] as const;
  const rows = shown.map((use) => [labelOf(use), figure(use, 'used'), figure(use, 'cap'), ...barOf(use, out)]);
  const held = ['reserved', formatDollars(reserved), '', reserved > 0 ? 'not certain yet' : '', ''];
  out.write(table(columns, [...rows, held], { width: out.width, wrap: true }));
  if (strategiesFaulty)
    out.line(out.palette.warn("The strategies' own caps are missing: one of them is faulty → `magpie check`"));
}

function labelOf({ of, name, key, window, amount }: CapUse): string {
  if (of === 'account') {
    if (window !== undefined) return spans[window];
    return { 'limits.openPurchases': 'open purchases', 'limits.unknown': 'unknown outcome' }[key] ?? 'purchases in the hour';
  }
  const what = amount.unit === 'count' ? 'purchases ' : '';
  return `${printable(name ?? '', 120)}, ${what}${window === undefined ? '' : spans[window]}`;
}

function figure({ amount }: CapUse, which: 'used' | 'cap'): string {
  if (amount.unit === 'count') return String(amount[which]);
  const money = amount[which];
  return money === undefined ? 'no cap' : formatDollars(money);
}

function barOf(use: CapUse, { palette }: Voice): readonly [string, string] {
  const share = fullness(use);
  if (share === undefined) return ['', ''];
  const full = Math.max(0, Math.min(BAR_WIDTH, Math.floor(share * BAR_WIDTH)));
  const colour = share >= 1 ? palette.bad : share >= 0.8 ? palette.warn : palette.good;
  return [colour('█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)), `${Math.floor(share * 100)} %`];
}
