import type { Post } from '../door.ts';
import type { SimLog } from '../sim-log.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import { type EvidenceRow, type HaltRow, type PurchaseRow, type Rows, keyOf } from './rows.ts';
import type { Truth } from './truth.ts';
import { fateOf, saidIn } from './wire.ts';

const CENT = 10_000;
const MINUTE = 60_000;

/** What the auditor of halts goes by. */
export interface HaltScene {
  readonly rows: Rows;
  readonly truth: Truth;
  readonly posts: readonly Post[];
  readonly log: Pick<SimLog, 'lines' | 'isWhole'>;
  readonly plan: Pick<Plan, 'bot' | 'pace' | 'clockSteps'>;
  /** The greatest of all limits.breaker.refusalsInRow that may have been in force. */
  readonly refusalsInRow: number;
}

/**
 * Invariant 10: what halts by itself has halted, as far as the books tell it for sure. Two causes they do not: an hour above what is usual
 * for the account, which is judged after seven days of history, and no life lasts so long; and a fall of the balance that nothing
 * explains: here nothing takes money but orders, each of which is told of by itself (beyond.ts), and whether two readings agreed while
 * nothing was reserved, as it takes, is known to the program alone.
 */
export function haltViolations(scene: HaltScene): Violation[] {
  return [...afterRefusals(scene), ...atBreaker(scene), ...atStrangers(scene), ...atDebits(scene), ...atOtherGoods(scene)];
}

/** Refusals that somebody was faster, that the price moved or that we were too quick: they say nothing bad of us. */
const harmless = new Set(['LISTING_NOT_FOUND', 'PRICE_CHANGED', 'RATE_LIMITED']);

/**
 * So many refusals in a row, and a buy left all the same. They are counted anew with each start of the process (from its rows the
 * program counts purchases, not answers) and with each resume that it has noticed; one that came after the time-out is left out.
 */
function afterRefusals({ posts, log, plan, refusalsInRow }: HaltScene): Violation[] {
  if (!log.isWhole) return [];
  const resumes = log.lines.filter(({ event }) => event === 'resumed').map(({ at }) => at);
  return posts.flatMap((post) => {
    const since = Math.max(-Infinity, ...resumes.filter((at) => at <= post.at));
    const answers = posts
      .filter(({ boot, delivered }) => boot === post.boot && delivered !== undefined && delivered.at < post.at)
      .map((one) => ({ one, at: one.delivered?.at ?? 0 }))
      .sort((a, b) => a.at - b.at);
    let inRow = 0;
    for (const { one, at } of answers) {
      if (isBought(one)) inRow = 0;
      else if (at > since && at - one.at < plan.bot.timeoutMs && isBadRefusal(one, post.at)) inRow += 1;
    }
    if (inRow < refusalsInRow) return [];
    const about = { at: post.at, listing: `${post.market}:${post.listingId}` };
    return [violation('unhalted', `a buy left after ${inRow} refusals in a row, ${refusalsInRow} halt`, about)];
  });
}

function isBought({ delivered }: Post): boolean {
  const said = delivered && saidIn(delivered.ending);
  return said?.success === true && typeof said.data?.order?.serviceOrderId === 'string';
}

function isBadRefusal(post: Post, at: number): boolean {
  const { fate, code } = fateOf(post, at);
  return fate === 'refused' && !harmless.has(code);
}

/** A match was refused because the purchases of an hour are used up: that very refusal halts. A clock that was set leaves it open which halt was when. */
function atBreaker({ rows, log, plan }: HaltScene): Violation[] {
  if (plan.clockSteps.length > 0 || !log.isWhole) return [];
  // A disk that refuses the halt, and a process that ends before it is written, put it off.
  const graceMs = 2 * MINUTE * plan.pace;
  const ends = log.lines.filter(({ event }) => event === 'died' || event === 'stopped-by-request');
  const isNear = (at: number, of: number): boolean => Math.abs(at - of) <= graceMs;
  const first = (rows.breakerAt ?? []).find(
    (at) => !rows.halts.some((halt) => stoodAt(halt, at, graceMs)) && !ends.some((end) => isNear(end.at, at)),
  );
  return first === undefined ? [] : [violation('unhalted', 'as many purchases in an hour as may be, and no halt', { at: first })];
}

function stoodAt({ at, resumed_at: until }: HaltRow, moment: number, graceMs: number): boolean {
  return at <= moment + graceMs && (until ?? Infinity) >= moment - graceMs;
}

/** On a dedicated account, unless one of ours that was refused or unknown may explain the order. */
function atStrangers({ rows, truth, plan }: HaltScene): Violation[] {
  if (!plan.bot.dedicated) return [];
  const doubted = new Set(
    rows.purchases
      .filter(({ was_unknown: unknown, refusal_cause: cause, state }) => unknown === 1 || cause !== null || state === 'rejected')
      .map(({ market_hash_name: name }) => name),
  );
  return rows.orders.flatMap(({ order_id: id, known_as: as, first_seen: at }) => {
    const order = truth.byId.get(id)?.order;
    if (as !== 'adopted' || order === undefined || order.origin === 'ours' || doubted.has(order.name)) return [];
    if (isHalted(rows, 'evidence', at)) return [];
    return [violation('unhalted', `order ${id} of somebody else on a dedicated account, and no halt with it`, { at })];
  });
}

/** More than a cent above what was expected was first booked. */
function atDebits({ rows }: HaltScene): Violation[] {
  return rows.purchases.flatMap((row) => {
    const dear = rows.evidence.find((one) => one.purchase_id === row.id && (paidIn(one) ?? 0) > row.cost + CENT);
    if (dear === undefined || isHalted(rows, 'evidence', dear.at)) return [];
    return [violation('unhalted', `${paidIn(dear)} was debited, ${row.cost} expected, and no halt with it`, aboutOf(row))];
  });
}

function paidIn({ kind, json }: EvidenceRow): number | undefined {
  return json === null || (kind !== 'paid' && kind !== 'bought') ? undefined : (JSON.parse(json) as { paid?: number }).paid;
}

/** An answer came whole, named another listing as bought, and was written down: a process that died with it in hand knows nothing of it. */
function atOtherGoods({ rows, posts }: HaltScene): Violation[] {
  return posts.flatMap(({ delivered, market, listingId }) => {
    const said = delivered && saidIn(delivered.ending);
    const id = said?.data?.order?.serviceOrderId;
    const shown = said?.data?.item?.id;
    if (said?.success !== true || typeof id !== 'string' || shown === undefined || String(shown) === listingId) return [];
    const written = rows.evidence.find(
      ({ kind, json }) => (kind === 'outcome' || kind === 'late') && json?.includes(JSON.stringify(id)),
    );
    if (written === undefined || isHalted(rows, 'outcome', written.at)) return [];
    return [
      violation('unhalted', 'other goods than asked for, and no halt', { at: written.at, listing: `${market}:${listingId}` }),
    ];
  });
}

/** What halts is written together with its cause, under the same moment. */
function isHalted({ halts }: Rows, by: string, at: number): boolean {
  return halts.some((halt) => halt.by_whom === by && halt.at === at);
}

function aboutOf(row: PurchaseRow): Partial<Violation> {
  return { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
}
