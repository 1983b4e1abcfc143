import { type Answer, ListingsDiff } from '../../src/feed/diff.ts';
import type { PollResult } from '../../src/engine/snapshot.ts';

/** When the first poll of a test begins. */
export const START = Date.UTC(2026, 0, 5, 12);

/** An entry of the live feed as the service sends it: sound unless a field given here makes it otherwise. */
export function entry(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    itemId: '10807006fab895f4',
    id: '800000037',
    marketHashName: 'AK-47 | Redline (Field-Tested)',
    type: 'rifle',
    iconUrl: 'https://img.example.invalid/a.png',
    price: 10,
    priceWithFee: 10.5,
    steamPrice: 15,
    delivery: 'normal',
    market: 'c5game',
    exterior: 'Field-Tested',
    wear: 0.2,
    paintSeed: 7,
    rarity: 'Classified',
    collection: null,
    color: '#d32ce6',
    stickers: [],
    charm: null,
    ...fields,
  };
}

/** `count` different sound entries, ids from `from` on. */
export function entries(count: number, from = 1): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => entry({ id: String(from + index) }));
}

/** A feed of hand-written answers, one poll a second. */
export class Polls {
  readonly diff: ListingsDiff;
  #seq = 0;

  constructor(diff = new ListingsDiff()) {
    this.diff = diff;
  }

  /** The answer's own count is right unless given. */
  next(
    listings: readonly unknown[],
    { requestId, ...fields }: Partial<Answer> & { readonly requestId?: string } = {},
  ): Extract<PollResult, { ok: true }> {
    const seq = ++this.#seq;
    const beganAt = START + seq * 1000;
    const endedAt = beganAt + 50;
    const answer: Answer = { pollSeq: seq, beganAt, endedAt, listings, listingsCount: listings.length, ...fields };
    const mark = { requestId: requestId ?? `request-${seq}`, serviceDate: beganAt };
    const facts = { seq, beganAt, endedAt, status: 200, bytes: 1000, count: listings.length, ...mark };
    return { ok: true, facts, change: this.diff.apply(answer) };
  }

  /** A poll that came to nothing. */
  fail(): Extract<PollResult, { ok: false }> {
    const seq = ++this.#seq;
    const beganAt = START + seq * 1000;
    const nothing = { status: undefined, bytes: undefined, count: undefined, requestId: undefined, serviceDate: undefined };
    return {
      ok: false,
      facts: { seq, beganAt, endedAt: beganAt + 10, ...nothing },
      fault: {
        ...{ class: 'transient', cause: 'connection', sent: false, status: undefined, code: undefined },
        ...{ message: 'connect ECONNREFUSED', requestId: undefined, retryAfterMs: undefined },
      },
    };
  }
}
