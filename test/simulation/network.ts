import type { EpochMs } from '../../src/domain/clock.ts';
import { type Random, seededRandom } from '../../src/domain/random.ts';
import type { FaultCause } from '../../src/domain/fault.ts';
import type { RawEnding, Receiving } from '../../src/gateway/exchange.ts';
import type { SandboxRequest } from '../../src/sandbox/answer.ts';
import type { SandboxAnswer } from '../../src/sandbox/sandbox-answer.ts';
import type { SimTime } from './sim-time.ts';

/** What the way to the exchange and back can do wrong, each per request. */
export const networkFaults = {
  connectRefused: 'no connection: the request never leaves',
  connectStalls: 'a connection that never comes about',
  requestLost: 'the request leaves and never arrives; nobody says so',
  requestSlow: 'the request arrives late, after a time-out of ours too',
  answerSilent: 'the request is carried out and its answer never comes',
  answerSlow: 'the answer comes late: within the minute in which a buy is still listened to, or after it',
  answerTorn: 'the connection breaks inside the answer',
  answerGarbled: 'a byte of the answer that holds its form together is another one',
  answerKept: 'for up to a minute a cache on the way answers a question with what it kept of the same one',
} as const;

export type NetworkFaultName = keyof typeof networkFaults;

export interface NetworkPlan {
  readonly seed: number;
  readonly rates: Partial<Record<NetworkFaultName, number>>;
  /** Ordinary time one way, milliseconds from and to. */
  readonly oneWayMs: readonly [number, number];
}

/** What is known of one request on its way. */
export interface Carried {
  /** When its headers left; undefined while they have not. */
  sentAt: EpochMs | undefined;
  arrivedAt: EpochMs | undefined;
  answer: SandboxAnswer | undefined;
}

interface Flight extends Carried {
  /** Ends it on our side, now; what is on its way arrives all the same. */
  cancel(cause: FaultCause, message: string): void;
}

/** For how long a cache on the way keeps an answer. */
const KEPT_MS = 60_000;

interface Kept {
  readonly answer: SandboxAnswer;
  readonly at: EpochMs;
  /** It was given again: until it is too old, the exchange is not asked any more. */
  given: boolean;
}

/** The way of an answer back to us. */
interface WayBack {
  end(ending: RawEnding): void;
  readonly piece: Receiving | undefined;
}

/** A body comes in so many pieces at most. */
const PIECES_MAX = 8;

const SLOW_REQUEST_MS = [500, 25_000] as const;
const SLOW_ANSWER_MS = [1_000, 120_000] as const;

/** Carries requests to the exchange, which answers at the moment of arrival, and answers back. */
export class Network {
  readonly struck = new Map<NetworkFaultName, number>();
  readonly #time: SimTime;
  readonly #plan: NetworkPlan;
  readonly #handle: (request: SandboxRequest) => SandboxAnswer;
  readonly #streams = new Map<string, Random>();
  readonly #kept = new Map<string, Kept>();
  #healed = false;

  constructor(time: SimTime, plan: NetworkPlan, handle: (request: SandboxRequest) => SandboxAnswer) {
    this.#time = time;
    this.#plan = plan;
    this.#handle = handle;
  }

  /** No fault from now on. */
  heal(): void {
    this.#healed = true;
  }

  /**
   * `keptBack` is asked when there is a connection: why the request must not leave any more, if so. `onPiece` is shown the body of the
   * answer as it comes, piece by piece; without it the body is there at its end.
   */
  carry(
    request: SandboxRequest,
    onEnding: (ending: RawEnding) => void,
    keptBack: () => string | undefined = () => undefined,
    onPiece?: Receiving,
  ): Flight {
    let ended = false;
    const back: WayBack = {
      end: (ending) => {
        if (ended) return;
        ended = true;
        onEnding(ending);
      },
      piece: onPiece && ((...piece) => ended || onPiece(...piece)),
    };
    const flight: Flight = {
      sentAt: undefined,
      arrivedAt: undefined,
      answer: undefined,
      cancel: (cause, message) => {
        const sent = flight.sentAt !== undefined;
        back.end({ kind: 'broken', cause, message, sent, status: undefined, headers: {} });
      },
    };
    this.#time.after(this.#draw('connect') * 3, () => {
      if (!ended) this.#connect(request, flight, back, keptBack);
    });
    return flight;
  }

  #connect(request: SandboxRequest, flight: Flight, back: WayBack, keptBack: () => string | undefined): void {
    if (this.#strikes('connectRefused')) return back.end(broken('connect ECONNREFUSED', false));
    if (this.#strikes('connectStalls')) return;
    const kept = keptBack();
    if (kept !== undefined) return flight.cancel('other', kept);
    flight.sentAt = this.#time.now;
    if (this.#strikes('requestLost')) return;
    const late = this.#strikes('requestSlow') ? this.#drawLog('requestSlow', SLOW_REQUEST_MS) : 0;
    this.#time.after(this.#oneWay() + late, () => {
      flight.arrivedAt = this.#time.now;
      flight.answer = this.#answer(request);
      this.#sendBack(flight.answer, back);
    });
  }

  #answer(request: SandboxRequest): SandboxAnswer {
    if (request.method !== 'GET') return this.#handle(request);
    const question = JSON.stringify([request.path, request.query, request.headers]);
    const kept = this.#kept.get(question);
    if (kept !== undefined && this.#time.now - kept.at < KEPT_MS) {
      kept.given ||= this.#strikes('answerKept');
      if (kept.given) return kept.answer;
    }
    const answer = this.#handle(request);
    if (answer.status === 200 && answer.cut === undefined) this.#kept.set(question, { answer, at: this.#time.now, given: false });
    return answer;
  }

  #sendBack(answer: SandboxAnswer, { end, piece }: WayBack): void {
    if (this.#strikes('answerSilent')) return;
    const late = this.#strikes('answerSlow') ? this.#drawLog('answerSlow', SLOW_ANSWER_MS) : 0;
    const ending = this.#ending(answer);
    const wayMs = answer.delayMs + late + this.#oneWay();
    if (piece !== undefined) this.#sendPieces(answer, ending, wayMs, piece);
    this.#time.after(wayMs, () => end(ending));
  }

  /** The body of an answer that is on its way for so long; of one that will break, some of it. */
  #sendPieces(answer: SandboxAnswer, ending: RawEnding, wayMs: number, piece: Receiving): void {
    if (ending.status === undefined) return;
    const { status } = ending;
    const whole = ending.kind === 'raw' ? Buffer.concat(ending.body) : Buffer.from(answer.bodyText);
    const bytes = ending.kind === 'raw' ? whole : whole.subarray(0, Math.floor(this.#draw('pieces/torn') * whole.length));
    const count = 1 + Math.floor(this.#draw('pieces') * PIECES_MAX);
    const cuts = Array.from({ length: count - 1 }, () => Math.floor(this.#draw('pieces/cut') * bytes.length));
    const ends = [...cuts.sort((a, b) => a - b), bytes.length];
    const beginMs = wayMs * this.#draw('pieces/begin');
    for (const [index, last] of ends.entries()) {
      const part = bytes.subarray(ends[index - 1] ?? 0, last);
      const atMs = beginMs + ((wayMs - beginMs) * (index + 1)) / count;
      this.#time.after(atMs, () => piece(part, status, answer.headers));
    }
  }

  #ending(answer: SandboxAnswer): RawEnding {
    if (answer.lost !== undefined) return broken('read ECONNRESET', true);
    const { status, headers } = answer;
    if (answer.cut === 'torn' || this.#strikes('answerTorn')) {
      return {
        kind: 'broken',
        cause: 'connection',
        message: 'the connection broke inside the answer',
        sent: true,
        status,
        headers,
      };
    }
    const text = this.#strikes('answerGarbled') ? this.#garbled(answer.bodyText) : answer.bodyText;
    return { kind: 'raw', status, headers, body: [Buffer.from(text)] };
  }

  /** Another byte in the place of a brace or a comma: what is left is no JSON, or says less. */
  #garbled(text: string): string {
    const places = [...text.matchAll(/[{}[\],:]/g)];
    const place = places[Math.floor(this.#draw('garbled') * places.length)]?.index;
    return place === undefined ? text : `${text.slice(0, place)}#${text.slice(place + 1)}`;
  }

  #oneWay(): number {
    const [low, high] = this.#plan.oneWayMs;
    return low + (high - low) * this.#draw('latency');
  }

  #strikes(name: NetworkFaultName): boolean {
    const rate = this.#healed ? 0 : (this.#plan.rates[name] ?? 0);
    if (rate === 0 || this.#draw(name) >= rate) return false;
    this.struck.set(name, (this.struck.get(name) ?? 0) + 1);
    return true;
  }

  #drawLog(name: NetworkFaultName, [low, high]: readonly [number, number]): number {
    return low * (high / low) ** this.#draw(`${name}/length`);
  }

  /** Each fault draws from a stream of its own, so that dropping one leaves the others as they are. */
  #draw(stream: string): number {
    let random = this.#streams.get(stream);
    if (random === undefined) {
      random = seededRandom(this.#plan.seed, `network/${stream}`);
      this.#streams.set(stream, random);
    }
    return random.next();
  }
}

function broken(message: string, sent: boolean): RawEnding {
  return { kind: 'broken', cause: 'connection', message, sent, status: undefined, headers: {} };
}
