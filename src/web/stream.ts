import type { ServerResponse } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import type { Marks, PageFacts } from './page-facts.ts';

/** Browsers that look on at once, whatever they look at; one more is told to come later. */
const CLIENTS_MAX = 8;

/** What a browser has not taken of this is too much: it is let go, and comes again by itself. */
const UNREAD_BYTES_MAX = 1_048_576;

const TICK_MS = 1_000;
/** So often it hears from us at least, to know that the line is alive, and that ages grow. */
const STATUS_MS = 5_000;

/** Of the time that passes, putting news together may take this share. */
const SHARE_MAX = 0.2;

export interface StreamOptions {
  readonly facts: Pick<PageFacts, 'changed' | 'news' | 'status'>;
  readonly clock: Pick<Clock, 'mono' | 'after'>;
  readonly scrub: (text: string) => string;
}

/** A stream for each thing that somebody looks at; together they have no more listeners than one may. */
export class Streams {
  readonly #options: Pick<StreamOptions, 'clock' | 'scrub'>;
  readonly #open = new Map<StreamOptions['facts'], Stream>();

  constructor(options: Pick<StreamOptions, 'clock' | 'scrub'>) {
    this.#options = options;
  }

  get isFull(): boolean {
    return [...this.#open.values()].reduce((sum, { size }) => sum + size, 0) >= CLIENTS_MAX;
  }

  /** Begins an answer that goes on until one side ends it. */
  join(facts: StreamOptions['facts'], response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    for (const [left, stream] of this.#open) if (stream.size === 0) this.#open.delete(left);
    const { clock, scrub } = this.#options;
    const stream = this.#open.get(facts) ?? new Stream({ facts, clock, scrub });
    this.#open.set(facts, stream);
    stream.join(response, headers);
  }

  end(): void {
    for (const stream of this.#open.values()) stream.end();
    this.#open.clear();
  }
}

/** Tells browsers what happens, as server-sent events. While nobody looks on it asks nothing. */
class Stream {
  readonly #facts: StreamOptions['facts'];
  readonly #clock: StreamOptions['clock'];
  readonly #scrub: StreamOptions['scrub'];
  readonly #clients = new Set<ServerResponse>();
  #marks: Marks | undefined;
  #statusAt = -Infinity;
  #cancel: (() => void) | undefined;

  constructor({ facts, clock, scrub }: StreamOptions) {
    this.#facts = facts;
    this.#clock = clock;
    this.#scrub = scrub;
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Begins an answer that goes on until one side ends it. */
  join(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 1000\n\n');
    this.#clients.add(response);
    response.on('error', () => this.#leave(response));
    response.once('close', () => this.#leave(response));
    this.#statusAt = -Infinity;
    if (this.#cancel !== undefined) return;
    this.#marks = undefined;
    this.#next(0);
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    for (const client of this.#clients) client.destroy();
    this.#clients.clear();
  }

  #leave(client: ServerResponse): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #next(ms: number): void {
    this.#cancel = this.#clock.after(ms, () => {
      const began = this.#clock.mono();
      this.#tell(began);
      if (this.#clients.size === 0) return;
      this.#next(Math.max(TICK_MS, (this.#clock.mono() - began) / SHARE_MAX));
    });
  }

  #tell(now: number): void {
    try {
      if (!this.#facts.changed() && now - this.#statusAt < STATUS_MS) return;
      const { marks, decisions, decided, purchases } = this.#facts.news(this.#marks);
      this.#marks = marks;
      if (decided > 0) this.#send('decisions', { decided, newest: decisions });
      if (purchases.length > 0) this.#send('purchases', purchases);
      this.#send('status', this.#facts.status());
      this.#statusAt = now;
    } catch (error) {
      this.#statusAt = now;
      this.#send('trouble', { message: error instanceof Error ? error.message : String(error) });
    }
  }

  #send(event: string, value: unknown): void {
    const text = `event: ${event}\ndata: ${this.#scrub(JSON.stringify(value))}\n\n`;
    for (const client of this.#clients) {
      client.write(text);
      if (client.writableLength > UNREAD_BYTES_MAX) client.destroy();
    }
  }
}
