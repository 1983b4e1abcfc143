import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import type { SandboxAnswer } from '../../src/sandbox/sandbox-answer.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

export type Json = Record<string, unknown>;

/** Faults that are part of normal life, switched off so that a test meets only what it asks for. */
export const calm = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };

export interface Wire {
  readonly id: string;
  readonly itemId: string;
  readonly market: string;
  readonly marketHashName: string;
  readonly price: number;
  readonly priceWithFee: number;
  readonly steamPrice: number | null;
  readonly wear: number | null;
  readonly stickers: unknown[];
  readonly charm: unknown;
}

/** A sandbox on a virtual clock, asked without a transport. */
export class Bench {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;

  constructor(options: Partial<SandboxOptions> = {}, clock = new VirtualClock()) {
    this.clock = clock;
    this.sandbox = createSandbox({ seed: 7, listings: 200, ...options, faults: { ...calm, ...options.faults }, clock });
  }

  ask(
    method: string,
    path: string,
    rest: { query?: Record<string, string>; key?: string | undefined; body?: unknown } = {},
  ): SandboxAnswer {
    const key = 'key' in rest ? rest.key : this.sandbox.childKey;
    const headers = { 'x-api-key': key, 'x-sandbox-control': this.sandbox.controlKey };
    const body = rest.body === undefined || typeof rest.body === 'string' ? rest.body : JSON.stringify(rest.body);
    return this.sandbox.handle({ method, path, query: rest.query ?? {}, headers, body });
  }

  /** The `data` of a success; anything else is an error. */
  data(method: string, path: string, rest: Parameters<Bench['ask']>[2] = {}): Json {
    const answer = this.ask(method, path, rest);
    const envelope = JSON.parse(answer.bodyText) as { success: boolean; data: Json };
    if (!envelope.success) throw new Error(`${method} ${path}: ${answer.bodyText}`);
    return envelope.data;
  }

  feed(): Wire[] {
    return this.data('GET', '/v2/partner/live/listings')['listings'] as Wire[];
  }

  /** Listings that the balance allows many of, cheapest first. */
  cheap(): Wire[] {
    return this.feed().sort((a, b) => a.priceWithFee - b.priceWithFee);
  }

  /** A listing that the balance allows. */
  cheapest(): Wire {
    const [listing] = this.cheap();
    if (!listing) throw new Error('an empty market');
    return listing;
  }

  buy(listing: Pick<Wire, 'id' | 'market' | 'price'>, change: Json = {}): SandboxAnswer {
    const body = { itemId: listing.id, price: listing.price, market: listing.market, tradeUrl: this.sandbox.tradeUrl, ...change };
    return this.ask('POST', '/v2/market/buy', { body });
  }

  orders(): Json[] {
    return this.data('GET', '/v1/user/orders')['orders'] as Json[];
  }

  /** Status codes of the orders, newest first. */
  codes(): string[] {
    return this.orders().map(({ status }) => (status as { code: string }).code);
  }

  balance(): number {
    return (this.data('GET', '/v1/user')['profile'] as Json)['balance'] as number;
  }

  pass(ms: number): void {
    this.clock.advanceSync(ms);
    this.sandbox.advance();
  }
}

export function parsed(answer: SandboxAnswer): Json {
  return JSON.parse(answer.bodyText) as Json;
}

export function serviceOrderId(answer: SandboxAnswer): string {
  return ((parsed(answer)['data'] as Json)['order'] as Json)['serviceOrderId'] as string;
}
