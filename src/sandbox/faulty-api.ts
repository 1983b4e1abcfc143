import type { EpochMs } from '../domain/clock.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { chance } from '../domain/random.ts';
import type { ApiAnswer, SandboxRequest } from './answer.ts';
import type { Api } from './api.ts';
import { faultyBuy } from './buy-faults.ts';
import type { Exchange } from './exchange.ts';
import type { FaultPlan } from './fault-plan.ts';
import { faultyFeed } from './feed-faults.ts';
import { faultyHealth, faultyOrders, faultyProfile, faultyTransactions, type RowSource } from './row-faults.ts';
import { routeOf } from '../api/routes.ts';
import { cutOff, failed, forbidden, htmlPage, lost, oddShape, tooMany, whole, type SandboxAnswer } from './sandbox-answer.ts';

const HOUR = 3_600_000;

/** The partner API as an unreliable service answers it: faults of transport, time and content, as the plan draws them. */
export class FaultyApi {
  readonly #api: Api;
  readonly #exchange: Exchange;
  readonly #plan: FaultPlan;
  #bannedUntil = Number.NEGATIVE_INFINITY;
  #frozenUntil = Number.NEGATIVE_INFINITY;
  #lastFeed: SandboxAnswer | undefined;

  constructor(api: Api, exchange: Exchange, plan: FaultPlan) {
    this.#api = api;
    this.#exchange = exchange;
    this.#plan = plan;
  }

  answer(request: SandboxRequest, now: EpochMs): SandboxAnswer {
    const answer = this.#answered(request, now);
    const hourOff = this.#plan.strikes('dateWrong') ? (this.#plan.random('dateWrong').next() < 0.5 ? -HOUR : HOUR) : 0;
    return { ...answer, headers: { ...answer.headers, date: new Date(now + hourOff).toUTCString() } };
  }

  #answered(request: SandboxRequest, now: EpochMs): SandboxAnswer {
    const name = routeOf(request.method, request.path)?.name;
    if (name === undefined) return whole(this.#api.answer(request, now));
    const barred = this.#barred(request, now);
    if (barred) return barred;
    if (name === 'buy') return faultyBuy(this.#api, this.#exchange, this.#plan, request, now);
    return this.#read(request, now);
  }

  /** Bans and rate limits keep every request out; one that would have bought is noted for the auditor. */
  #barred(request: SandboxRequest, now: EpochMs): SandboxAnswer | undefined {
    const plan = this.#plan;
    const fresh = now >= this.#bannedUntil && plan.strikes('forbidden');
    if (fresh) this.#bannedUntil = now + plan.lasts('spell', plan.random('forbidden'));
    const banned = now < this.#bannedUntil;
    if (!banned && !plan.strikes('tooMany')) return undefined;
    const ask = routeOf(request.method, request.path)?.name === 'buy' ? this.#api.buyAsk(request) : undefined;
    if (ask) this.#exchange.books.note({ kind: 'post', ...ask, verdict: banned ? 'forbidden' : 'rate' }, now);
    const answer = this.#unanswered(request);
    return banned ? forbidden(answer, plan.random('forbidden')) : tooMany(answer, plan.random('tooMany'), now);
  }

  #read(request: SandboxRequest, now: EpochMs): SandboxAnswer {
    const plan = this.#plan;
    if (plan.strikes('readLost')) {
      // Whether what was asked has been done, nobody is told.
      const changes = routeOf(request.method, request.path)?.endpoint.moves !== undefined;
      if (changes && chance(plan.random('readLost'), 0.5)) this.#api.answer(request, now);
      return lost('after');
    }
    if (plan.strikes('readError')) return failed(this.#unanswered(request), 500, 'INTERNAL_ERROR', 'something went wrong');
    if (plan.strikes('readHtml')) return htmlPage(plan.random('readHtml'));
    if (plan.strikes('readOddShape')) return oddShape(this.#unanswered(request), plan.random('readOddShape'));
    const answer = this.#frozen(this.#api.answer(request, now), now);
    if (plan.strikes('readCut')) return cutOff(answer, plan.random('readCut'));
    return plan.strikes('readLate') ? { ...answer, delayMs: plan.lasts('late', plan.random('readLate')) } : answer;
  }

  #unanswered(request: SandboxRequest): ApiAnswer {
    return this.#api.unanswered(undefined, this.#api.callerOf(request));
  }

  #frozen(answer: ApiAnswer, now: EpochMs): SandboxAnswer {
    if (answer.endpoint !== 'liveListings' || !answer.result.success) return whole(this.#twisted(answer));
    const plan = this.#plan;
    if (now < this.#frozenUntil && this.#lastFeed) return this.#lastFeed;
    if (this.#lastFeed && plan.strikes('feedFrozen')) {
      this.#frozenUntil = now + plan.lasts('spell', plan.random('feedFrozen'));
      return this.#lastFeed;
    }
    this.#lastFeed = whole(this.#twisted(answer));
    return this.#lastFeed;
  }

  #twisted(answer: ApiAnswer): ApiAnswer {
    if (!answer.result.success) return answer;
    return { ...answer, result: { success: true, data: this.#twistedData(answer.endpoint, answer.result.data) } };
  }

  #twistedData(endpoint: ApiAnswer['endpoint'], data: unknown): unknown {
    const fields = data as Readonly<Record<string, unknown>>;
    const plan = this.#plan;
    switch (endpoint) {
      case 'liveListings':
        return faultyFeed(data, plan);
      case 'orders':
        return faultyOrders(fields, { plan, sourceOf: (id) => this.#sourceOf(id) });
      case 'transactions':
        return faultyTransactions(fields, {
          plan,
          sourceOf: (id) => this.#sourceOf(this.#exchange.books.booking(id)?.orderId ?? ''),
        });
      case 'user':
        return faultyProfile(fields, plan);
      case 'marketHealth':
        return faultyHealth(fields, plan);
      default:
        return data;
    }
  }

  #sourceOf(orderId: string): RowSource | undefined {
    const order = this.#exchange.books.order(orderId);
    return order && { listingId: order.listingId, price: dollarsFromMicros(order.price) };
  }
}
