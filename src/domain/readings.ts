import type { EpochMs } from './clock.ts';
import type { Micros } from './money.ts';

/** What one question about the balance came to. */
export interface BalanceReading {
  readonly amount: Micros;
  /** When the question left: money that moved after this may be missing in it. */
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
}

/** One market as the health endpoint calls it healthy or not. `status` is kept as heard: an unheard-of one blocks. */
export interface MarketHealth {
  readonly status: string;
  /** Milliseconds; undefined when missing, negative or no number. */
  readonly staleMs: number | undefined;
  /** The service flag of this market; undefined when it is missing or no boolean. */
  readonly service: boolean | undefined;
}

/** A health answer, keyed by the name that listings use for the market (`c5game`, not `c5`). */
export interface HealthReading {
  readonly status: string;
  readonly markets: Readonly<Record<string, MarketHealth>>;
  readonly receivedAt: EpochMs;
}

/** Why there is no health: the key may not read it, or the last answers failed. */
export interface HealthMissing {
  readonly reason: 'forbidden' | 'failed';
  readonly message: string;
  readonly at: EpochMs;
}

/** Which market a name of the health endpoint stands for in listings (the two differ for one of them). */
export const marketOfHealthName: Readonly<Record<string, string>> = { c5: 'c5game', ecosteam: 'ecosteam' };

/** The markets one can buy from. */
export const buyableMarkets = ['c5game', 'ecosteam'] as const;
