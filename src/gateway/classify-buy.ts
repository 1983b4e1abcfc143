import type { EpochMs } from '../domain/clock.ts';
import type { FaultCause } from '../domain/fault.ts';
import { microsFromDollars } from '../domain/money.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import { serviceMessage } from '../domain/text.ts';
import type { BuyOrder } from '../engine/ports.ts';
import { unreadMessage, waitAskedBy, type Answer, type Whole } from './answer.ts';
import { causeOf, causeOfStatus, mayHaveOrder } from './causes.ts';
import { asObject, fieldAt } from './fields.ts';
import { requestIdIn, saidIn, type Clean, type Said } from './said.ts';
import { parseStrictly } from './strict-json.ts';

/** The only statuses that can refuse a buy, and only with a JSON object as their body. */
const refusing: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 410, 422, 429]);

/** Whether an answer of this status can say for certain that what was asked was not done. */
export function mayRefuse(status: number): boolean {
  return isSuccessStatus(status) || refusing.has(status);
}

/** An order id longer than this is no id. */
const ORDER_ID_MAX = 256;

/**
 * What one buy came to. Bought needs `success: true` and an order id; a refusal needs to be whole, readable, and free of any sign
 * that an order may exist; what never left is unsent; everything else is unknown, since the order may exist. `clean` makes the
 * service's words fit to be kept.
 */
export function classifyBuy(answer: Answer, order: BuyOrder, now: EpochMs, clean: Clean = serviceMessage): BuyOutcome {
  if (answer.kind === 'broken') {
    const { cause, message, status } = answer;
    if (!answer.sent) return { kind: 'unsent', cause, message };
    return unknown(status, status === undefined || status < 300 ? cause : causeOfStatus(status), message);
  }
  const { status } = answer;
  const unread = (why: string): BuyOutcome => unknown(status, causeOfStatus(status), unreadMessage(status, why));
  if (!('text' in answer.body)) return unread('unreadable' in answer.body ? answer.body.unreadable : 'it was read as a list');
  const json = parseStrictly(answer.body.text);
  if (!json.ok) return unread(json.why);
  return asObject(json.value) ? outcomeOf(answer, json.value, order, now, clean) : unread('it is no JSON object');
}

function outcomeOf(answer: Whole, body: unknown, order: BuyOrder, now: EpochMs, clean: Clean): BuyOutcome {
  const { status, headers } = answer;
  const heard: Heard = { status, body, said: saidIn(body, clean), requestId: requestIdIn(body, clean) };
  const accepted = isSuccessStatus(status);
  if (accepted && fieldAt(body, ['success']) === true) {
    const serviceOrderId = fieldAt(body, ['data', 'order', 'serviceOrderId']);
    return isOrderId(serviceOrderId) ? bought(heard, serviceOrderId, order, clean) : ambiguous(heard, 'it carries no order id');
  }
  if (!accepted && !refusing.has(status)) return ambiguous(heard, 'which says nothing certain');
  const doubt = doubtOfRefusal(heard);
  return doubt === undefined ? refused(heard, waitAskedBy(headers, now)) : ambiguous(heard, doubt);
}

/** A whole answer whose body is a JSON object. */
interface Heard {
  readonly status: number;
  readonly body: unknown;
  readonly said: Said;
  readonly requestId: string | undefined;
}

/** Why what looks like a refusal is none; undefined when it is one. */
function doubtOfRefusal({ status, body, said }: Heard): string | undefined {
  const success = fieldAt(body, ['success']);
  if (isSuccessStatus(status) ? success !== false : success === true) return 'its status and its success contradict each other';
  if (orderReference(body) !== undefined) return 'it names an order';
  return mayHaveOrder(said.words) ? 'its words say that an order may exist' : undefined;
}

function bought({ body, said, requestId }: Heard, serviceOrderId: string, order: BuyOrder, clean: Clean): BuyOutcome {
  const status = fieldAt(body, ['data', 'order', 'status']);
  return {
    kind: 'bought',
    serviceOrderId,
    upstreamOrderId: idText(fieldAt(body, ['data', 'order', 'orderId'])),
    orderStatus: typeof status === 'string' && status !== '' ? clean(status) : 'none given',
    message: said.message,
    mismatch: mismatchOf(fieldAt(body, ['data', 'item']), order, clean),
    requestId,
  };
}

function refused({ status, said, requestId }: Heard, retryAfterMs: number | undefined): BuyOutcome {
  const message = said.message ?? said.code ?? `HTTP ${status} without a word`;
  return { kind: 'refused', cause: causeOf(status, said.words), status, code: said.code, message, requestId, retryAfterMs };
}

/** Readable, but the order may exist. */
function ambiguous({ status, body, said, requestId }: Heard, why: string): BuyOutcome {
  const words = said.message ?? said.code;
  return {
    kind: 'unknown',
    cause: isSuccessStatus(status) ? 'other' : causeOfWhole(status, said),
    message: words === undefined ? `HTTP ${status}, ${why}` : `HTTP ${status}, ${why}: ${words}`,
    status,
    upstreamOrderId: orderReference(body),
    requestId,
  };
}

function causeOfWhole(status: number, said: Said): FaultCause {
  return status === 403 ? causeOf(status, said.words) : causeOfStatus(status);
}

function unknown(status: number | undefined, cause: FaultCause, message: string): BuyOutcome {
  return { kind: 'unknown', cause, message, status, upstreamOrderId: undefined, requestId: undefined };
}

function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

function isOrderId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= ORDER_ID_MAX;
}

/** An id as text; a number only while it still has all its digits. */
function idText(value: unknown): string | undefined {
  if (isOrderId(value)) return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Any reference to an order, the upstream's first: alone it proves nothing, but it helps to find the order. Zero stands for none. */
function orderReference(body: unknown): string | undefined {
  for (const name of ['orderId', 'serviceOrderId']) {
    for (const path of [['data', 'order'], ['data'], ['order'], []]) {
      const id = idText(fieldAt(body, [...path, name]));
      if (id !== undefined && id !== '0') return id;
    }
  }
  return undefined;
}

/** The v1 endpoints and the health answer call one market by shorter names. */
const sameMarket: Readonly<Record<string, string>> = { c5: 'c5game', eco: 'ecosteam' };

/** In which of id, market and price the item of the answer is another than was asked for; what it leaves out says nothing. */
function mismatchOf(item: unknown, order: BuyOrder, clean: Clean): string | undefined {
  const differences: string[] = [];
  const id = idText(fieldAt(item, ['id']));
  if (id !== undefined && id !== order.listingId) differences.push(`listing ${clean(id)} instead of ${order.listingId}`);
  const market = fieldAt(item, ['market']);
  if (typeof market === 'string' && (sameMarket[market] ?? market) !== order.market) {
    differences.push(`market ${clean(market)} instead of ${order.market}`);
  }
  const price = fieldAt(item, ['price']);
  if (typeof price === 'number' && microsFromDollars(price, 'up') !== microsFromDollars(order.price, 'up')) {
    differences.push(`price ${price} instead of ${order.price}`);
  }
  return differences.length === 0 ? undefined : differences.join(', ');
}
