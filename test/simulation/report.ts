import type { LifeResult } from './life.ts';
import type { Plan } from './plan.ts';
import { type SeedSummary, type Tally, bump, byName, days, listed, missed, neverStruck } from './tally.ts';

/** What one life came to, as it is handed from a worker. */
export interface LifeSummary extends SeedSummary {
  readonly kind: Plan['kind'];
  readonly struck: Readonly<Record<string, number>>;
  /** Fault kinds that were on in its plan. */
  readonly on: readonly string[];
  readonly livedMs: number;
  readonly posts: number;
  readonly early: number;
  readonly accepted: number;
  readonly boots: number;
  readonly states: Readonly<Record<string, number>>;
  readonly tripped: readonly string[];
  readonly hash: string;
}

export function summaryOf(result: LifeResult): LifeSummary {
  const { plan, violations, struck, livedMs, posts, early, accepted, boots, states, tripped, hash } = result;
  return {
    seed: plan.seed,
    kind: plan.kind,
    violations,
    struck,
    on: kindsOn(plan),
    livedMs,
    posts,
    early,
    accepted,
    boots,
    states,
    tripped: tripped.map(({ by }) => by),
    hash,
  };
}

/** The kinds of faults that a plan means to inject. */
function kindsOn(plan: Plan): string[] {
  const rated = { ...plan.faults, ...plan.network.rates };
  const kinds = Object.entries(rated).flatMap(([name, rate]) => (rate > 0 ? [name] : []));
  for (const { kind } of plan.crashes) kinds.push(kind);
  if (plan.disk.length > 0) kinds.push('disk');
  if (plan.clockSteps.length > 0) kinds.push('clock');
  if (plan.restores.length > 0) kinds.push('backup');
  for (const name of ['halt', 'reload'] as const) if (plan.acts.some((act) => act.do === name)) kinds.push(name);
  return [...new Set(kinds)];
}

/** The figures of many lives. */
export class Figures implements Tally<LifeSummary> {
  readonly failed: LifeSummary[] = [];
  lives = 0;
  livedMs = 0;
  posts = 0;
  early = 0;
  accepted = 0;
  boots = 0;
  violations = 0;
  readonly struck = new Map<string, number>();
  readonly states = new Map<string, number>();
  readonly tripped = new Map<string, number>();
  readonly #on = new Set<string>();

  add(life: LifeSummary): void {
    this.lives++;
    this.livedMs += life.livedMs;
    this.posts += life.posts;
    this.early += life.early;
    this.accepted += life.accepted;
    this.boots += life.boots;
    this.violations += life.violations.length;
    for (const [name, count] of Object.entries(life.struck)) bump(this.struck, name, count);
    for (const [name, count] of Object.entries(life.states)) bump(this.states, name, count);
    for (const by of life.tripped) bump(this.tripped, by, 1);
    for (const kind of life.on) this.#on.add(kind);
    if (life.violations.length > 0) this.failed.push(life);
  }

  /** Fault kinds that were on and never struck: such a run proves nothing about them. */
  get neverStruck(): string[] {
    return neverStruck(this.#on, this.struck);
  }

  get ok(): boolean {
    return this.violations === 0 && this.neverStruck.length === 0 && this.accepted > 0;
  }

  json(): Record<string, unknown> {
    return {
      seeds: this.lives,
      simulatedDays: Number(days(this.livedMs).toFixed(2)),
      posts: this.posts,
      postsBeforeAnswerEnded: this.early,
      purchases: this.accepted,
      starts: this.boots,
      violations: this.violations,
      failedSeeds: this.failed.map(({ seed }) => seed),
      states: Object.fromEntries(this.states),
      halts: Object.fromEntries(this.tripped),
      struck: Object.fromEntries([...this.struck].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))),
      neverStruck: this.neverStruck,
    };
  }

  /** For a person: one paragraph, then faults and crashes by kind. */
  text(): string {
    const kinds = [...this.struck].filter(([name, count]) => count > 0 && !name.includes(': ')).sort(byName);
    const crashes = [...this.struck].filter(([name]) => /^(?:crash|power): /.test(name)).sort(byName);
    const died = crashes.reduce((sum, [, count]) => sum + count, 0);
    return [
      `${this.lives} lives, ${days(this.livedMs).toFixed(1)} days of market time, ${this.posts} buys sent (${this.early} before the answer that showed the listing had ended), ${this.accepted} purchases, ${died} crashes survived, ${this.violations} violations`,
      `states in the end: ${listed([...this.states])}`,
      `halts by themselves: ${listed([...this.tripped]) || 'none'}`,
      `faults struck: ${listed(kinds)}`,
      `crashes by point: ${listed(crashes)}`,
      ...missed(this.neverStruck, '100 meet each'),
    ].join('\n');
  }
}
