import { type Observable, defer } from 'rxjs';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { Service } from '../engine/ports.ts';
import type { PollFacts, PollResult } from '../engine/snapshot.ts';
import { type BalanceAnswer, balanceBroken, readBalance } from '../engine/balance-answer.ts';
import { ListingsDiff } from './diff.ts';
import { EntryMemory, ReadAnew } from './entry.ts';
import { healthBroken, readHealth } from './health.ts';
import { type PollPlan, pollLoop, pollOnce } from './poll.ts';

/**
 * How often the balance is asked for unless told otherwise. A reading older than a minute buys nothing: at this pace one
 * failed question, with its time-out, does not yet stop the buying.
 */
export const BALANCE_INTERVAL_MS = 15_000;

export interface WatchOptions {
  readonly service: Service;
  readonly clock: Clock;
  /** From the start of one poll to the start of the next. */
  readonly intervalMs: number;
}

type OnceOptions = Omit<WatchOptions, 'intervalMs'>;

/** How the live listings are read: by what is new in them, so that entries come again as the same objects, or each time whole. */
export type Parse = 'slices' | 'whole';

/**
 * Polls the live listings and hands on what each poll changed. It never ends and never errs: a failed poll is a value. What
 * was known is kept for as long as somebody listens; each listener starts from nothing.
 */
export function watchListings(options: WatchOptions & { readonly parse?: Parse }): Observable<PollResult> {
  return defer(() => {
    const diff = new ListingsDiff(options.parse === 'slices' ? new EntryMemory() : new ReadAnew());
    return pollLoop({ ...options, ...listingsQuestion(options, diff) });
  });
}

/** Polls the health of the markets at its own pace. Never ends, never errs. */
export function watchHealth(options: WatchOptions): Observable<HealthReading | HealthMissing> {
  return pollLoop({ ...options, ...healthQuestion(options) });
}

/** Polls balance and profile at its own pace. Never ends, never errs. */
export function watchBalance(options: WatchOptions): Observable<BalanceAnswer> {
  return pollLoop({ ...options, ...balanceQuestion(options) });
}

/** One poll of the live listings, judged whole. */
export function readListingsOnce(options: OnceOptions, signal: AbortSignal): Promise<PollResult> {
  return pollOnce(listingsQuestion(options, new ListingsDiff()), 1, signal);
}

export function readHealthOnce(options: OnceOptions, signal: AbortSignal): Promise<HealthReading | HealthMissing> {
  return pollOnce(healthQuestion(options), 1, signal);
}

export function readBalanceOnce(options: OnceOptions, signal: AbortSignal): Promise<BalanceAnswer> {
  return pollOnce(balanceQuestion(options), 1, signal);
}

type Question<T> = Pick<PollPlan<T>, 'poll' | 'broken' | 'restMs'>;

/** A refused key is not hammered with: it is tried again now and then, in case a person has mended it. */
const REFUSED_REST_MS = 60_000;

function listingsQuestion({ service, clock }: OnceOptions, diff: ListingsDiff): Question<PollResult> {
  return {
    poll: async (seq, signal) => {
      const reply = await service.read('liveListings', { signal, urgency: 'poll' });
      const { beganAt, endedAt } = reply;
      if (!reply.ok) {
        const { status, requestId } = reply.fault;
        return { ok: false, facts: { ...noAnswer(seq, beganAt, endedAt), status, requestId }, fault: reply.fault };
      }
      const { status, bytes, requestId, serviceDate, receivedAt } = reply;
      const { listings, listingsCount } = reply.data;
      const facts = { seq, beganAt, endedAt, status, bytes, count: listings.length, requestId, serviceDate };
      const change = diff.apply({ pollSeq: seq, beganAt, endedAt, receivedAt, listings, listingsCount });
      return { ok: true, facts, change };
    },
    restMs: (result) => (!result.ok && result.fault.cause === 'key' ? REFUSED_REST_MS : 0),
    broken: (error, seq) => {
      const at = clock.now();
      return { ok: false, facts: noAnswer(seq, at, at), fault: brokenFault(error) };
    },
  };
}

function healthQuestion({ service, clock }: OnceOptions): Question<HealthReading | HealthMissing> {
  return {
    poll: async (_, signal) => readHealth(await service.read('marketHealth', { signal, urgency: 'poll', key: 'partner' })),
    restMs: (health) => ('reason' in health && health.reason === 'forbidden' ? REFUSED_REST_MS : 0),
    broken: (error) => healthBroken(error, clock.now()),
  };
}

function balanceQuestion({ service, clock }: OnceOptions): Question<BalanceAnswer> {
  return {
    poll: async (_, signal) => readBalance(await service.read('user', { signal, urgency: 'poll' })),
    restMs: (answer) => (!answer.ok && answer.forbidden ? REFUSED_REST_MS : 0),
    broken: (error) => balanceBroken(error, clock.now()),
  };
}

function noAnswer(seq: number, beganAt: EpochMs, endedAt: EpochMs): PollFacts {
  return {
    seq,
    beganAt,
    endedAt,
    status: undefined,
    bytes: undefined,
    count: undefined,
    requestId: undefined,
    serviceDate: undefined,
  };
}

/** A defect of ours while a poll was read: as good as no answer, and asking again may go better. */
function brokenFault(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  return {
    class: 'transient',
    cause: 'other',
    sent: true,
    status: undefined,
    code: undefined,
    message,
    requestId: undefined,
    retryAfterMs: undefined,
  };
}
