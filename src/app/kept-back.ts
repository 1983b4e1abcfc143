import type { Clock } from '../domain/clock.ts';
import { stopOf } from '../engine/judge.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Core } from './core.ts';

interface Asked {
  readonly core: Pick<Core, 'state' | 'keep'> & { readonly lookout: Pick<Core['lookout'], 'slept'> };
  readonly ledger: Pick<Ledger, 'haltedOnDisk'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Why a purchase must not leave any more that was written a while ago and has waited for a connection: somebody halted, the daemon
 * stops, the journal fails, the market is not well. The halt is read from its row: the daemon may not have looked since it was written.
 */
export function keptBack(market: string, { core, ledger, clock }: Asked): string | undefined {
  const found = core.keep(() => ({ halt: ledger.haltedOnDisk() }));
  if (found === undefined) return words('the journal cannot be read');
  if (found.halt !== undefined) return words(`halted: ${found.halt.reason}`);
  if (core.lookout.slept()) return words('the machine slept');
  const stop = stopOf(core.state, market, clock.now());
  return stop && words(`${stop.reason}: ${stop.detail}`);
}

function words(why: string): string {
  return `kept back before it left (${why})`;
}
