import type { Clock } from '../domain/clock.ts';
import { type Micros, formatDollars, micros } from '../domain/money.ts';
import type { EngineState } from '../engine/state.ts';
import { BALANCE_MAX_AGE_MS, available } from '../risk/balance.ts';
import type { Bell } from './bell.ts';

export interface LowBalanceOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly bell: Pick<Bell, 'once' | 'again'>;
  readonly state: () => Readonly<EngineState>;
  /** undefined: the reserve and a fifth of it, where there is a reserve. */
  readonly lowBalance: Micros | undefined;
}

/** How much above the reserve a person is told, in percent of it. */
const ABOVE_RESERVE = 20;

/** The balance must rise this much above the bound, in percent, before it may fall below it again: readings differ by what is on its way. */
const RISE = 5;

/** Rings when the free balance runs low, before the reserve is reached and nothing is bought any more. Once, until it has risen. */
export class LowBalance {
  readonly #options: LowBalanceOptions;

  constructor(options: LowBalanceOptions) {
    this.#options = options;
  }

  /** To be called again and again. */
  tick(): void {
    const { clock, bell, state, lowBalance } = this.#options;
    const { balance, lanes, rules } = state();
    const { reserve } = rules.limits;
    const bound = lowBalanceBound(lowBalance, reserve);
    const now = clock.now();
    if (bound === 0 || balance === undefined || now - balance.beganAt > BALANCE_MAX_AGE_MS) return;
    const free = available(balance, lanes.live.exposure.holds.values());
    if (free >= percent(bound, 100 + RISE)) return bell.again('low-balance');
    if (free >= bound) return;
    const why = lowBalance === undefined ? `the reserve and ${ABOVE_RESERVE} % of it` : 'alerts.lowBalance';
    const until = reserve > 0 ? `; nothing is bought below the reserve of ${formatDollars(reserve)}` : '';
    bell.once('low-balance', {
      kind: 'low-balance',
      at: now,
      message: `The free balance is ${formatDollars(free)}, below ${formatDollars(bound)} (${why})${until}`,
      next: 'Add to the balance.',
      purchaseId: undefined,
    });
  }
}

/** A free balance below this is told of; 0: none is. */
export function lowBalanceBound(lowBalance: Micros | undefined, reserve: Micros): Micros {
  return lowBalance ?? percent(reserve, 100 + ABOVE_RESERVE);
}

function percent(amount: Micros, share: number): Micros {
  return micros(Math.ceil((amount * share) / 100));
}
