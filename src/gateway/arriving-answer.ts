import type { Clock } from '../domain/clock.ts';
import { headerOf, type Arriving, type Headers, type Listed, type ListedReader } from './answer.ts';
import { isPlain, wrongType } from './body.ts';
import { classifyRead, type Expected, type ReadOutcome } from './classify-read.ts';

/** What an answer is, had it ended behind the last listing that is there whole. */
export type OutcomeSoFar = Extract<ReadOutcome, { ok: true }>;

export interface ArrivingOptions {
  readonly reader: ListedReader;
  readonly expected: Expected;
  readonly clock: Clock;
  /** Called when more listings have come of an answer that is a good one so far; with the same list of them each time. */
  readonly tell: (outcome: OutcomeSoFar, listings: readonly unknown[]) => void;
}

/**
 * One answer of the live listings on its way. It is told of early only where the bytes that have come would be a good answer by
 * themselves: status, type and encoding, `success: true` and a requestId before the list; everything else waits for its end.
 */
export class ArrivingAnswer {
  readonly #options: ArrivingOptions;
  #arrival: Arriving | undefined;
  #begun = false;
  #received = 0;
  #told = 0;
  #waiting = false;
  #verdict: ReadOutcome | undefined;

  constructor(options: ArrivingOptions) {
    this.#options = options;
  }

  /** Takes a piece of the body as it comes; what it shows is told of once the caller is done. */
  receive(piece: Buffer, status: number, headers: Headers): void {
    if (!this.#begun) {
      this.#begun = true;
      if (isReadable(status, headers)) this.#arrival = this.#options.reader.arriving(lengthOf(headers));
    }
    if (this.#arrival === undefined) return;
    this.#arrival.push(piece);
    this.#received += piece.length;
    if (this.#waiting || (this.#verdict !== undefined && !this.#verdict.ok)) return;
    this.#waiting = true;
    // Not now: this is called by undici's parser, and more pieces of the same read may follow at once.
    queueMicrotask(() => this.#look(status, headers));
  }

  /** Reads the whole body, when all of it has come in these pieces. */
  read(pieces: readonly Buffer[]): Listed | undefined {
    const arrival = this.#arrival;
    this.#arrival = undefined;
    if (arrival !== undefined && this.#received === pieces.reduce((sum, piece) => sum + piece.length, 0)) return arrival.end();
    arrival?.drop();
    return this.#options.reader.read(pieces);
  }

  /** No answer has come of it. */
  drop(): void {
    this.#arrival?.drop();
    this.#arrival = undefined;
  }

  #look(status: number, headers: Headers): void {
    this.#waiting = false;
    const part = this.#arrival?.soFar();
    if (part === undefined || part.listings.length === this.#told) return;
    const { expected, clock, tell } = this.#options;
    const { value, listings, end: bytes } = part;
    // What stands before the list does not change any more.
    this.#verdict ??= classifyRead({ kind: 'whole', status, headers, body: { value, listings, bytes } }, expected, clock.now());
    if (!this.#verdict.ok || this.#verdict.requestId === undefined) return;
    this.#told = listings.length;
    tell({ ...this.#verdict, bytes }, listings);
  }
}

function isReadable(status: number, headers: Headers): boolean {
  return status === 200 && wrongType(headerOf(headers, 'content-type')) === undefined && isPlain(headers);
}

function lengthOf(headers: Headers): number | undefined {
  const length = Number(headerOf(headers, 'content-length'));
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
