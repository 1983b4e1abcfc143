import type { Clock } from '../domain/clock.ts';
import { listingKey } from '../domain/listing.ts';
import { formatDollars } from '../domain/money.ts';
import { type Lane, type Purchase, committedAmount, purchaseJson } from '../domain/purchase.ts';
import type { LookResult } from '../execution/reconciler.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DaemonRequest } from '../ledger/requests.ts';
import type { AuditReport } from '../risk/audit/report.ts';
import type { Refusal } from '../risk/caps.ts';
import { takenBy } from '../risk/taken.ts';
import type { AuditOutcome } from './account-audit.ts';
import type { StandingListing } from '../engine/event.ts';
import type { Posted } from './engine-loop.ts';
import type { PollFacts } from './facts.ts';
import type { Hearing } from './hearing.ts';
import type { JournalGuard } from './journal-guard.ts';

/** What a command that asked for something gets back, as JSON. */
export type RequestReply =
  | {
      readonly ok: true;
      readonly purchase?: Record<string, unknown>;
      readonly message: string;
      readonly unknown?: number;
      readonly report?: AuditReport;
    }
  | { readonly ok: false; readonly error: string; readonly purchase?: Record<string, unknown>; readonly unknown?: number };

/** What is bought by hand was shown by the service within this time, or within this many polls. */
const SEEN_MS = 30_000;
const SEEN_POLLS = 3;

export interface ByHandOptions {
  readonly ledger: Pick<Ledger, 'answer' | 'purchasesOfListing'>;
  readonly clock: Clock;
  readonly journal: JournalGuard;
  readonly hearing: Hearing;
  readonly facts: PollFacts;
  /** From one poll to the next, milliseconds. */
  readonly intervalMs: number;
  /** One look at the account's orders, now. */
  readonly look: () => Promise<LookResult>;
  readonly post: (event: Posted) => void;
  /** Where purchases by hand go. */
  readonly lane: Lane;
  /** Holds our rows against everything that the service shows. */
  readonly audit: () => Promise<AuditOutcome>;
  /** Magpie is being stopped. */
  readonly stopped: () => boolean;
  readonly onDefect: (error: unknown) => void;
}

/** What other commands ask of the daemon: a purchase by hand, a look at the orders, an audit. */
export class ByHand {
  readonly #options: ByHandOptions;
  /** One audit at a time. */
  #audits: Promise<void> = Promise.resolve();

  constructor(options: ByHandOptions) {
    this.#options = options;
  }

  obey(request: DaemonRequest): void {
    switch (request.kind) {
      case 'buy':
        return this.#buy(request);
      case 'reconcile':
        return void this.#reconcile(request.id).catch(this.#options.onDefect);
      case 'audit':
        this.#audits = this.#audits.then(() => this.#audit(request.id)).catch(this.#options.onDefect);
    }
  }

  /** The purchase that was asked for, as it stands; undefined when the ledger refused it. */
  bought(requestId: number, purchase: Purchase | undefined, refusal: Refusal | undefined): void {
    if (purchase === undefined)
      return this.refused(requestId, refusal ?? { reason: 'journal-failed', detail: 'nothing was committed' });
    const fine = purchase.state !== 'rejected' && purchase.state !== 'expired' && purchase.state !== 'unknown';
    const json = purchaseJson(purchase);
    if (fine) this.#reply(requestId, { ok: true, purchase: json, message: `purchase ${purchase.id} is ${purchase.state}` });
    else
      this.#reply(requestId, {
        ok: false,
        purchase: json,
        error: `purchase ${purchase.id} is ${purchase.state}: ${purchase.reason ?? 'no reason given'}`,
      });
  }

  refused(requestId: number, { reason, detail }: Refusal): void {
    this.#reply(requestId, { ok: false, error: `not bought (${reason}): ${detail}` });
  }

  #buy({ id, args }: DaemonRequest): void {
    const { hearing, post, lane } = this.#options;
    const wanted = readBuyArgs(args);
    if (wanted === undefined) return this.#reply(id, { ok: false, error: 'a purchase by hand needs a listing id and a market' });
    const runs = lane === 'live' ? 'live' : 'dry-run';
    if (wanted.mode !== undefined && wanted.mode !== runs) {
      const error = `the running daemon is in mode ${runs}, the configuration of this command says ${wanted.mode}: nothing was bought. Give both the same configuration`;
      return this.#reply(id, { ok: false, error });
    }
    const seen = hearing.shelf.get(listingKey(wanted.market, wanted.listingId));
    const earlier = this.#earlier(wanted, seen?.listing.price);
    if (earlier !== undefined) return this.#reply(id, { ok: false, error: earlier });
    if (seen === undefined) return this.#reply(id, { ok: false, error: this.#unseen(wanted) });
    const stale = this.#staleness(seen);
    if (stale !== undefined) return this.refused(id, stale);
    post({ type: 'by-hand', listing: seen.listing, seenAt: seen.seenAt, lane, requestId: id });
  }

  /** What an earlier purchase of the listing means for another: which one, since when. Undefined when it means nothing. */
  #earlier({ market, listingId }: BuyArgs, price: number | undefined): string | undefined {
    const { journal, ledger, lane } = this.#options;
    const purchases = journal.attempt(() => ledger.purchasesOfListing(market, listingId)) ?? [];
    const before = purchases.find((purchase) => {
      const taken = purchase.lane === lane ? takenBy(purchase) : undefined;
      return taken?.kind === 'closed' || (taken?.kind === 'simulated' && taken.price === price);
    });
    return before && earlierWords(before);
  }

  /** A listing that nobody shows: gone, or nobody could ask. */
  #unseen({ listingId, market }: BuyArgs): string {
    const { facts, hearing } = this.#options;
    if (facts.lastCompleteAt === undefined || facts.lastFault !== undefined) {
      const why = facts.lastFault ?? hearing.accountFault ?? 'no whole answer yet';
      return `the live listings could not be read (${why}), so nobody can tell whether listing ${listingId} stands: nothing was bought`;
    }
    return `listing ${listingId} is not among the live listings of ${market}: see \`magpie why ${listingId}\``;
  }

  /** Whether what the service showed last is too old to buy by; undefined when it is not. */
  #staleness({ seenAt, alone = false }: StandingListing): Refusal | undefined {
    const { clock, facts, intervalMs } = this.#options;
    const ageMs = clock.now() - (alone ? seenAt : Math.max(seenAt, facts.lastCompleteAt ?? 0));
    if (ageMs <= Math.max(SEEN_MS, intervalMs * SEEN_POLLS)) return undefined;
    const why = facts.lastFault === undefined || alone ? '' : ` (since then: ${facts.lastFault})`;
    const what = alone ? 'its item was last looked at' : 'the live listings were last read';
    return { reason: 'snapshot-stale', detail: `${what} ${Math.round(ageMs / 1000)} s ago${why}` };
  }

  async #reconcile(id: number): Promise<void> {
    const { ok, message, unknown } = await this.#options.look();
    this.#reply(id, ok ? { ok: true, message, unknown } : { ok: false, error: message, unknown });
  }

  /** An audit that a stop has cut off is not answered: the ledger may be closed by now, and the next start answers it. */
  async #audit(id: number): Promise<void> {
    const { audit, stopped } = this.#options;
    const outcome = await audit();
    if (stopped()) return;
    if (outcome.ok) this.#reply(id, { ok: true, message: 'the books were compared', report: outcome.report });
    else this.#reply(id, { ok: false, error: outcome.message });
  }

  #reply(id: number, reply: RequestReply): void {
    const { journal, ledger, clock } = this.#options;
    journal.attempt(() => ledger.answer(id, reply, clock.now()));
  }
}

function earlierWords({ id, listingId, state, lane, createdAt, ...purchase }: Purchase): string {
  const what = lane === 'paper' ? 'counted on paper' : state === 'unknown' || state === 'rejected' ? 'perhaps bought' : 'bought';
  const when = new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ');
  const rule = lane === 'paper' ? 'the same offer counts once' : 'a listing is never bought twice';
  return `listing ${listingId} was ${what} before: purchase ${id} of ${when} UTC, ${formatDollars(committedAmount(purchase))} with the fee, is ${state}; ${rule}. See \`magpie purchases ${id}\``;
}

interface BuyArgs {
  readonly listingId: string;
  readonly market: string;
  /** What the configuration of whoever asks says; undefined when that is not told. */
  readonly mode: string | undefined;
}

function readBuyArgs(args: unknown): BuyArgs | undefined {
  if (typeof args !== 'object' || args === null) return undefined;
  const { listingId, market, mode } = args as Record<string, unknown>;
  if (typeof listingId !== 'string' || typeof market !== 'string') return undefined;
  return { listingId, market, mode: typeof mode === 'string' ? mode : undefined };
}
