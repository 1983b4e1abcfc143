import type { Clock } from '../domain/clock.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Reconciler } from '../execution/reconciler.ts';
import type { Told } from '../execution/told.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';
import type { JournalGuard } from './journal-guard.ts';
import type { Lookout } from './lookout.ts';
import type { Obedience } from './obedience.ts';
import type { Outside } from './outside.ts';
import type { Shadowing } from './shadowing.ts';
import type { Telling } from './telling.ts';

/** Whom the news of execution concerns. What is made after execution comes as a function. */
export interface Concerned {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'timingsOf'>;
  readonly tape: Pick<Tape, 'input'> | undefined;
  readonly telling: Telling;
  readonly lookout: Lookout;
  readonly journal: JournalGuard;
  readonly bell: Bell;
  readonly post: (event: Posted) => void;
  /** undefined: purchases on paper are not checked again. */
  readonly shadows: Pick<Shadowing, 'take'> | undefined;
  readonly looks: () => Pick<Reconciler, 'soon'>;
  readonly obedience: () => Pick<Obedience, 'refusedByRows'>;
  readonly outside: () => Pick<Outside, 'look'>;
}

/** Hands on what execution tells: to the engine as events, to a person as lines and alerts, to the recording. */
export function tellAll(concerned: Concerned): Told {
  const { telling, lookout, journal, bell, post, shadows, looks, obedience, outside } = concerned;
  return {
    purchases: (purchases) => {
      for (const late of telling.purchases(purchases)) lookout.lateBought(late);
      for (const purchase of purchases) lookout.know(purchase);
      post({ type: 'purchases', purchases });
      shadows?.take(purchases);
    },
    outcome: (purchase, outcome) => {
      post({ type: 'outcome', purchase, outcome });
      if (outcome.kind === 'refused' || outcome.kind === 'unknown') looks().soon();
      recordAttempt(concerned, purchase, outcome);
    },
    notCommitted: (intent, refusal) => {
      obedience().refusedByRows(intent, refusal);
      post({ type: 'not-committed', intent, refusal });
    },
    adopted: (order) => post({ type: 'adopted', order }),
    explained: (orderId) => post({ type: 'explained', orderId }),
    halted: () => outside().look(),
    alert: (alert) => bell.show(alert),
    journal: (failure) => (failure === undefined ? journal.mend() : journal.failed(failure)),
  };
}

function recordAttempt({ ledger, journal, tape, clock }: Concerned, purchase: Purchase, outcome: BuyOutcome): void {
  const { id: purchaseId, lane, strategy, market, listingId } = purchase;
  const timings = journal.attempt(() => ledger.timingsOf(purchaseId));
  if (timings === undefined) return;
  const attempt = { purchaseId, lane, strategy, market, listingId, pollSeq: undefined, timings, outcome };
  tape?.input('attempt', clock.now(), attempt);
}
