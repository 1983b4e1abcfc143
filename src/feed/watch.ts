import { type Observable, defer } from 'rxjs';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ReadRequest, Service } from '../engine/ports.ts';
import type { EarlyChange, PollFacts, PollResult } from '../engine/snapshot.ts';
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

/**
 * How the live listings are read: by what is new in them, so that entries come again as the same objects, while they arrive (stream) or
 * once they have arrived (slices); or each time whole.
 */
export type Parse = 'stream' | 'slices' | 'whole';

interface ListingsOptions {
  readonly parse?: Parse;
  /** Told of what an answer shows before its end, where it is read as a stream. */
  readonly onEarly?: (change: EarlyChange) => void;
}

/**
 * Polls the live listings and hands on what each poll changed. It never ends and never errs: a failed poll is a value. What
 * was known is kept for as long as somebody listens; each listener starts from nothing.
 */
export function watchListings(options: WatchOptions & ListingsOptions): Observable<PollResult> {
  const { parse = 'whole', onEarly } = options;
  return defer(() => {
    const diff = new ListingsDiff(parse === 'whole' ? new ReadAnew() : new EntryMemory());
    return pollLoop({ ...options, ...listingsQuestion(options, diff, parse === 'stream' ? onEarly : undefined) });
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

function listingsQuestion(
  { service, clock }: OnceOptions,
  diff: ListingsDiff,
  onEarly?: ListingsOptions['onEarly'],
): Question<PollResult> {
  return {
    poll: async (seq, signal) => {
      const looks = new Looks(diff, seq, onEarly);
      const reply = await service.read('liveListings', { signal, urgency: 'poll', ...looks.request });
      looks.end();
      const { beganAt, endedAt } = reply;
      if (!reply.ok) {
        const { status, requestId } = reply.fault;
        const facts = { ...noAnswer(seq, beganAt, endedAt), status, requestId };
        return failed(facts, reply.fault, diff);
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
      return failed(noAnswer(seq, at, at), brokenFault(error), diff);
    },
  };
}

/** What has been handed on of the answer by then stays so. */
function failed(facts: PollFacts, fault: Fault, diff: ListingsDiff): PollResult {
  const change = diff.brokenOff({ pollSeq: facts.seq, beganAt: facts.beganAt, endedAt: facts.endedAt });
  return { ok: false, facts, fault, ...(change && { change }) };
}

/** The looks at one answer while it arrives. A defect in one is a defect of the poll, and the last look. */
class Looks {
  readonly request: Pick<ReadRequest<'liveListings'>, 'early'>;
  #defect: { readonly error: unknown } | undefined;

  constructor(diff: ListingsDiff, pollSeq: number, onEarly: ListingsOptions['onEarly']) {
    if (onEarly === undefined) {
      this.request = {};
      return;
    }
    this.request = {
      early: ({ data, endedAt }) => {
        if (this.#defect !== undefined) return;
        try {
          const change = diff.early({ pollSeq, listings: data.listings }, endedAt);
          if (change !== undefined) onEarly(change);
        } catch (error) {
          this.#defect = { error };
        }
      },
    };
  }

  /** Throws what a look has thrown. */
  end(): void {
    if (this.#defect !== undefined) throw this.#defect.error;
  }
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
