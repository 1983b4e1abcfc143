import type { EpochMs } from '../domain/clock.ts';
import type { ExchangeFaultName } from '../domain/exchange-fault.ts';
import { chance, pick, type Random } from '../domain/random.ts';
import type { ApiAnswer, SandboxRequest } from './answer.ts';
import type { Api } from './api.ts';
import type { Exchange } from './exchange.ts';
import type { FaultPlan } from './fault-plan.ts';
import { cutOff, failed, htmlPage, lost, whole, type SandboxAnswer } from './sandbox-answer.ts';

/** One buy that a fault may befall. `execute` really buys; without it nothing has happened. */
interface StruckBuy {
  readonly random: Random;
  readonly plan: FaultPlan;
  readonly exchange: Exchange;
  execute(): ApiAnswer;
  /** An answer to dress up as a failure when nothing was executed; `verdict` goes to the auditor. */
  untouched(verdict: string): ApiAnswer;
  later(delayMs: number): void;
}

/** In the order in which they are tried; the first that strikes is the one. */
const faults = {
  buyLostBefore: (buy) => {
    buy.untouched('lost');
    return lost('before');
  },
  buyLostAfter: (buy) => {
    buy.execute();
    return lost('after');
  },
  buyErrorBefore: (buy) => failed(buy.untouched('error'), 500, 'INTERNAL_ERROR', 'something went wrong'),
  buyErrorAfter: (buy) => failed(buy.execute(), 500, 'INTERNAL_ERROR', 'something went wrong'),
  buyExecutedLate: (buy) => {
    const answer = buy.untouched('queued');
    buy.later(buy.plan.lasts('late', buy.random));
    return failed(answer, 504, 'UPSTREAM_TIMEOUT', 'the market did not answer in time');
  },
  buyRefusedOwner: (buy) => failed(buy.untouched('refused'), 400, 'TRADE_URL_INVALID', 'the trade URL is not valid any more'),
  buyHtml: (buy) => {
    if (chance(buy.random, 0.5)) buy.execute();
    else buy.untouched('html');
    return htmlPage(buy.random);
  },
  buyLate: (buy) => ({ ...whole(buy.execute()), delayMs: buy.plan.lasts('late', buy.random) }),
  buyCut: (buy) => cutOff(whole(buy.execute()), buy.random),
  buyRefusedYetBought: (buy) => refusedYetBought(buy.execute(), buy.random),
  buyProcessing: (buy) => {
    const answer = chance(buy.random, 0.5) ? buy.execute() : buy.untouched('processing');
    return failed(answer, 409, 'ORDER_PROCESSING', 'the order is being processed, check whether it was created');
  },
  buyWithoutOrderId: (buy) => whole(withOrder(buy.execute(), ({ serviceOrderId: _, ...order }) => order)),
  buyUnusualStatus: (buy) =>
    whole(withOrder(buy.execute(), (order) => ({ ...order, status: pick(buy.random, ['PENDING', 'PROCESSING', 'QUEUED']) }))),
  buyOtherGoods: (buy) => whole(otherGoods(buy.execute(), buy.exchange, buy.random)),
} satisfies Partial<Record<ExchangeFaultName, (buy: StruckBuy) => SandboxAnswer>>;

type BuyFaultName = keyof typeof faults;

const names = Object.keys(faults) as BuyFaultName[];

/** What a buy is answered, as the faults have it. */
export function faultyBuy(api: Api, exchange: Exchange, plan: FaultPlan, request: SandboxRequest, now: EpochMs): SandboxAnswer {
  const ask = api.buyAsk(request);
  const struck = ask && names.find((name) => plan.strikes(name));
  if (!ask || !struck) return whole(api.answer(request, now));
  return faults[struck]({
    random: plan.random(struck),
    plan,
    exchange,
    execute: () => api.answer(request, now),
    untouched: (verdict) => {
      exchange.books.note({ kind: 'post', ...ask, verdict }, now);
      return api.unanswered('buy', ask.account);
    },
    later: (delayMs) => exchange.buyLater(ask, now + delayMs),
  });
}

/** A buy that was refused anyhow stays so. */
function refusedYetBought(answer: ApiAnswer, random: Random): SandboxAnswer {
  if (!answer.result.success) return whole(answer);
  const [status, code, message] = pick(random, refusals);
  return failed(answer, status, code, message);
}

const refusals: readonly (readonly [status: number, code: string | number, message: string])[] = [
  [410, 'LISTING_NOT_FOUND', 'the listing is not for sale'],
  [409, 'PRICE_CHANGED', 'the price of the listing is another one now'],
  [400, 'INSUFFICIENT_BALANCE', 'the balance does not cover the price'],
  [429, 'RATE_LIMITED', 'too many requests'],
  [200, 5003, 'the purchase failed'],
];

type Order = Readonly<Record<string, unknown>>;

function withOrder(answer: ApiAnswer, change: (order: Order) => Order): ApiAnswer {
  if (!answer.result.success) return answer;
  const data = answer.result.data as { readonly order: Order };
  return { ...answer, result: { success: true, data: { ...data, order: change(data.order) } } };
}

function otherGoods(answer: ApiAnswer, exchange: Exchange, random: Random): ApiAnswer {
  const { standing } = exchange.market;
  const other = standing.at(Math.floor(random.next() * standing.size));
  if (!answer.result.success || !other) return answer;
  const data = answer.result.data as Readonly<Record<string, unknown>>;
  return { ...answer, result: { success: true, data: { ...data, item: other.wire } } };
}
