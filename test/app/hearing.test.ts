import { expect, it } from 'vitest';
import type { Posted } from '../../src/app/engine-loop.ts';
import { PollFacts } from '../../src/app/facts.ts';
import { Hearing, type HearingOptions } from '../../src/app/hearing.ts';
import { StartGate } from '../../src/app/start-gate.ts';
import type { HealthReading } from '../../src/domain/readings.ts';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { PageReading } from '../../src/feed/item-page.ts';
import { Watchlist } from '../../src/feed/watchlist.ts';
import { begun, freshFolder, freshLedger, opened } from '../ledger/support.ts';
import { entry } from '../support/feed-entries.ts';
import { NOON, dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const ITEM = '10807006fab895f4';
const entries = (prices: Readonly<Record<string, number>>): Record<string, unknown>[] =>
  Object.entries(prices).map(([id, price]) => entry({ id, itemId: ITEM, price, priceWithFee: price }));

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

it('what an answer that broke off has shown of a watched item reaches the engine: it goes by no older word on a price', () => {
  const posted: Posted[] = [];
  const clock = new VirtualClock();
  const hearing = new Hearing({
    ...({} as Pick<HearingOptions, 'ledger' | 'journal' | 'bell' | 'gate' | 'onAccount' | 'onForeignFolder'>),
    ...{ clock, log: silent, tape: undefined, facts: new PollFacts(), post: (event) => void posted.push(event) },
    watchlist: new Watchlist({ clock, items: [ITEM], spacingMs: 1_000, pagesMax: 1 }),
    onAnswerEnded: () => undefined,
  });
  const diff = new ListingsDiff();
  const others = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [String(100 + index), 50]));
  const facts = { status: 200, bytes: 1, count: 1, requestId: undefined, serviceDate: undefined };
  const listings = entries({ ...others, 1: 10 });
  const change = diff.apply({ pollSeq: 1, beganAt: 0, endedAt: 1, listings, listingsCount: listings.length });
  hearing.hear({ of: 'listings', poll: { ok: true, facts: { ...facts, seq: 1, beganAt: 0, endedAt: 1 }, change } });
  const page = {
    itemId: ITEM,
    page: 1,
    beganAt: 2,
    endedAt: 3,
    receivedAt: 3,
    first: false,
    costMax: undefined,
    ends: undefined,
  };
  hearing.hear({ of: 'watched', watched: { of: 'page', page: { ...page, ...new PageReading(ITEM).read(entries({ 1: 9 })) } } });

  const early = diff.early({ pollSeq: 2, listings: entries({ ...others, 1: 8 }) }, 5);
  if (early === undefined) throw new Error('the answer shows nothing early');
  hearing.hear({ of: 'early', change: early });
  expect(posted.at(-1)).toMatchObject({ type: 'early', change: { changed: [] } });
  const left = diff.brokenOff({ pollSeq: 2, beganAt: 4, endedAt: 6 });
  if (left === undefined) throw new Error('nothing was handed on');
  const fault = { class: 'transient', cause: 'other', sent: true, status: undefined, code: undefined, message: 'reset' } as const;
  const failed = { ok: false, fault: { ...fault, requestId: undefined, retryAfterMs: undefined }, change: left } as const;
  hearing.hear({ of: 'listings', poll: { ...failed, facts: { ...facts, seq: 2, beganAt: 4, endedAt: 6 } } });
  expect(posted.at(-1)).toMatchObject({ type: 'early', change: { pollSeq: 2, changed: [{ listing: { id: '1', price: 8 } }] } });
  expect(hearing.shelf.get('c5game:1')?.listing.price).toBe(8);
});

it('an answer arrives from the first part that it shows to its end, also where it breaks off: other rules wait no longer for it', () => {
  const clock = new VirtualClock();
  const endings: boolean[] = [];
  const hearing = new Hearing({
    ...({} as Pick<HearingOptions, 'ledger' | 'journal' | 'bell' | 'gate' | 'onAccount' | 'onForeignFolder'>),
    ...{ clock, log: silent, tape: undefined, facts: new PollFacts(), post: () => undefined, watchlist: undefined },
    onAnswerEnded: () => endings.push(hearing.isArriving),
  });
  const early = { pollSeq: 1, at: 1, changed: [], gone: [] };
  hearing.hear({ of: 'early', change: early });
  expect(hearing.isArriving).toBe(true);
  const fault = { class: 'transient', cause: 'other', sent: true, status: undefined, code: undefined, message: 'reset' } as const;
  const facts = { status: 200, bytes: undefined, count: undefined, requestId: undefined, serviceDate: undefined };
  const failed = { ok: false, fault: { ...fault, requestId: undefined, retryAfterMs: undefined } } as const;
  hearing.hear({ of: 'listings', poll: { ...failed, facts: { ...facts, seq: 1, beganAt: 0, endedAt: 2 } } });
  expect([hearing.isArriving, ...endings]).toEqual([false, false]);
});

it('that the key may not read the health is told again when it could meanwhile', () => {
  const rung: string[] = [];
  const standing = new Set<string>();
  const clock = new VirtualClock();
  const hearing = new Hearing({
    ...({} as Pick<HearingOptions, 'ledger' | 'journal' | 'gate' | 'onAccount' | 'onForeignFolder' | 'onAnswerEnded'>),
    ...{ clock, log: silent, tape: undefined, facts: new PollFacts(), post: () => undefined },
    bell: {
      once: (cause: string) => {
        if (!standing.has(cause)) rung.push(cause);
        standing.add(cause);
      },
      again: (cause: string) => standing.delete(cause),
    } as unknown as HearingOptions['bell'],
  });
  const forbidden = { reason: 'forbidden', message: 'no', at: NOON } as const;
  const read = { receivedAt: NOON, status: 'ok', markets: {} } as unknown as HealthReading;
  for (const health of [forbidden, forbidden, { ...forbidden, reason: 'failed' } as const, forbidden])
    hearing.hear({ of: 'health', health });
  expect(rung).toEqual(['health-forbidden']);
  for (const health of [read, forbidden, forbidden]) hearing.hear({ of: 'health', health });
  expect(rung).toEqual(['health-forbidden', 'health-forbidden']);
});

it('a purchase whose outcome a wrong clock has dated years ahead counts as of now, as soon as the service bears this clock out [P38]', () => {
  const folder = freshFolder();
  const before = freshLedger(folder);
  begun(before, 1);
  before.close();
  const ledger = opened(folder);
  ledger.orphansToUnknown(NOON + 3_650 * 86_400_000);
  const clock = new VirtualClock(NOON + 60_000);
  const posted: Posted[] = [];
  const post = (event: Posted): void => void posted.push(event);
  const told: string[] = [];
  const log: HearingOptions['log'] = { ...silent, info: (_, fields) => void told.push(String(fields?.['message'])) };
  const gate = new StartGate({
    ...{ clock, post, newestRowAt: ledger.newestRowAt(), onOpen: () => undefined, onClock: () => undefined },
  });
  const hearing = new Hearing({
    ...({} as Pick<HearingOptions, 'onForeignFolder' | 'onAnswerEnded'>),
    ...{ clock, log, tape: undefined, facts: new PollFacts(), post, ledger, gate, onAccount: () => undefined },
    journal: { attempt: <T>(work: () => T): T => work() } as unknown as HearingOptions['journal'],
    bell: { again: () => undefined } as unknown as HearingOptions['bell'],
  });
  const answer = (): void => {
    clock.advanceSync(15_000);
    const reading = { amount: dollars(1_000), beganAt: clock.now(), endedAt: clock.now() };
    hearing.hear({ of: 'balance', answer: { ok: true, reading, profileId: 'account-1', serviceDate: clock.now() - 500 } });
  };
  for (let count = 0; count < 3; count++) answer();
  const isOpen = posted.findLast((event) => 'name' in event && event.name === 'clock')?.type === 'unblocked';
  expect(isOpen).toBe(true);
  expect(posted).toContainEqual({ type: 'purchases', purchases: [expect.objectContaining({ id: 1, answeredAt: clock.now() })] });
  expect(ledger.purchase(1)?.answeredAt).toBe(clock.now());
  for (let count = 0; count < 3; count++) answer();
  expect(told.filter((message) => message.startsWith('Records are dated later than now'))).toHaveLength(1);
});
