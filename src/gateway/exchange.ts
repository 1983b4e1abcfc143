import type { Dispatcher } from 'undici';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { FaultCause } from '../domain/fault.ts';
import { printable } from '../domain/text.ts';
import type { Broken, Headers } from './answer.ts';
import { dispatchWatched } from './departures.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path with query, encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Bytes of the body as it comes over the wire. */
  readonly limitBytes: number;
}

/** An answer whose body has not been read yet. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly status: number;
  readonly headers: Headers;
  /** In the pieces in which it came. */
  readonly body: readonly Buffer[];
}

export type RawEnding = RawAnswer | Broken;

/** Sees the body of an answer on its way. */
export type Receiving = (piece: Buffer, status: number, headers: Headers) => void;

/** What is not 2xx is an error page at most. */
const ERROR_PAGE_MAX = 1024 * 1024;

/**
 * One request on the wire, from its dispatch to its end: written at most once, its body always read to the end or its socket
 * destroyed. It has no deadline of its own: whoever started it cancels it.
 */
export class Exchange {
  readonly ended: Promise<RawEnding>;
  readonly #clock: Clock;
  readonly #limitBytes: number;
  readonly #onDeparture: () => void;
  readonly #keptBack: () => string | undefined;
  readonly #receiving: Receiving | undefined;
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #over = false;
  #settle: (ending: RawEnding) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #cancelled: { cause: FaultCause; message: string } | undefined;
  #sentAt: EpochMs | undefined;
  #status: number | undefined;
  #headers: Headers = {};

  /**
   * `onDeparture` is called once: when the headers leave, or when it is certain that they never will. `keptBack` is asked once, when
   * there is a connection and nothing was written to it yet: why the request must not leave any more, if so. `receiving` is
   * shown each piece of the body as it comes; it must not throw, and ends nothing.
   */
  constructor(
    dispatcher: Pick<Dispatcher, 'dispatch'>,
    request: WireRequest,
    clock: Clock,
    onDeparture: () => void,
    keptBack: () => string | undefined = () => undefined,
    receiving?: Receiving,
  ) {
    this.#clock = clock;
    this.#keptBack = keptBack;
    this.#receiving = receiving;
    this.#limitBytes = request.limitBytes;
    this.#onDeparture = onDeparture;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { method, path, headers, body } = request;
    // Both of undici's time-outs are switched off: they count between bytes, and the deadline here is for the whole.
    const options = { method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 };
    dispatchWatched(dispatcher, options, this.#handler(), () => this.#departed());
  }

  /** When the headers left, steady epoch milliseconds; undefined while they have not. */
  get sentAt(): EpochMs | undefined {
    return this.#sentAt;
  }

  /**
   * Whether the headers may have left; cancelled while it is false, they never will. The channel tells; that undici has taken a
   * connection for the request, which it does just before, is enough to doubt.
   */
  get sent(): boolean {
    return this.#sentAt !== undefined || this.#controller !== undefined;
  }

  /** Ends it now and destroys its socket. A request that is still waiting for a connection will not be written any more. */
  cancel(cause: FaultCause, message: string): void {
    if (this.#cancelled) return;
    this.#cancelled = { cause, message };
    this.#end(this.#broken(cause, message));
    this.#controller?.abort(new Error(message));
  }

  #handler(): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller) => this.#started(controller),
      onResponseStart: (controller, status, headers) => this.#answering(controller, status, headers),
      onResponseData: (controller, chunk) => this.#receive(controller, chunk),
      onResponseEnd: () => this.#complete(),
      onResponseError: (_controller, error) => this.#end(this.#failure(error)),
    };
  }

  #started(controller: Dispatcher.DispatchController): void {
    if (this.#cancelled) return controller.abort(new Error(this.#cancelled.message));
    // A second start would be a second request on the wire.
    if (this.#controller) return controller.abort(new Error('a request is never written twice'));
    const why = this.#keptBack();
    if (why !== undefined) {
      // Only now is it aborted: by the controller alone it would pass for one that may have left.
      this.cancel('other', why);
      return controller.abort(new Error(why));
    }
    this.#controller = controller;
  }

  #departed(): void {
    if (this.#sentAt !== undefined) return;
    this.#sentAt = this.#clock.now();
    this.#onDeparture();
  }

  #answering(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#limit()) this.#tooLarge(controller);
  }

  #receive(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received > this.#limit()) return this.#tooLarge(controller);
    this.#chunks.push(chunk);
    if (!this.#over && this.#status !== undefined) this.#receiving?.(chunk, this.#status, this.#headers);
  }

  #tooLarge(controller: Dispatcher.DispatchController): void {
    this.#chunks.length = 0;
    this.#end(this.#broken('unreadable', `the answer is larger than ${this.#limit()} bytes`));
    controller.abort(new Error('answer too large'));
  }

  #limit(): number {
    const successful = this.#status !== undefined && this.#status < 300;
    return successful ? this.#limitBytes : Math.min(this.#limitBytes, ERROR_PAGE_MAX);
  }

  #complete(): void {
    if (this.#status === undefined) return this.#end(this.#broken('unreadable', 'the answer had no status'));
    this.#end({ kind: 'raw', status: this.#status, headers: this.#headers, body: this.#chunks });
  }

  #end(ending: RawEnding): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#sentAt === undefined) this.#onDeparture();
    this.#settle(ending);
  }

  #failure(error: Error): Broken {
    const code = codeOf(error);
    const message = error.message === '' ? (firstInner(error)?.message ?? code) : error.message;
    // undici leaves its parser's errors without a code.
    const cause = error.name === 'HTTPParserError' ? 'unreadable' : causeOfCode(code);
    return this.#broken(cause, printable(message === '' ? 'the connection failed' : message));
  }

  #broken(cause: FaultCause, message: string): Broken {
    return { kind: 'broken', cause, message, sent: this.sent, status: this.#status, headers: this.#headers };
  }
}

function causeOfCode(code: string): FaultCause {
  if (/^UND_ERR_(?:RES_|RESPONSE|HEADERS_OVERFLOW)/.test(code)) return 'unreadable';
  return code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'connection';
}

function codeOf(error: Error): string {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return own === '' ? (firstInner(error)?.code ?? '') : own;
}

/** Where several addresses were tried, each failure stands inside. */
function firstInner(error: Error): { message: string; code: string } | undefined {
  if (!(error instanceof AggregateError)) return undefined;
  const [first] = error.errors as unknown[];
  return first instanceof Error ? { message: first.message, code: codeOf(first) } : undefined;
}
