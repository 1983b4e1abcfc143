import { createHmac } from 'node:crypto';
import { sleep, type Clock } from '../domain/clock.ts';
import { Secret } from '../domain/secret.ts';
import { post } from '../notify/post.ts';
import { isLoopback } from '../settings/loopback.ts';
import type { EventDelivery } from './order-events.ts';
import { SandboxError } from './sandbox-error.ts';

export interface WebhookTarget {
  /** On this machine. */
  readonly url: string;
  /** What events are signed with; undefined: they are not. */
  readonly secret: string | undefined;
}

/** Waits before each try, milliseconds: an address that does not take an event within three minutes never gets it. */
const WAITS_MS = [0, 1_000, 5_000, 30_000, 120_000];
/** More than so many on their way, and the newest is dropped. */
const WAITING_MAX = 1_000;

/** Posts events to one address, each until it is taken or was tried five times. */
export class WebhookSender {
  readonly #url: URL;
  readonly #secret: Secret | undefined;
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();

  /** Throws SandboxError for an address that is not on this machine. */
  constructor({ url, secret }: WebhookTarget, clock: Clock) {
    const address = URL.canParse(url) ? new URL(url) : undefined;
    if (!address || !/^https?:$/.test(address.protocol) || !isLoopback(address.hostname))
      throw new SandboxError('option', 'webhooks go to an http address on this machine, such as http://127.0.0.1:9791/hook');
    this.#url = address;
    this.#secret = secret === undefined ? undefined : new Secret(secret);
    this.#clock = clock;
  }

  send(deliveries: readonly EventDelivery[]): void {
    for (const delivery of deliveries) {
      if (this.#running.size >= WAITING_MAX) return;
      const run = this.#deliver(delivery);
      this.#running.add(run);
      void run.finally(() => this.#running.delete(run));
    }
  }

  /** Resolves when nothing is under way any more; what was not taken by then never is. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  async #deliver({ event, afterMs }: EventDelivery): Promise<void> {
    const { signal } = this.#ending;
    const body = JSON.stringify(event);
    const headers = { 'content-type': 'application/json', 'x-webhook-id': event.id, ...this.#signature(body) };
    const secrets = this.#secret ? [this.#secret] : [];
    await sleep(this.#clock, afterMs, signal);
    for (const wait of WAITS_MS) {
      if (wait > 0) await sleep(this.#clock, wait, signal);
      if (signal.aborted) return;
      const sent = await post({ url: this.#url, headers, body, secrets, next: '' }, this.#clock, signal);
      if (sent.ok) return;
    }
  }

  #signature(body: string): Readonly<Record<string, string>> {
    if (!this.#secret) return {};
    return { 'x-webhook-signature': `sha256=${createHmac('sha256', this.#secret.reveal()).update(body).digest('hex')}` };
  }
}
