import { formatDollars } from '../../src/domain/money.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import type { Comparison, Said } from './comparison.ts';
import type { LongRunOptions } from './long-run-options.ts';

export interface RunFacts {
  readonly options: LongRunOptions;
  /** How often each fault struck. */
  readonly faults: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly halts: ReadonlyMap<string, number>;
  readonly books: BooksView;
  readonly said: Said;
  readonly comparison: Comparison;
  /** Empty when everything is as promised. */
  readonly failures: readonly string[];
}

/** What a run has shown, in lines for a person. */
export function report({ options, faults, kills, halts, books, said, comparison, failures }: RunFacts): string {
  const { agreed, debited, returned } = comparison;
  const struck = Object.values(faults).filter((count) => count > 0);
  const posts = books.events.filter(({ kind }) => kind === 'post').length;
  const resumed = [...halts].map(([name, count]) => `${count} × ${name}`).join(', ');
  const rows: readonly (readonly [string, string])[] = [
    ['faults', `${total(struck)} struck, ${struck.length} of ${Object.keys(faults).length} kinds at least once`],
    ['kill -9', `${kills} times, each followed by a start`],
    ['halts', resumed === '' ? 'none' : `${resumed}; each looked into and resumed by the script, which plays the person`],
    ['buys', `${posts} POSTs arrived, ${books.orders.length} orders came of them and of others`],
    ['purchases', statesOf(said)],
    ['orders', `${agreed.orders} are one purchase each, ${agreed.adopted} of others are adopted`],
    ['no order', `${agreed.withoutOrder} purchases, and the exchange has none for them; ${agreed.unknown} unknown, still held`],
    ['money', `${formatDollars(debited)} debited, ${formatDollars(returned)} came back, balance $${said.status.balance ?? '?'}`],
    [
      'promises',
      'no listing bought twice, none lost, no cap exceeded at any accepted instant, no buy without its record before it',
    ],
  ];
  const title = `${options.minutes} minutes with every fault on, seed ${options.seed}: the exchange's books and Magpie's`;
  const lines = ['', title, ...rows.map(([label, words]) => `  ${label.padEnd(11)}${words}`)];
  if (failures.length === 0) return [...lines, 'In full agreement.'].join('\n');
  return [...lines.slice(0, -1), '', `${failures.length} differences:`, ...failures.map((words) => `  - ${words}`)].join('\n');
}

function statesOf({ purchases }: Said): string {
  const counts = new Map<string, number>();
  for (const { state } of purchases) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${purchases.length}: ${[...counts].map(([state, count]) => `${count} ${state}`).join(', ')}`;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, each) => sum + each, 0);
}
