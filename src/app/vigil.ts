import type { Clock, EpochMs } from '../domain/clock.ts';
import { counted } from '../domain/text.ts';
import type { LedgerFault } from '../ledger/failure.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';
import type { PollFacts } from './facts.ts';

/** Without a whole answer for this long, or for this many polls, a person is told. */
const SILENT_MS = 60_000;
const SILENT_POLLS = 10;

/** Live listings come and go by the minute: a list in which nothing moves for this long is a copy of an old one. */
const FROZEN_MS = 15 * 60_000;

/** The account is looked at once a minute at the least; after three looks that failed nobody can tell what was bought. */
const LOOKS_MISSED = 3;
const LOOK_EVERY_MS = 60_000;

/** After so long without a whole answer of the live listings a person is told, milliseconds. */
export function silentAfterMs(intervalMs: number): number {
  return Math.max(SILENT_MS, intervalMs * SILENT_POLLS);
}

/** After so long without a look that could read the orders nobody can tell what was bought, milliseconds. */
export function unreadAfterMs(lookIntervalMs: number): number {
  return LOOKS_MISSED * Math.max(lookIntervalMs, LOOK_EVERY_MS);
}

/** A lock that was lost is noticed within this; each look asks the file system for a name or two. */
const LOCKS_EVERY_MS = 5_000;

export interface VigilOptions {
  readonly clock: Clock;
  readonly bell: Pick<Bell, 'once' | 'again'>;
  readonly post: (event: Posted) => void;
  readonly facts: PollFacts;
  /** From one poll to the next, milliseconds. */
  readonly intervalMs: number;
  /** From one look at the orders to the next while purchases are open, milliseconds. */
  readonly lookIntervalMs: number;
  /** Sees to the locks of folder and key; a fault while one cannot be held. */
  readonly keepLocks?: (() => LedgerFault | undefined) | undefined;
}

/** Notices what stops without a word: listings that do not come, a list that stands still, orders that cannot be read. */
export class Vigil {
  readonly #options: VigilOptions;
  readonly #startedAt: EpochMs;
  #lastLookAt: EpochMs | undefined;
  /** Rows that the newest look could not read. */
  #unreadable = 0;
  #blind = false;
  #lockless = false;
  #lastLockAt: EpochMs;

  constructor(options: VigilOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#lastLockAt = this.#startedAt;
  }

  /** The orders of the account were read, but for so many rows: a list with such rows is no better than none. */
  looked(unreadable = 0): void {
    const now = this.#options.clock.now();
    this.#unreadable = unreadable;
    this.#lastLookAt = unreadable > 0 ? (this.#lastLookAt ?? now) : now;
    if (!this.#blind || unreadable > 0) return;
    this.#blind = false;
    this.#options.bell.again('orders-unread');
    this.#options.post({ type: 'unblocked', name: 'orders' });
  }

  /** To be called again and again; `polling`: the listings are asked for more than once. */
  tick(polling = true): void {
    const now = this.#options.clock.now();
    if (polling) this.#listings(now);
    this.#orders(now);
    this.#locks(now);
  }

  /** Without its locks another process may buy beside this one. */
  #locks(now: EpochMs): void {
    const { bell, post, keepLocks } = this.#options;
    if (keepLocks === undefined || now - this.#lastLockAt < LOCKS_EVERY_MS) return;
    this.#lastLockAt = now;
    const fault = keepLocks();
    if (fault === undefined) {
      if (!this.#lockless) return;
      this.#lockless = false;
      bell.again('lock-lost');
      return post({ type: 'unblocked', name: 'lock' });
    }
    if (this.#lockless) return;
    this.#lockless = true;
    const detail = `a lock was removed and cannot be taken again: ${fault.message}`;
    post({ type: 'blocked', name: 'lock', refusal: { reason: 'lock-lost', detail } });
    const message = `Buying pauses: ${detail}`;
    const next = 'stop the other process; buying goes on by itself when the lock is free';
    bell.once('lock-lost', { kind: 'lock', at: now, message, next, purchaseId: undefined });
  }

  #listings(now: EpochMs): void {
    const { bell, facts, intervalMs } = this.#options;
    const silentMs = now - (facts.lastCompleteAt ?? this.#startedAt);
    const isSilent = silentMs > silentAfterMs(intervalMs);
    const frozenMs = now - (facts.lastMovedAt ?? now);
    if (isSilent) this.#stale(`No whole answer of the live listings for ${minutes(silentMs)}: nothing new is bought`, now);
    else if (frozenMs > FROZEN_MS) this.#stale(`Nothing has moved in the live listings for ${minutes(frozenMs)}`, now);
    else bell.again('feed-stale');
  }

  #stale(message: string, at: EpochMs): void {
    const next = 'check the network and the service; Magpie goes on asking';
    this.#options.bell.once('feed-stale', { kind: 'feed-stale', at, message, next, purchaseId: undefined });
  }

  /** Before the first look it is the start gate that keeps buying closed. */
  #orders(now: EpochMs): void {
    const { bell, post, lookIntervalMs } = this.#options;
    if (this.#blind || this.#lastLookAt === undefined) return;
    const unreadMs = now - this.#lastLookAt;
    if (unreadMs <= unreadAfterMs(lookIntervalMs)) return;
    this.#blind = true;
    const what = this.#unreadable > 0 ? `${counted(this.#unreadable, 'row')} of the list of` : 'the';
    const detail = `${what} orders of the account could not be read for ${minutes(unreadMs)}`;
    post({ type: 'blocked', name: 'orders', refusal: { reason: 'orders-unread', detail } });
    const message = `Buying pauses: ${detail}, so nobody can tell what was bought`;
    const next = 'see at the service whether its orders can be read; buying goes on by itself when they can';
    bell.once('orders-unread', { kind: 'orders-unread', at: now, message, next, purchaseId: undefined });
  }
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)} min`;
}
