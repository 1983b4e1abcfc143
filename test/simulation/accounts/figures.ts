import { type SeedSummary, type Tally, bump, byName, days, listed, missed, neverStruck } from '../tally.ts';
import type { AccountsResult } from './accounts-life.ts';
import type { AccountsPlan, Aimed } from './plan.ts';

export interface AccountsSummary extends SeedSummary {
  readonly accounts: number;
  readonly lives: number;
  readonly livedMs: number;
  readonly posts: number;
  readonly purchases: number;
  readonly restarts: number;
  readonly compared: number;
  readonly same: number;
  readonly struck: Readonly<Record<string, number>>;
  /** What befell all of them together. */
  readonly befell: Readonly<Record<string, number>>;
  /** Kinds of that which were meant to. */
  readonly together: readonly string[];
  /** Fault kinds that were aimed. */
  readonly on: readonly string[];
}

export function summaryOfAccounts({ plan, hash: _, ...told }: AccountsResult): AccountsSummary {
  return {
    ...told,
    seed: plan.seed,
    accounts: plan.accounts.length,
    on: [...new Set(plan.aims.flatMap(kindsIn))],
    together: together(plan),
  };
}

function together({ together: all, readerNetwork, accounts, target }: AccountsPlan): string[] {
  if (all === undefined) return [];
  const saved = accounts.some(({ plan }, place) => place !== target && plan.acts.some((act) => act.do === 'reload'));
  return [...on({ ...all.faults, ...readerNetwork.rates }), ...all.ends.map(({ kind }) => kind), ...(saved ? ['reload'] : [])];
}

function on(rates: Readonly<Record<string, number>>): string[] {
  return Object.entries(rates).flatMap(([name, rate]) => (rate > 0 ? [name] : []));
}

function kindsIn({ blows, faults, network, disk, acts }: Aimed): string[] {
  return [
    ...blows.map(({ name }) => name),
    ...on({ ...faults, ...network }),
    ...(disk.length > 0 ? ['disk'] : []),
    ...acts.map((act) => act.do),
  ];
}

/** The figures of lives of many accounts. */
export class AccountsFigures implements Tally<AccountsSummary> {
  readonly failed: AccountsSummary[] = [];
  readonly struck = new Map<string, number>();
  readonly befell = new Map<string, number>();
  readonly #on = new Set<string>();
  readonly #together = new Set<string>();
  readonly #sums = new Map<string, number>();

  add(summary: AccountsSummary): void {
    for (const name of ['lives', 'livedMs', 'posts', 'purchases', 'restarts', 'compared', 'same'] as const)
      bump(this.#sums, name, summary[name]);
    bump(this.#sums, 'seeds', 1);
    bump(this.#sums, 'accounts', summary.accounts * summary.lives);
    bump(this.#sums, 'violations', summary.violations.length);
    for (const [name, count] of Object.entries(summary.struck)) bump(this.struck, name, count);
    for (const [name, count] of Object.entries(summary.befell)) bump(this.befell, name, count);
    for (const kind of summary.on) this.#on.add(kind);
    for (const kind of summary.together) this.#together.add(kind);
    if (summary.violations.length > 0) this.failed.push(summary);
  }

  get lives(): number {
    return this.#sum('lives');
  }

  get violations(): number {
    return this.#sum('violations');
  }

  get neverStruck(): string[] {
    return [...neverStruck(this.#on, this.struck), ...neverStruck(this.#together, this.befell)];
  }

  get ok(): boolean {
    return this.violations === 0 && this.#sum('compared') > 0 && this.#sum('purchases') > 0 && this.neverStruck.length === 0;
  }

  json(): Record<string, unknown> {
    const names = ['seeds', 'lives', 'accounts', 'posts', 'purchases', 'restarts', 'violations', 'compared', 'same'];
    return {
      ...Object.fromEntries(names.map((name) => [name, this.#sum(name)])),
      simulatedDays: Number(days(this.#sum('livedMs')).toFixed(2)),
      failedSeeds: this.failed.map(({ seed }) => seed),
      struck: Object.fromEntries(kindsOf(this.struck)),
      befell: Object.fromEntries(kindsOf(this.befell)),
      neverStruck: this.neverStruck,
    };
  }

  text(): string {
    const sum = (name: string): number => this.#sum(name);
    const of = `${sum('lives')} lives of ${sum('seeds')} seeds, ${sum('accounts')} lives of an account`;
    return [
      `${of}, ${days(sum('livedMs')).toFixed(1)} days of market time, ${sum('posts')} buys sent, ${sum('purchases')} purchases, ${sum('restarts')} accounts started again, ${sum('violations')} violations`,
      `isolated: of ${sum('compared')} lives of accounts that nothing was aimed at, ${sum('same')} went as without the faults, hash for hash`,
      `aimed at one account and struck: ${listed(kindsOf(this.struck))}`,
      ...(this.#together.size > 0 ? [`befell all of them together: ${listed(kindsOf(this.befell))}`] : []),
      ...missed(this.neverStruck, 'some twenty meet each'),
    ].join('\n');
  }

  #sum(name: string): number {
    return this.#sums.get(name) ?? 0;
  }
}

function kindsOf(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].filter(([name, count]) => count > 0 && !name.includes(': ')).sort(byName);
}
