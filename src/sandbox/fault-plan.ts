import { exchangeFaultNames, faultRates, type ExchangeFaultName, type ExchangeFaultRates } from '../domain/exchange-fault.ts';
import { seededRandom, type Random } from '../domain/random.ts';

/** How long things take that a fault makes late, milliseconds from and to; drawn evenly on a logarithmic scale. */
export interface FaultTimes {
  /** Late answers and buys executed late. */
  readonly late: readonly [number, number];
  /** Rows, balances and refunds that show late. */
  readonly lag: readonly [number, number];
  /** Spells: bans, frozen feeds, bad health. */
  readonly spell: readonly [number, number];
}

const usualFaultTimes: FaultTimes = { late: [1000, 20_000], lag: [2000, 20_000], spell: [3000, 12_000] };

/** Decisions kept for each fault, so that a change of rates does not rewrite the recent past; older ones follow the new rate. */
const DECISIONS_KEPT = 20_000;

/**
 * Decides when which fault strikes. Each fault draws from a stream of its own, so that the market's course and the other
 * faults stay as they are when one is switched on; what concerns one order or row is decided by its id, so that the answer
 * is the same at every look and after a restart.
 */
export class FaultPlan {
  readonly #seed: number;
  readonly #boot: number;
  readonly #streams = new Map<ExchangeFaultName, Random>();
  readonly #struck = new Map<ExchangeFaultName, number>();
  /** How often each fault is still to strike whatever its rate. */
  readonly #due = new Map<ExchangeFaultName, number>();
  readonly #ids = new Map<ExchangeFaultName, Map<string, boolean>>();
  readonly #times: FaultTimes;
  #rates: ExchangeFaultRates;

  /** Throws RangeError for a rate outside 0 to 1. */
  constructor(seed: number, boot: number, rates: Partial<ExchangeFaultRates>, times: Partial<FaultTimes> = {}) {
    this.#seed = seed;
    this.#boot = boot;
    this.#rates = faultRates(rates);
    this.#times = { ...usualFaultTimes, ...times };
  }

  get rates(): ExchangeFaultRates {
    return this.#rates;
  }

  /** Other rates from now on; those not given go back to the table's own. What was decided for an id stays decided. */
  setRates(rates: Partial<ExchangeFaultRates>): void {
    this.#rates = faultRates(rates);
  }

  /** Has a fault strike its next occasions, whatever its rate. */
  strikeNext(name: ExchangeFaultName, times: number): void {
    this.#due.set(name, (this.#due.get(name) ?? 0) + times);
  }

  /** How often each fault has struck so far. */
  struck(): Readonly<Record<string, number>> {
    return Object.fromEntries(exchangeFaultNames.map((name) => [name, this.#struck.get(name) ?? 0]));
  }

  /** Whether the fault strikes this time. */
  strikes(name: ExchangeFaultName): boolean {
    const rate = this.#rates[name];
    if (!this.#isDue(name) && (rate === 0 || this.random(name).next() >= rate)) return false;
    this.#count(name);
    return true;
  }

  /** Whether the fault strikes what this id names: decided once for all. */
  strikesFor(name: ExchangeFaultName, id: string): boolean {
    const decided = this.#ids.get(name)?.get(id);
    if (decided !== undefined) return decided;
    const strikes = this.#isDue(name) || this.randomFor(name, id).next() < this.#rates[name];
    const all = this.#decided(name);
    all.set(id, strikes);
    if (all.size > DECISIONS_KEPT) all.delete(all.keys().next().value ?? id);
    if (strikes) this.#count(name);
    return strikes;
  }

  /** The fault's own stream, for what else it draws. */
  random(name: ExchangeFaultName): Random {
    const known = this.#streams.get(name);
    if (known) return known;
    const stream = seededRandom(this.#seed, `fault/${name}/${this.#boot}`);
    this.#streams.set(name, stream);
    return stream;
  }

  /** A stream for what one id's fault draws: the same at every look. */
  randomFor(name: ExchangeFaultName, id: string): Random {
    return seededRandom(this.#seed, `fault/${name}/of/${id}`);
  }

  /** A length of time of the given kind, whole milliseconds. */
  lasts(kind: keyof FaultTimes, random: Random): number {
    const [low, high] = this.#times[kind];
    return Math.round(low * (high / low) ** random.next());
  }

  #decided(name: ExchangeFaultName): Map<string, boolean> {
    const known = this.#ids.get(name);
    if (known) return known;
    const fresh = new Map<string, boolean>();
    this.#ids.set(name, fresh);
    return fresh;
  }

  #isDue(name: ExchangeFaultName): boolean {
    const due = this.#due.get(name) ?? 0;
    if (due > 0) this.#due.set(name, due - 1);
    return due > 0;
  }

  #count(name: ExchangeFaultName): void {
    this.#struck.set(name, (this.#struck.get(name) ?? 0) + 1);
  }
}
