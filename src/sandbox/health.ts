import type { EpochMs } from '../domain/clock.ts';
import { buyableMarkets } from '../domain/readings.ts';
import type { FaultPlan } from './fault-plan.ts';

export type HealthStatus = 'ok' | 'degraded' | 'down';

interface Spell {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

const MINUTE = 60_000;
/** The first seconds after a start are calm, and so is the start of every later minute. */
const CALM_MS = 20_000;

/** How the two markets are: each has bad spells, decided minute by minute from the seed. */
export class Health {
  readonly #plan: FaultPlan;
  readonly #startedAt: EpochMs;
  readonly #boot: number;

  constructor(plan: FaultPlan, startedAt: EpochMs, boot: number) {
    this.#plan = plan;
    this.#startedAt = startedAt;
    this.#boot = boot;
  }

  /** The status of a market as listings name it, and since when it is bad. */
  of(market: string, now: EpochMs): { readonly status: HealthStatus; readonly since: EpochMs } {
    for (const [name, status] of [
      ['healthDown', 'down'],
      ['healthDegraded', 'degraded'],
    ] as const) {
      const spell = this.#spell(name, market, now);
      if (spell && now >= spell.from && now < spell.until) return { status, since: spell.from };
    }
    return { status: 'ok', since: now };
  }

  /** ok when both are, down when both are, degraded in between. */
  overall(now: EpochMs): HealthStatus {
    const all = buyableMarkets.map((market) => this.of(market, now).status);
    if (all.every((status) => status === 'ok')) return 'ok';
    return all.every((status) => status === 'down') ? 'down' : 'degraded';
  }

  #spell(name: 'healthDown' | 'healthDegraded', market: string, now: EpochMs): Spell | undefined {
    const minute = Math.floor((now - this.#startedAt) / MINUTE);
    const id = `${market}/${this.#boot}/${minute}`;
    if (!this.#plan.strikesFor(name, id)) return undefined;
    const random = this.#plan.randomFor(name, id);
    random.next();
    const length = Math.min(MINUTE - CALM_MS, this.#plan.lasts('spell', random));
    const from = this.#startedAt + minute * MINUTE + CALM_MS + Math.floor(random.next() * (MINUTE - CALM_MS - length));
    return { from, until: from + length };
  }
}
