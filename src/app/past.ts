import type { Clock } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { believedSlowUntil } from '../domain/slow-down.ts';
import type { Effect } from '../engine/effect.ts';
import type { Event } from '../engine/event.ts';
import { type EngineState, type Rules, initialState } from '../engine/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import type { Observer } from './monitoring/observer.ts';

interface Remembering {
  readonly ledger: Ledger;
  readonly rules: Rules;
  readonly clock: Clock;
  readonly inTurns?: boolean | undefined;
}

/** Every purchase as it is, shown on the way to those who tell of news. */
function* known(ledger: Ledger, know: (purchase: Purchase) => void): Iterable<Purchase> {
  for (const purchase of ledger.everyPurchase()) {
    know(purchase);
    yield purchase;
  }
}

/** The engine's state at start: what the ledger remembers. */
export function stateFrom({ ledger, rules, clock, inTurns }: Remembering, know: (purchase: Purchase) => void): EngineState {
  return initialState(rules, {
    purchases: known(ledger, know),
    adopted: ledger.adoptedOrders(),
    halt: ledger.halted(),
    slowedUntil: believedSlowUntil(ledger.slowUntil(), clock.now()),
    refusalsInRow: ledger.refusalsInRow(),
    lags: ledger.lags(),
    now: clock.now(),
    inTurns,
  });
}

/** Events that are on the tape in a form of their own, or say nothing. */
const recordedElsewhere: ReadonlySet<Event['type']> = new Set([
  'snapshot',
  'early',
  'looked',
  'health',
  'balance',
  'outcome',
  'usual',
  'tick',
]);

/** Keeps what the engine is told, so that its decisions can be made again; then whoever counts hears of it. */
export function witnessOf({
  tape,
  observer,
}: {
  readonly tape: Pick<Tape, 'input'> | undefined;
  readonly observer?: Observer | undefined;
}): (event: Event, effects: readonly Effect[]) => void {
  return (event, effects) => {
    if (!recordedElsewhere.has(event.type)) tape?.input('event', event.at, event);
    observer?.stepped(event, effects);
  };
}
