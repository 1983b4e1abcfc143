import type { EpochMs } from '../domain/clock.ts';
import type { ReadName, ReadRequest, Service } from '../engine/ports.ts';
import { readFault } from './classify-read.ts';

/** How many request ids of each endpoint are remembered: enough for several caches that take turns, and for pages. */
const REMEMBERED = 256;

/**
 * How much older than the others an answer may be, by its own Date or Age, before it counts as an old one. Servers behind one name
 * differ by seconds.
 */
const OLD_MS = 30_000;

/**
 * Dates are held against those of the last two minutes. Less, and answers that age together hide each other's age; more, and it
 * takes longer until a clock that was set back over there is believed.
 */
const RECENT_MS = 120_000;
const RECENT_MAX = 256;

/** What tells an answer from an old one given again by a cache on the way. */
export interface AnswerMark {
  readonly requestId: string | undefined;
  /** The answer's Date header, epoch milliseconds. */
  readonly serviceDate: EpochMs | undefined;
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
  /** How long the answer says that it lay in caches, milliseconds. */
  readonly ageMs?: number | undefined;
}

/** How far the service's clock was ahead of ours, at least, when it gave an answer. */
interface Lead {
  readonly ms: number;
  readonly at: EpochMs;
}

/**
 * Remembers which answers were seen, over all endpoints. Our own clock only measures what lies between two answers, so that it
 * does not matter what time it is here; of the service's clocks the majority is believed, so that an absurd one over there costs
 * its own answers at most. Answers of questions that overlap may come in any order: each is only called older than it can be at
 * the youngest.
 */
export class AnswerHistory {
  readonly #requestIds = new Map<string, Set<string>>();
  #leads: Lead[] = [];
  /** The furthest of them. */
  #furthestMs = -Infinity;
  readonly #remembered: number;

  /** `remembered`: how many request ids of each endpoint. */
  constructor(remembered = REMEMBERED) {
    this.#remembered = remembered;
  }

  /** Notes the answer; returns why it is an old one, in words, or undefined when it is new or does not tell. */
  note(endpoint: string, mark: AnswerMark): string | undefined {
    const old = this.judge(endpoint, mark);
    this.#remember(endpoint, mark);
    return old;
  }

  /** What `note` would return; an answer that still arrives is not one that was seen. */
  judge(endpoint: string, mark: AnswerMark): string | undefined {
    if (mark.requestId !== undefined && this.#requestIds.get(endpoint)?.has(mark.requestId) === true)
      return 'an answer seen before was given again (same requestId): something on the way caches';
    const { ageMs = 0 } = mark;
    if (ageMs > OLD_MS) return `the answer had lain in a cache on the way for ${seconds(ageMs)}, by its own Age`;
    const olderMs = this.#olderThanOthers(mark);
    return olderMs > OLD_MS ? `the answer is ${seconds(olderMs)} older than others, by its own Date` : undefined;
  }

  #remember(endpoint: string, { requestId, serviceDate, endedAt, ageMs = 0 }: AnswerMark): void {
    if (requestId !== undefined) {
      const seen = this.#requestIds.get(endpoint) ?? new Set();
      this.#requestIds.set(endpoint, seen);
      // A Date that came with an id seen before, or that lay in a cache, says nothing about the service's clock.
      if (seen.has(requestId)) return;
      seen.add(requestId);
      const [oldest] = seen;
      if (seen.size > this.#remembered && oldest !== undefined) seen.delete(oldest);
    }
    if (serviceDate === undefined || ageMs > OLD_MS) return;
    this.#leads = [...this.#recent(endedAt), { ms: serviceDate - endedAt, at: endedAt }];
    this.#furthestMs = Math.max(...this.#leads.map(({ ms }) => ms));
  }

  #recent(endedAt: EpochMs): readonly Lead[] {
    return this.#leads.filter(({ at }) => endedAt - at <= RECENT_MS).slice(1 - RECENT_MAX);
  }

  #olderThanOthers({ serviceDate, beganAt, endedAt }: AnswerMark): number {
    // What is not much older than the newest of the others need not be held against their median.
    if (serviceDate === undefined || this.#furthestMs - (serviceDate - beganAt) <= OLD_MS) return 0;
    const usual = median(this.#recent(endedAt).map(({ ms }) => ms));
    return usual === undefined ? 0 : usual - (serviceDate - beganAt);
  }
}

/**
 * The service with every answer held against those before it: an old one given again is no answer, whoever asked. One that lay in
 * a cache for a moment counts as asked for when it went in there, since it lacks what has happened since.
 */
export function withoutOldAnswers(service: Service): Service {
  const history = new AnswerHistory();
  return {
    async read(name, request) {
      const reply = await service.read(name, earlyOnlyIfNew(history, name, request));
      if (!reply.ok) return reply;
      const { status, requestId, endedAt, ageMs = 0 } = reply;
      const old = history.note(name, reply);
      const beganAt = Math.min(reply.beganAt, endedAt - ageMs);
      if (old === undefined) return { ...reply, beganAt };
      return { ok: false, fault: readFault({ cause: 'stale', message: old, sent: true, status, requestId }), beganAt, endedAt };
    },
  };
}

/** The same question; an old answer is no answer early either, and is told of as soon as it shows its requestId, Date and Age. */
function earlyOnlyIfNew<N extends ReadName>(
  history: AnswerHistory,
  name: N,
  request: ReadRequest<N> | undefined,
): ReadRequest<N> | undefined {
  const early = request?.early;
  if (early === undefined) return request;
  let isNew: boolean | undefined;
  return {
    ...request,
    early: (reply) => {
      isNew ??= history.judge(name, reply) === undefined;
      if (isNew) early({ ...reply, beganAt: Math.min(reply.beganAt, reply.endedAt - (reply.ageMs ?? 0)) });
    },
  };
}

/** Of two in the middle the lower one: where few are known, none is called old for one that is ahead. */
function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
