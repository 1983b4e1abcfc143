import type { Decision } from '../domain/decision.ts';
import type { Clock } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import { type Micros, formatDollars, sum } from '../domain/money.ts';
import { type Lane, type Purchase, type PurchaseState, committedAmount, isCommitted } from '../domain/purchase.ts';
import { type ShadowFigures, type ShadowReason, shadowReasons, shadowResult, shadowWords } from '../domain/shadow.ts';
import { counted } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import type { Settled } from '../execution/shadow/desk.ts';
import type { Timings } from '../domain/outcome.ts';
import { settlesUnknown } from './awaited.ts';

/** Refused matches that are shown one by one in a stretch of time; the rest are counted. */
const PASSES_SHOWN = 5;
const PASSES_EVERY_MS = 5_000;

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? counted(seconds, 'second') : `${(ms / 60_000).toFixed(1)} minutes`;
}

/** Tells a person what is decided and what becomes of purchases, without repeating itself and without a flood. */
export class Telling {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #timings: (id: number) => Timings | undefined;
  readonly #states = new Map<number, PurchaseState>();
  readonly #startAt: number;
  #shown = 0;
  #since: number;
  readonly #hidden = new Map<string, number>();

  constructor(log: Log, clock: Clock, timings: (id: number) => Timings | undefined) {
    this.#log = log;
    this.#clock = clock;
    this.#timings = timings;
    this.#startAt = clock.now();
    this.#since = this.#startAt;
  }

  /** A match that was not bought. */
  decision(decision: Decision): void {
    if (decision.verdict === 'admitted') return;
    this.#roll();
    const { reason = '', detail, marketHashName: name, cost, strategy, market } = decision;
    this.#shown += 1;
    if (this.#shown <= PASSES_SHOWN)
      this.#log.info('not-bought', { name, cost, market, listing: decision.listingId, strategy, reason, detail });
    else this.#hidden.set(reason, (this.#hidden.get(reason) ?? 0) + 1);
  }

  buying(listing: Listing, strategy: string): void {
    this.#log.info('buying', {
      name: listing.name,
      cost: listing.cost,
      steam: listing.steam,
      market: listing.market,
      listing: listing.id,
      strategy,
    });
  }

  /** A row as it was before the start: no news. */
  know(purchase: Purchase): void {
    this.#states.set(purchase.id, purchase.state);
  }

  /** Rows that are new or have changed: what is news is told. Returns those that were bought after having been rejected. */
  purchases(purchases: readonly Purchase[]): readonly Purchase[] {
    return purchases.filter((purchase) => {
      const before = this.#states.get(purchase.id);
      this.#states.set(purchase.id, purchase.state);
      if (before !== purchase.state) this.#moved(purchase, before);
      return before === 'rejected' && purchase.state === 'bought';
    });
  }

  /** What live would have got of purchases on paper. Those of which nothing is known are counted only. */
  shadows(settled: readonly Settled[]): void {
    const unknown = new Map<ShadowReason, number>();
    for (const { purchase, shadow } of settled) {
      const { reason, detail } = shadow;
      const { id, marketHashName: name, cost, market, listingId: listing } = purchase;
      const [result, words] = [shadowResult(shadow), shadowReasons[reason].text];
      if (result === 'unknown') unknown.set(reason, (unknown.get(reason) ?? 0) + 1);
      else this.#log.info('shadow', { id, name, cost, market, listing, result, reason, words, detail });
    }
    for (const [reason, count] of unknown) this.#log.info('shadow-unknown', { count, reason, words: shadowReasons[reason].text });
  }

  /** What became of everything since the start, in one sentence; `shadows` tells of purchases on paper since then. */
  summary(purchases: Iterable<Purchase>, shadows: (since: number) => ShadowFigures): string {
    const counts = new Map<PurchaseState, number>();
    const spent: Record<Lane, Micros[]> = { live: [], paper: [] };
    for (const purchase of purchases) {
      if (purchase.createdAt < this.#startAt) continue;
      counts.set(purchase.state, (counts.get(purchase.state) ?? 0) + 1);
      if (isCommitted(purchase)) spent[purchase.lane].push(committedAmount(purchase));
    }
    const words = [...counts].map(([state, count]) => `${count} ${state}`);
    const money = [
      ...(spent.live.length > 0 ? [`${formatDollars(sum(spent.live))} committed`] : []),
      ...(spent.paper.length > 0 ? [`${formatDollars(sum(spent.paper))} on paper`] : []),
    ];
    const checked = spent.paper.length > 0 ? shadowWords(shadows(this.#startAt)) : undefined;
    const all = [words.join(', '), ...money, ...(checked === undefined ? [] : [checked])];
    return `Stopped after ${spanOf(this.#clock.now() - this.#startAt)}: ${words.length === 0 ? 'no purchases' : all.join('; ')}`;
  }

  /** Tells how many were passed over in silence, at the end of each stretch. */
  #roll(): void {
    const now = this.#clock.now();
    if (now - this.#since < PASSES_EVERY_MS) return;
    this.flush();
    this.#since = now;
    this.#shown = 0;
  }

  flush(): void {
    if (this.#hidden.size === 0) return;
    const count = [...this.#hidden.values()].reduce((total, each) => total + each, 0);
    const reasons = [...this.#hidden].map(([reason, times]) => `${reason} ${times}`).join(', ');
    this.#hidden.clear();
    this.#log.info('not-bought-more', { count, reasons });
  }

  #moved(purchase: Purchase, before: PurchaseState | undefined): void {
    const { id, marketHashName: name, cost, market, listingId: listing } = purchase;
    const goods = { id, name, cost, market, listing };
    switch (purchase.state) {
      case 'intended':
        break;
      case 'simulated':
        this.#log.info('simulated', { ...goods, steam: purchase.steam, strategy: purchase.strategy });
        break;
      case 'bought':
        if (before === 'unknown' || before === 'rejected')
          this.#log.warn('settled', { ...goods, state: purchase.state, reason: purchase.reason });
        else this.#log.info('bought', { ...goods, serviceOrderId: purchase.serviceOrderId, latency: this.#latency(purchase.id) });
        break;
      case 'unknown':
        this.#log.warn('unknown', { ...goods, message: purchase.reason, awaited: settlesUnknown });
        break;
      case 'rejected':
        if (before === 'unknown') this.#log.info('settled', { ...goods, state: purchase.state, reason: purchase.reason });
        else this.#log.info('refused', { ...goods, message: purchase.reason });
        break;
      case 'expired':
        this.#log.warn('unsent', { ...goods, message: purchase.reason });
        break;
      case 'completed':
      case 'refunded':
        this.#log.info('settled', { ...goods, state: purchase.state });
        break;
    }
  }

  #latency(id: number): string {
    const timings = this.#timings(id);
    if (timings?.sentAt === undefined || timings.answeredAt === undefined) return 'times unknown';
    const sent = (timings.sentAt - timings.seenAt).toFixed(0);
    return `sent ${sent} ms after it was seen, answered in ${(timings.answeredAt - timings.sentAt).toFixed(0)} ms`;
  }
}
