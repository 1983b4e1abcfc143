import { compileCheck } from '../api/check.ts';
import { endpoints } from '../api/endpoints.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import { scrubber, secretsOfTradeUrl, type Secret } from '../domain/secret.ts';
import type { BuyOrder, Venue, WireTimes } from '../engine/ports.ts';
import { waitAskedBy } from './answer.ts';
import { answerOf } from './body.ts';
import { BuyConnections } from './buy-connections.ts';
import { classifyBuy } from './classify-buy.ts';
import { Exchange, type RawEnding } from './exchange.ts';
import { cleaner, headersFor, scrubbed, type Line } from './line.ts';
import type { Clean } from './said.ts';
import { targetOf } from './target.ts';
import { withoutSecretHeaders } from './without-secrets.ts';

/** An answer to a buy is one order and one listing. */
const ANSWER_MAX = 1024 * 1024;

/** How long the socket is read on after a buy was given up as unknown: a late answer is the cheapest evidence there is. */
const READ_ON_MS = 60_000;

/** The venue that spends real money. */
export interface LiveVenue extends Venue {
  /** Breaks off what is under way, which becomes unknown. */
  close(): Promise<void>;
}

/** Asked when a buy has its connection and nothing was written: why it must not leave any more; undefined: it may. */
export type KeptBack = (order: BuyOrder) => string | undefined;

/**
 * The only object that can buy: in dry-run nobody makes it. It has connections of its own, one of them ready beforehand, no layer that
 * repeats, and writes one POST for each purchase or none. A buy may wait for its connection as long as a request may take, so
 * `keptBack` is asked again what was asked before the intent was written.
 */
export function createVenue(line: Line, tradeUrl: Secret, keptBack: KeptBack): LiveVenue {
  return new HttpVenue(line, tradeUrl, keptBack);
}

class HttpVenue implements LiveVenue {
  readonly #line: Line;
  readonly #tradeUrl: Secret;
  readonly #keptBack: KeptBack;
  readonly #connections: BuyConnections;
  readonly #path: string;
  readonly #scrub: (text: string) => string;
  readonly #clean: Clean;
  readonly #checkBody = compileCheck(endpoints.buy.body);

  constructor(line: Line, tradeUrl: Secret, keptBack: KeptBack) {
    this.#line = line;
    this.#tradeUrl = tradeUrl;
    this.#keptBack = keptBack;
    this.#path = targetOf(line.base, endpoints.buy);
    this.#scrub = scrubber([...line.secrets, ...secretsOfTradeUrl(tradeUrl)]);
    this.#clean = cleaner(this.#scrub);
    const { clock, random, timeoutMs } = line;
    this.#connections = new BuyConnections({ url: line.base.url, timeoutMs, clock, random });
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }

  async buy(order: BuyOrder, late: (outcome: BuyOutcome) => void): Promise<{ outcome: BuyOutcome; times: WireTimes }> {
    const { clock, timeoutMs } = this.#line;
    const body = { itemId: order.listingId, price: order.price, market: order.market, tradeUrl: this.#tradeUrl.reveal() };
    const wrong = this.#checkBody(body);
    if (wrong !== undefined) {
      return {
        outcome: { kind: 'unsent', cause: 'request', message: `the order is wrong: ${wrong}` },
        times: timesOf(undefined, undefined),
      };
    }
    const beganAt = clock.now();
    const exchange = this.#send(Buffer.from(JSON.stringify(body)), order);
    const ending = await endsWithin(exchange, clock, timeoutMs);
    if (ending) {
      const answeredAt = ending.kind === 'raw' ? clock.now() : undefined;
      return { outcome: await this.#outcome(ending, order, beganAt), times: timesOf(exchange.sentAt, answeredAt) };
    }
    const message = `no whole answer within ${timeoutMs} ms`;
    if (exchange.sent) void this.#readOn(exchange, order, beganAt, late);
    else exchange.cancel('timeout', message);
    return { outcome: timedOut(exchange.sent, message), times: timesOf(exchange.sentAt, undefined) };
  }

  #send(body: Buffer, order: BuyOrder): Exchange {
    const { key, clock, buys } = this.#line;
    const headers = headersFor(key, body, 'identity');
    return new Exchange(
      this.#connections,
      { method: 'POST', path: this.#path, headers, body, limitBytes: ANSWER_MAX },
      clock,
      buys.depart(),
      () => this.#keptBack(order),
    );
  }

  async #readOn(exchange: Exchange, order: BuyOrder, beganAt: EpochMs, late: (outcome: BuyOutcome) => void): Promise<void> {
    const ending = await endsWithin(exchange, this.#line.clock, READ_ON_MS);
    if (!ending) exchange.cancel('timeout', 'no answer in the minute after');
    if (ending?.kind !== 'raw') return;
    const outcome = await this.#outcome(ending, order, beganAt);
    try {
      late(outcome);
    } catch (error) {
      this.#line.log.error('late-answer-lost', { listingId: order.listingId, message: this.#scrub(String(error)) });
    }
  }

  async #outcome(ending: RawEnding, order: BuyOrder, beganAt: EpochMs): Promise<BuyOutcome> {
    const { clock, backoff } = this.#line;
    const answer = await answerOf(withoutSecretHeaders(ending, this.#scrub), ANSWER_MAX);
    const outcome = scrubbed(classifyBuy(answer, order, clock.now(), this.#clean), this.#scrub);
    if (outcome.kind === 'bought') backoff.succeeded(beganAt);
    else if (outcome.cause === 'rate' || outcome.cause === 'ban') {
      backoff.slowed(outcome.cause, waitAskedBy(answer.headers, clock.now()), beganAt, outcome.message);
    }
    return outcome;
  }
}

/** undefined when it has not ended by then; it then goes on. */
function endsWithin(exchange: Exchange, clock: Clock, ms: number): Promise<RawEnding | undefined> {
  return new Promise((resolve) => {
    const stop = clock.after(ms, () => resolve(undefined));
    void exchange.ended.then((ending) => {
      stop();
      resolve(ending);
    });
  });
}

function timedOut(sent: boolean, message: string): BuyOutcome {
  if (!sent) return { kind: 'unsent', cause: 'timeout', message: 'no connection in time' };
  return { kind: 'unknown', cause: 'timeout', message, status: undefined, upstreamOrderId: undefined, requestId: undefined };
}

function timesOf(sentAt: EpochMs | undefined, answeredAt: EpochMs | undefined): WireTimes {
  return { sentAt, answeredAt };
}
