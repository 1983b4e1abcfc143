import { type Clock, sleep } from '../domain/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Core } from './core.ts';

/** How often it is looked whether all is ready, or all is done. */
const LOOK_MS = 50;

/** A service that is well answers everything that the start needs within this; then the poll goes out all the same. */
const READY_MS = 15_000;

/** What is in doubt gets this long to settle by evidence. */
const SETTLE_MS = 90_000;

/** Refusals that a single poll shrugs off: somebody was faster. */
const harmless: ReadonlySet<string | undefined> = new Set(['gone', 'repriced']);

export interface Once {
  /** The one poll may go out. */
  readonly ready: Promise<void>;
  /** Everything that can be settled is: 0, or 1 when the poll failed, a purchase is unknown, or the service refused for another reason than the market's course. */
  readonly done: Promise<0 | 1>;
}

/** One poll, its decisions and its buys, and what can be settled of them. */
export function onceOver(core: Core, ledger: Pick<Ledger, 'purchases'>, clock: Clock, signal: AbortSignal): Once {
  const startedAt = clock.now();
  const waitFor = async (condition: () => boolean, ms: number): Promise<boolean> => {
    const until = clock.mono() + ms;
    while (!signal.aborted && !condition()) {
      if (clock.mono() >= until) return false;
      await sleep(clock, LOOK_MS, signal);
    }
    return true;
  };
  const ready = (async () => {
    await waitFor(() => isReady(core), READY_MS);
  })();
  const done = (async (): Promise<0 | 1> => {
    await ready;
    await waitFor(() => core.facts.polls > 0, READY_MS);
    await waitFor(() => core.state.waiting.length === 0 && core.inFlight === 0, Number.POSITIVE_INFINITY);
    const ours = () => ledger.purchases({ since: startedAt });
    await waitFor(() => ours().every(({ state, held }) => state !== 'unknown' && !held), SETTLE_MS);
    const failed = core.facts.polls === 0 || core.facts.failuresInRow > 0;
    const bad = ours().some(
      ({ state, refusalCause }) => state === 'unknown' || (state === 'rejected' && !harmless.has(refusalCause)),
    );
    return failed || bad ? 1 : 0;
  })();
  return { ready, done };
}

function isReady({ state }: Core): boolean {
  const health = state.rules.health.require === 'off' || state.health !== undefined;
  return state.blockers.size === 0 && state.balance !== undefined && health;
}
