import type { Clock } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { Effect } from '../engine/effect.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Buyer } from '../execution/buyer.ts';
import type { Paper } from '../execution/paper.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import { type Bell, haltAlert } from './bell.ts';
import type { ByHand } from './by-hand.ts';
import type { JournalGuard } from './journal-guard.ts';
import type { PermitPump } from './permit-pump.ts';
import type { Telling } from './telling.ts';

export interface ObedienceOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: JournalGuard;
  readonly bell: Bell;
  readonly telling: Telling;
  readonly byHand: ByHand;
  /** What live purchases need; undefined in dry-run. */
  readonly means: { readonly buyer: Buyer; readonly pump: PermitPump } | undefined;
  readonly paper: Paper;
  readonly onDefect: (error: unknown) => void;
}

/** Does what the engine says, effect by effect. */
export class Obedience {
  readonly #options: ObedienceOptions;
  /** Why the ledger refused an approved intent: what a person who asked by hand is told. */
  readonly #refusals = new Map<ListingKey, Refusal>();
  #haltToWrite: { readonly reason: string; readonly by: string } | undefined;

  constructor(options: ObedienceOptions) {
    this.#options = options;
  }

  obey(effect: Effect): void {
    const { ledger, journal, bell, telling, byHand, paper } = this.#options;
    switch (effect.type) {
      case 'buy':
        this.#buy(effect.intent, effect.requestId);
        break;
      case 'simulate': {
        const purchase = paper.simulate(effect.intent);
        this.#answer(effect.requestId, effect.intent, purchase);
        break;
      }
      case 'decide':
        journal.attempt(() => ledger.recordDecisions(effect.decisions));
        for (const decision of effect.decisions) telling.decision(decision);
        break;
      case 'halt':
        this.#haltToWrite = effect;
        this.writeHalt();
        break;
      case 'alert':
        bell.ring(effect.alert);
        break;
      case 'refuse-by-hand':
        byHand.refused(effect.requestId, effect.refusal);
        break;
      case 'count-matches':
        journal.attempt(() => ledger.addMatches(effect.hour, effect.matches));
        break;
    }
  }

  /** The ledger refused what the engine had approved. */
  refusedByRows(intent: Approved<Intent>, refusal: Refusal): void {
    this.#refusals.set(intent.listing.key, refusal);
  }

  /** A halt has tripped and is not on disk yet. */
  get haltWaits(): boolean {
    return this.#haltToWrite !== undefined;
  }

  /** A halt must outlive the process; while the journal refuses it, it holds in memory and is tried again. */
  writeHalt(): void {
    const { ledger, journal, clock, bell } = this.#options;
    const halt = this.#haltToWrite;
    if (halt === undefined) return;
    if (journal.attempt(() => ledger.halt(halt.reason, halt.by, clock.now())) === undefined) return;
    this.#haltToWrite = undefined;
    bell.ring(haltAlert(halt.reason, clock.now()));
  }

  /** At the end, when there is no later: tried whatever the journal has refused before. */
  lastHalt(): void {
    const { ledger, clock } = this.#options;
    const halt = this.#haltToWrite;
    if (halt === undefined) return;
    try {
      ledger.halt(halt.reason, halt.by, clock.now());
      this.#haltToWrite = undefined;
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
    }
  }

  #buy(intent: Approved<Intent>, requestId: number | undefined): void {
    const { means, telling, onDefect } = this.#options;
    if (means === undefined) throw new Error('a live purchase where nothing can send one');
    const { buyer, pump } = means;
    // It commits and sends before it first waits: the telling comes after.
    buyer
      .buy(intent, pump.claim())
      .then((purchase) => this.#answer(requestId, intent, purchase))
      .catch(onDefect);
    telling.buying(intent.listing, intent.strategy);
  }

  #answer(requestId: number | undefined, intent: Approved<Intent>, purchase: Parameters<ByHand['bought']>[1]): void {
    const { key } = intent.listing;
    const refusal = this.#refusals.get(key);
    this.#refusals.delete(key);
    if (requestId !== undefined) this.#options.byHand.bought(requestId, purchase, refusal);
  }
}
