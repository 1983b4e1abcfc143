import type { EpochMs } from '../domain/clock.ts';
import { buyableMarkets } from '../domain/readings.ts';
import type { Look } from '../engine/evidence.ts';
import type { EngineState } from '../engine/state.ts';
import { marketRefusal } from '../risk/health.ts';

/** Remembers when each market was last not well: only time in which a market is well may count as quiet. */
export class HealthWatch {
  readonly #unwellAt = new Map<string, EpochMs>();

  /** To be called several times a minute with what the engine knows. */
  note(state: Readonly<EngineState>, now: EpochMs): void {
    const policy = { require: 'ok', staleAfterMs: state.rules.health.staleAfterMs } as const;
    for (const market of buyableMarkets) {
      if (!this.#unwellAt.has(market) || marketRefusal(market, state.health, policy, now) !== undefined)
        this.#unwellAt.set(market, now);
    }
  }

  /** Markets that were well without a break since then. */
  since(state: Readonly<EngineState>, since: EpochMs): Pick<Look, 'healthyMarkets' | 'healthUnreadable'> {
    const { health, rules } = state;
    const healthUnreadable =
      rules.health.require === 'off' || (health !== undefined && 'reason' in health && health.reason === 'forbidden');
    const healthyMarkets = new Set(
      buyableMarkets.filter((market) => (this.#unwellAt.get(market) ?? Number.POSITIVE_INFINITY) < since),
    );
    return { healthyMarkets, healthUnreadable };
  }
}
