import { Observable, Subject } from 'rxjs';
import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { Micros } from '../domain/money.ts';
import type { WatchedItem } from '../domain/watched-item.ts';
import type { Service } from '../engine/ports.ts';
import { type ItemPage, PageReading } from './item-page.ts';
import { itemIdPattern, type Resolved, resolveItem } from './resolve-item.ts';

export type Watched = { readonly of: 'page'; readonly page: ItemPage } | { readonly of: 'dropped'; readonly itemId: string };

export interface WatchlistOptions {
  readonly clock: Clock;
  readonly items: readonly string[];
  /** From one request to the next at the least, milliseconds. */
  readonly spacingMs: number;
  /** Pages that one look asks for at most. */
  readonly pagesMax: number;
}

/** A name that was not found, or not alone, is looked for again after this long. */
const RESOLVE_AGAIN_MS = 600_000;
/** A refused key is not hammered with. */
const REFUSED_REST_MS = 60_000;

interface Entry {
  state: WatchedItem;
  resolvedAt: EpochMs | undefined;
  wasRead: boolean;
}

/**
 * Looks at the listings of watched items one after the other, page by page, at a pace of its own and behind everything else that is asked
 * for. Its items may change at any time.
 */
export class Watchlist {
  readonly #options: WatchlistOptions;
  readonly #dropped = new Subject<Watched>();
  #entries: Entry[];
  #next = 0;

  constructor(options: WatchlistOptions) {
    this.#options = options;
    this.#entries = options.items.map(entryOf);
  }

  /** In the order of the configuration. */
  get items(): readonly WatchedItem[] {
    return this.#entries.map(({ state }) => state);
  }

  /** Watches these from now on. What was known of those that stay is kept. */
  follow(items: readonly string[]): void {
    const before = new Map(this.#entries.map((entry) => [entry.state.asked, entry]));
    this.#entries = items.map((asked) => before.get(asked) ?? entryOf(asked));
    const kept = new Set(this.#entries.map(({ state }) => state.itemId));
    for (const { state } of before.values()) {
      if (state.itemId !== undefined && !kept.has(state.itemId)) this.#dropped.next({ of: 'dropped', itemId: state.itemId });
    }
  }

  /** Looks, on and on, for as long as somebody listens. Never ends, never errs. `costMax`: beyond it nothing is wanted now. */
  watch(service: Service, costMax: () => Micros | undefined): Observable<Watched> {
    return new Observable((listener) => {
      const stop = new AbortController();
      listener.add(this.#dropped.subscribe(listener));
      listener.add(() => stop.abort());
      const tell = (page: ItemPage): void => listener.next({ of: 'page', page });
      this.#run(new Asking(service, this.#options, stop.signal), costMax, tell).catch((error: unknown) => listener.error(error));
    });
  }

  async #run(asking: Asking, costMax: () => Micros | undefined, tell: (page: ItemPage) => void): Promise<void> {
    const { clock, spacingMs } = this.#options;
    while (!asking.signal.aborted) {
      const entry = this.#turn(clock.now());
      if (entry === undefined) await sleep(clock, Math.max(spacingMs, 1_000), asking.signal);
      else await this.#attend(entry, asking, costMax, tell);
    }
  }

  /** A defect in one look is a fault of it: it ends neither the watching nor the polls beside it. */
  async #attend(entry: Entry, asking: Asking, costMax: () => Micros | undefined, tell: (page: ItemPage) => void): Promise<void> {
    const { itemId } = entry.state;
    try {
      if (itemId === undefined) await this.#resolve(entry, asking);
      else await this.#look(entry, itemId, asking, { costMax: costMax(), tell });
    } catch (error) {
      entry.state = { ...entry.state, fault: error instanceof Error ? error.message : String(error) };
      await sleep(this.#options.clock, this.#options.spacingMs, asking.signal);
    }
  }

  /** The next that has something to be asked for; undefined: none has. */
  #turn(now: EpochMs): Entry | undefined {
    for (let tries = 0; tries < this.#entries.length; tries++) {
      const entry = this.#entries[this.#next++ % this.#entries.length];
      if (entry === undefined) return undefined;
      if (entry.state.itemId !== undefined || now - (entry.resolvedAt ?? -Infinity) >= RESOLVE_AGAIN_MS) return entry;
    }
    return undefined;
  }

  async #resolve(entry: Entry, asking: Asking): Promise<void> {
    const reply = await asking.ask((request) => resolveItem(asking.service, entry.state.asked, request));
    if (reply === undefined) return;
    entry.resolvedAt = reply.ok ? this.#options.clock.now() : undefined;
    entry.state = { ...entry.state, ...resolution(reply) };
    if (!reply.ok) await asking.rest(reply.fault);
  }

  async #look(
    entry: Entry,
    itemId: string,
    asking: Asking,
    { costMax, tell }: { readonly costMax: Micros | undefined; readonly tell: (page: ItemPage) => void },
  ): Promise<void> {
    const { pagesMax } = this.#options;
    const reading = new PageReading(itemId);
    let [beganAt, totals]: [EpochMs | undefined, Set<number | undefined>] = [undefined, new Set()];
    for (let page = 1; page <= pagesMax; page++) {
      const query = { item: itemId, page };
      const reply = await asking.ask((request) => asking.service.read('listings', { ...request, query }));
      if (reply === undefined || !this.#entries.includes(entry)) return;
      if (!reply.ok) {
        entry.state = { ...entry.state, fault: reply.fault.message };
        return asking.rest(reply.fault);
      }
      const { isNews, ...read } = reading.read(reply.data.listings);
      beganAt ??= reply.beganAt;
      totals = totals.add(reply.data.totalSellCount);
      const [total] = totals;
      const all = totals.size === 1 && total !== undefined && reading.count >= total;
      const beyond = reading.isBeyond(costMax);
      const ends = all || beyond ? { seen: reading.keys, beganAt, costMax: all ? undefined : costMax } : undefined;
      const times = { beganAt: reply.beganAt, endedAt: reply.endedAt, receivedAt: reply.receivedAt ?? reply.endedAt };
      const first = !entry.wasRead;
      if (ends !== undefined || !isNews || page === pagesMax) {
        entry.wasRead = true;
        const { state } = entry;
        entry.state = {
          ...state,
          lookedAt: reply.endedAt,
          listings: reading.count,
          complete: ends !== undefined,
          fault: undefined,
        };
      }
      tell({ itemId, page, ...times, first, costMax, ...read, ends });
      if (ends !== undefined || !isNews) return;
    }
  }
}

function entryOf(asked: string): Entry {
  const itemId = itemIdPattern.test(asked) ? asked : undefined;
  const nothing = { problem: undefined, near: [], lookedAt: undefined, listings: 0, complete: false, fault: undefined };
  return { state: { asked, itemId, ...nothing }, resolvedAt: undefined, wasRead: false };
}

function resolution(reply: Resolved): Pick<WatchedItem, 'itemId' | 'problem' | 'near' | 'fault'> {
  if (!reply.ok) return { itemId: undefined, problem: undefined, near: [], fault: reply.fault.message };
  return { itemId: reply.itemId, problem: reply.problem, near: reply.near, fault: undefined };
}

interface Request {
  readonly signal: AbortSignal;
  readonly urgency: 'spare';
}

/** Asks one thing at a time, each a while after the one before. */
class Asking {
  readonly service: Service;
  readonly signal: AbortSignal;
  readonly #options: WatchlistOptions;
  /** Monotonic milliseconds; the first question waits as one more would. */
  #askedAt: number;

  constructor(service: Service, options: WatchlistOptions, signal: AbortSignal) {
    this.service = service;
    this.signal = signal;
    this.#options = options;
    this.#askedAt = options.clock.mono();
  }

  /** undefined: nobody wants to know any more. */
  async ask<T>(question: (request: Request) => Promise<T>): Promise<T | undefined> {
    const { clock, spacingMs } = this.#options;
    await sleep(clock, Math.max(0, this.#askedAt + spacingMs - clock.mono()), this.signal);
    if (this.signal.aborted) return undefined;
    this.#askedAt = clock.mono();
    const reply = await question({ signal: this.signal, urgency: 'spare' });
    return this.signal.aborted ? undefined : reply;
  }

  rest({ cause }: Pick<Fault, 'cause'>): Promise<void> {
    return cause === 'key' ? sleep(this.#options.clock, REFUSED_REST_MS, this.signal) : Promise.resolve();
  }
}
