import { formatDollars, micros } from '../../src/domain/money.ts';
import { type SeedSummary, type Tally, bump, byName, days, listed, missed, neverStruck } from '../simulation/tally.ts';
import { violation } from '../simulation/violation.ts';
import { Life, amountIn, beyondFaults, isBeyond, transferFaults } from './life.ts';

export interface TreasurySummary extends SeedSummary {
  readonly livedMs: number;
  readonly transfers: number;
  /** In micro-dollars. */
  readonly moved: number;
  readonly restarts: number;
  readonly halts: number;
  readonly struck: Readonly<Record<string, number>>;
}

const ROUNDS = { long: 120, short: 60 } as const;

/** One life of a treasury, audited. */
export async function liveTreasury(seed: number, length: keyof typeof ROUNDS): Promise<TreasurySummary> {
  const { violations, halts, rows, struck, transfers, livedMs, restarts } = await new Life(seed).live(ROUNDS[length]);
  const falseHalts = isBeyond(seed) ? [] : halts.map((why) => violation('false-halt', why));
  return {
    ...{ seed, livedMs, transfers, restarts, halts: halts.length, struck, moved: amountIn(rows, 'made') },
    violations: [...violations.map((words) => violation('treasury', words)), ...falseHalts],
  };
}

/** The figures of lives of a treasury. */
export class TreasuryFigures implements Tally<TreasurySummary> {
  readonly failed: TreasurySummary[] = [];
  readonly #sums = new Map<string, number>();
  readonly #struck = new Map<string, number>();

  add(summary: TreasurySummary): void {
    for (const name of ['livedMs', 'transfers', 'moved', 'restarts', 'halts'] as const) bump(this.#sums, name, summary[name]);
    bump(this.#sums, 'lives', 1);
    bump(this.#sums, 'violations', summary.violations.length);
    for (const [name, count] of Object.entries(summary.struck)) if (name !== 'answered') bump(this.#struck, name, count);
    if (summary.violations.length > 0) this.failed.push(summary);
  }

  get lives(): number {
    return this.#sum('lives');
  }

  get violations(): number {
    return this.#sum('violations');
  }

  get neverStruck(): string[] {
    return neverStruck(new Set([...transferFaults, ...beyondFaults]), this.#struck);
  }

  get ok(): boolean {
    return this.violations === 0 && this.#sum('moved') > 0 && this.neverStruck.length === 0;
  }

  json(): Record<string, unknown> {
    const names = ['lives', 'transfers', 'restarts', 'halts', 'violations'];
    return {
      ...Object.fromEntries(names.map((name) => [name, this.#sum(name)])),
      simulatedDays: Number(days(this.#sum('livedMs')).toFixed(2)),
      moved: formatDollars(micros(this.#sum('moved'))),
      failedSeeds: this.failed.map(({ seed }) => seed),
      struck: Object.fromEntries(this.#kinds()),
      neverStruck: this.neverStruck,
    };
  }

  text(): string {
    const sum = (name: string): number => this.#sum(name);
    return [
      `${sum('lives')} lives of a treasury, ${days(sum('livedMs')).toFixed(1)} days of market time, ${sum('transfers')} transfers, ${formatDollars(micros(sum('moved')))} moved by it, ${sum('restarts')} starts after a crash, ${sum('halts')} halts where others moved money or balances lied, ${sum('violations')} violations`,
      `faults struck: ${listed(this.#kinds())}`,
      ...missed(this.neverStruck, 'ten meet each'),
    ].join('\n');
  }

  #sum(name: string): number {
    return this.#sums.get(name) ?? 0;
  }

  #kinds(): (readonly [string, number])[] {
    return [...this.#struck].sort(byName);
  }
}
