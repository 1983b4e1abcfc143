import type { Clock } from '../domain/clock.ts';
import { headerOf, type Arriving, type Headers, type Listed, type ListedReader } from './answer.ts';
import { type BodyReader, encodingOf, wrongType } from './body.ts';
import { classifyRead, type Expected, type ReadOutcome } from './classify-read.ts';
import { Inflation, canInflate } from './inflation.ts';

/** What an answer is, had it ended behind the last listing that is there whole. */
export type OutcomeSoFar = Extract<ReadOutcome, { ok: true }>;

export interface ArrivingOptions {
  readonly reader: ListedReader;
  readonly expected: Expected;
  readonly clock: Clock;
  /** Of the body, decoded. */
  readonly limitBytes: number;
  /** Called when more listings have come of an answer that is a good one so far; with the same list of them each time. */
  readonly tell: (outcome: OutcomeSoFar, listings: readonly unknown[]) => void;
}

/**
 * One answer of the live listings on its way. It is told of early only where the bytes that have come would be a good answer by
 * themselves: status, type and encoding, `success: true` and a requestId before the list; everything else waits for its end.
 */
export class ArrivingAnswer implements BodyReader {
  readonly #options: ArrivingOptions;
  #arrival: Arriving | undefined;
  #inflation: Inflation | undefined;
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
      this.#begin(status, headers);
    }
    if (this.#inflation !== undefined) this.#inflation.push(piece);
    else this.#take(piece, status, headers);
  }

  /** The whole body, when it was compressed and all of it has come; undefined when it comes as it is. */
  inflated(): Promise<readonly Buffer[] | undefined> | undefined {
    return this.#inflation?.end();
  }

  #begin(status: number, headers: Headers): void {
    if (status !== 200 || wrongType(headerOf(headers, 'content-type')) !== undefined) return;
    const encoding = encodingOf(headers);
    const { reader, limitBytes } = this.#options;
    if (encoding === undefined) this.#arrival = reader.arriving(lengthOf(headers));
    else if (canInflate(encoding)) {
      this.#arrival = reader.arriving();
      this.#inflation = new Inflation(encoding, limitBytes, (piece) => this.#take(piece, status, headers));
    }
  }

  #take(piece: Buffer, status: number, headers: Headers): void {
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
    this.#inflation?.drop();
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

function lengthOf(headers: Headers): number | undefined {
  const length = Number(headerOf(headers, 'content-length'));
  return Number.isSafeInteger(length) && length > 0 ? length : undefined;
}
