import { describe, expect, it } from 'vitest';
import { type Caps, brokenPromises } from '../../scripts/proof/audit.ts';
import { type Said, compareBooks } from '../../scripts/proof/comparison.ts';
import type { PurchaseJson } from '../../scripts/proof/purchase-json.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import { NOON, dollars } from '../support/values.ts';

type Order = BooksView['orders'][number];
type Event = BooksView['events'][number];

const account = 'a1';

function order(id: string, given: Partial<Order> = {}): Order {
  return {
    ...{ id, upstreamId: `u${id}`, account, market: 'c5game', listingId: id, itemId: 'i1', name: 'AK-47 | Redline', wear: 0.2 },
    ...{ price: dollars(10), cost: dollars(10.5), createdAt: NOON, code: 'COMPLETED', updatedAt: NOON, settlementAt: NOON },
    ...{ cancelReason: '', refunded: dollars(0), origin: 'ours' },
    ...given,
  };
}

function purchase(id: number, given: Partial<PurchaseJson> = {}): PurchaseJson {
  return {
    ...{ id, state: 'completed', mode: 'live', strategy: 's', market: 'c5game', listingId: String(id), itemId: 'i1' },
    ...{ marketHashName: 'AK-47 | Redline', wear: 0.2, price: 10, priceWithFee: 10.5, serviceOrderId: String(id) },
    ...{ orderStatus: 'COMPLETED', paid: 10.5, refunded: null, reason: null, createdAt: new Date(NOON - 10).toISOString() },
    ...given,
  };
}

/** What the exchange saw: each order asked for by a POST and accepted at once. */
function books(orders: readonly Order[], more: readonly Event[] = []): BooksView {
  const events = orders.flatMap(({ id, market, listingId, cost, origin }, index): Event[] => [
    { kind: 'accepted', account, market, listingId, orderId: id, cost, origin, seq: 2 * index, at: NOON },
    { kind: 'post', account, market, listingId, price: 10, verdict: 'accepted', seq: 2 * index + 1, at: NOON },
  ]);
  const spent = orders.reduce((sum, { cost, refunded }) => sum + cost - refunded, 0);
  const balance = dollars(1_000 - spent / 1_000_000);
  return {
    ...{
      at: NOON,
      accounts: [{ id: account, kind: 'child', balance }],
      orders,
      bookings: [],
      transfers: [],
      posts: {},
      accepted: {},
      faults: {},
    },
    events: [...events, ...more],
  };
}

function said(purchases: readonly PurchaseJson[], balance: number, given: Partial<Said> = {}): Said {
  const counted = purchases.filter(({ state }) => state !== 'rejected');
  const day = counted.reduce((sum, { paid, priceWithFee }) => sum + (paid ?? priceWithFee), 0);
  const total = counted.reduce((sum, { refunded }) => sum - (refunded ?? 0), day);
  const unknown = purchases.filter(({ state }) => state === 'unknown');
  const reserved = unknown.reduce((sum, { priceWithFee }) => sum + priceWithFee, 0);
  const status = { account, balance, reserved, spend: { hour: day, day, total } };
  return { purchases, status, adopted: new Map(), turnedOut: new Set(), unconfirmed: new Set(), ...given };
}

const caps: Caps = { maxPrice: 20, spend: { day: 30 }, perItem: { day: 2 }, strategies: { s: { count: { day: 2 } } } };
const post = (listingId: string, verdict: string, seq: number): Event => ({
  ...{ kind: 'post', account, market: 'c5game', listingId, price: 10, verdict, seq, at: NOON },
});

describe('the auditor', () => {
  const two = [order('1'), order('2', { name: 'AWP | Asiimov' })];
  const rows = [purchase(1), purchase(2, { marketHashName: 'AWP | Asiimov' })];

  it('finds nothing where nothing is wrong', () => {
    expect(brokenPromises(books(two), caps, said(rows, 979))).toEqual([]);
  });

  it.each<[string, BooksView, Caps, readonly PurchaseJson[]]>([
    [
      'was bought 2 times',
      books([order('1'), order('9', { listingId: '1' })]),
      { ...caps, perItem: {} },
      [purchase(1), purchase(2, { listingId: '1' })],
    ],
    [
      'was tried again',
      books(two, [post('3', 'lost', 8), post('3', 'accepted', 9)]),
      caps,
      [...rows, purchase(3, { state: 'unknown' }), purchase(4, { listingId: '3' })],
    ],
    [
      'was tried again after it had been bought (accepted, LISTING_NOT_FOUND)',
      books(two, [post('1', 'LISTING_NOT_FOUND', 9)]),
      caps,
      [...rows, purchase(3, { listingId: '1', state: 'rejected', serviceOrderId: null })],
    ],
    [
      'was tried again at the price at which it was refused (PRICE_CHANGED, LISTING_NOT_FOUND)',
      books(two, [post('3', 'PRICE_CHANGED', 8), post('3', 'LISTING_NOT_FOUND', 9)]),
      caps,
      [
        ...rows,
        purchase(3, { state: 'rejected', serviceOrderId: null }),
        purchase(4, { listingId: '3', state: 'rejected', serviceOrderId: null }),
      ],
    ],
    [
      'purchases on record before them',
      books(two),
      caps,
      [purchase(1), purchase(2, { createdAt: new Date(NOON + 5_000).toISOString() })],
    ],
    ['is lost: its purchases are rejected', books(two), caps, [purchase(1), purchase(2, { state: 'rejected' })]],
    ['is lost: its purchases are not on record', books(two), caps, [purchase(1)]],
    ['was made at $10.00, listed at $9.99', books(two), caps, [purchase(1, { price: 9.99 }), purchase(2)]],
    ['spend.day was exceeded: $21.00 of $20', books(two), { ...caps, spend: { day: 20 } }, rows],
    [
      'perItem.day of AK-47 | Redline was exceeded: 2 of 1',
      books([order('1'), order('2')]),
      { ...caps, perItem: { day: 1 } },
      rows,
    ],
    ['count.day of s was exceeded: 2 of 1', books(two), { ...caps, strategies: { s: { count: { day: 1 } } } }, rows],
    [
      'perItem.day of AK-47 | Redline of s was exceeded: 2 of 1',
      books([order('1'), order('2')]),
      { ...caps, strategies: { s: { perItem: { day: 1 } } } },
      rows,
    ],
    ['at most $10 was allowed', books(two), { ...caps, maxPrice: 10 }, rows],
  ])('finds what broke: %s', (words, view, limits, purchases) => {
    expect(brokenPromises(view, limits, said(purchases, 979)).join('\n')).toContain(words);
  });

  it('lets an offer be sent again whose refusal has passed, or at another price, or that had been cleared before it turned out bought', () => {
    const again = [purchase(3, { state: 'rejected', serviceOrderId: null }), purchase(4, { listingId: '3', state: 'rejected' })];
    const found = (...more: Event[]) => brokenPromises(books(two, more), caps, said([...rows, ...again], 979));
    expect(found(post('3', 'INSUFFICIENT_BALANCE', 8), post('3', 'LISTING_NOT_FOUND', 9))).toEqual([]);
    expect(found({ ...post('3', 'PRICE_CHANGED', 8), price: 9 } as Event, post('3', 'LISTING_NOT_FOUND', 9))).toEqual([]);
    const cleared = said([...rows, purchase(3, { listingId: '1', state: 'rejected' })], 979, { turnedOut: new Set([1]) });
    expect(brokenPromises(books(two, [post('1', 'LISTING_NOT_FOUND', 9)]), caps, cleared)).toEqual([]);
  });

  it('does not count what had been cleared by evidence when it turned out bought', () => {
    const limits = { ...caps, spend: { day: 20 } };
    expect(brokenPromises(books(two), limits, said(rows, 979, { turnedOut: new Set([2]) }))).toEqual([]);
  });
});

describe('the comparison', () => {
  it('agrees on a refusal that was executed all the same, as long as nobody has confirmed it and its money is held', () => {
    const two = books([order('1'), order('2')]);
    const rows = [purchase(1), purchase(2, { state: 'rejected', serviceOrderId: null, paid: null })];
    const ours = said(rows, 979, { unconfirmed: new Set([2]) });
    const status = { ...ours.status, reserved: 10.5, spend: { hour: 21, day: 21, total: 21 } };
    expect(compareBooks(two, { ...ours, status }).differences).toEqual([]);
    expect(compareBooks(two, ours).differences).toContain(
      'what is reserved is $0 by its own account, and $10.50 by its purchases',
    );
    expect(brokenPromises(two, caps, ours)).toEqual([]);
    expect(brokenPromises(two, caps, said(rows, 979))).toHaveLength(1);
  });

  it('agrees on orders and purchases, on what others bought, on refusals and on what nobody can say', () => {
    const orders = [
      order('1'),
      order('2', { code: 'FAILED', refunded: dollars(10.5) }),
      order('7', { origin: 'foreign' }),
      order('4'),
    ];
    const purchases = [
      purchase(1),
      purchase(2, { state: 'refunded', orderStatus: 'FAILED', refunded: 10.5 }),
      purchase(3, { state: 'rejected', serviceOrderId: null, paid: null }),
      purchase(4, { state: 'unknown', serviceOrderId: null, paid: null }),
    ];
    const given = said(purchases, 968.5, { adopted: new Map([['7', dollars(10.5)]]) });
    const { hour, day, total } = given.status.spend;
    const status = { ...given.status, spend: { hour, day: day + 10.5, total: total + 10.5 } };
    const { differences, agreed } = compareBooks(books(orders), { ...given, status });
    expect(differences).toEqual([]);
    expect(agreed).toEqual({ orders: 2, adopted: 1, withoutOrder: 1, unknown: 1 });
  });

  it.each<[string, readonly Order[], readonly PurchaseJson[], number?]>([
    ['is on no record of Magpie', [order('1'), order('2', { itemId: 'i2' })], [purchase(1)]],
    ['is claimed by', [order('1')], [purchase(1), purchase(2, { serviceOrderId: '1' })]],
    ['should be completed', [order('1')], [purchase(1, { state: 'bought' })]],
    ['should be refunded', [order('1', { code: 'FAILED', refunded: dollars(10.5) })], [purchase(1)]],
    [
      'says $0 came back, which is $4.00',
      [order('1', { code: 'FAILED', refunded: dollars(4) })],
      [purchase(1, { state: 'refunded' })],
    ],
    ['says $10.5 was paid, which is $10.60', [order('1', { cost: dollars(10.6) })], [purchase(1)]],
    ['does not say what was paid', [order('1')], [purchase(1, { paid: null })]],
    ['was sent at another price', [order('1', { price: dollars(9) })], [purchase(1)]],
    ['has the order of another listing', [order('1', { listingId: '5' })], [purchase(1)]],
    ['is of other goods', [order('1', { itemId: 'i9' })], [purchase(1)]],
    ['is still intended', [order('1')], [purchase(1), purchase(2, { state: 'intended' })]],
    ['has order 9, which the exchange does not have', [order('1')], [purchase(1), purchase(2, { serviceOrderId: '9' })]],
    ['was bought: order 2', [order('1'), order('2')], [purchase(1), purchase(2, { state: 'rejected', serviceOrderId: null })]],
    ['the balance is $989.50, Magpie says $990', [order('1')], [purchase(1)], 990],
  ])('finds what differs: %s', (words, orders, purchases, balance = 0) => {
    expect(compareBooks(books(orders), said(purchases, balance)).differences.join('\n')).toContain(words);
  });

  it('minds an exchange of two orders of the same goods only where their wear tells them apart', () => {
    const exchanged = (wear: number | null): readonly string[] => {
      const rows = [purchase(1, { wear, serviceOrderId: '2' }), purchase(2, { wear, serviceOrderId: '1' })];
      return compareBooks(books([order('1'), order('2')]), said(rows, 979)).differences;
    };
    expect(exchanged(null)).toEqual([]);
    expect(exchanged(0.2)).toHaveLength(2);
  });

  it('minds whose money came back only where their wear tells two of the same goods apart', () => {
    const back = (wear: number | null, second: number): readonly string[] => {
      const failed = (id: string, refunded: number) => order(id, { code: 'FAILED', refunded: dollars(refunded) });
      const rows = [4, second].map((refunded, n) => purchase(n + 1, { wear, state: 'refunded', refunded }));
      return compareBooks(books([failed('1', 2), failed('2', 4)]), said(rows, 985)).differences;
    };
    expect(back(null, 2)).toEqual([]);
    expect(back(0.2, 2)).toHaveLength(2);
    expect(back(null, 3)).not.toEqual([]);
  });

  it('minds whose money came back of one buy that the exchange executed twice only where it came back for neither', () => {
    const twice = [
      order('1', { code: 'FAILED', refunded: dollars(2) }),
      order('9', { listingId: '1', origin: 'twin', code: 'FAILED', refunded: dollars(4) }),
    ];
    const back = (refunded: number): readonly string[] => {
      const adopted = new Map([['9', dollars(10.5)]]);
      const row = purchase(1, { state: 'refunded', refunded });
      return compareBooks(books(twice), said([row], 985, { adopted })).differences.filter((words) => words.includes('came back'));
    };
    expect([back(2), back(4)]).toEqual([[], []]);
    expect(back(3)).toHaveLength(1);
  });

  it('does not ask which order of a buy that the exchange executed twice is the purchase’s', () => {
    const adopted = new Map([['1', dollars(10.5)]]);
    const held = (origin: Order['origin']): readonly string[] => {
      const twice = [order('1'), order('9', { listingId: '1', origin })];
      const row = purchase(1, { serviceOrderId: '9' });
      return compareBooks(books(twice), said([row], 979, { adopted })).differences.filter((words) => words.includes('adopted'));
    };
    expect(held('twin')).toEqual([]);
    expect(held('foreign')).toHaveLength(1);
  });

  it('does not ask what was paid while a look-alike in doubt may have paid it', () => {
    const alike = (priceWithFee: number) => {
      const rows = [
        purchase(1, { paid: null }),
        purchase(2, { state: 'unknown', price: 10.5, priceWithFee, serviceOrderId: null }),
      ];
      return compareBooks(books([order('1')]), said(rows, 989.5)).differences;
    };
    expect(alike(11)).toEqual([]);
    expect(compareBooks(books([order('1')]), said([purchase(1, { paid: null })], 989.5)).differences).toHaveLength(1);
  });

  it('lets each purchase in doubt stand for one order of ours at the most, that of its own listing before one of the same goods', () => {
    const doubtful = purchase(9, { state: 'unknown', serviceOrderId: null, paid: null });
    const alike = (origin: Order['origin']) => ['7', '8'].map((id) => order(id, { origin }));
    const lost = (orders: readonly Order[]): readonly string[] =>
      compareBooks(books(orders), said([doubtful], 0)).differences.filter((words) => words.includes('is on no record'));
    expect(lost([order('9')])).toEqual([]);
    expect(lost(alike('ours'))).toHaveLength(1);
    expect(lost([...alike('ours'), order('9')]).map((words) => words.slice(0, 8))).toEqual(['order 7 ', 'order 8 ']);
    // Which of several is its own cannot be told: those of others wait with it.
    expect(lost([...alike('foreign'), order('9')])).toEqual([]);
  });

  it('finds sums that do not fit the rows', () => {
    const right = said([purchase(1)], 989.5);
    const spend = { hour: 10.5, day: 10.5, total: 11 };
    expect(compareBooks(books([order('1')]), right).differences).toEqual([]);
    expect(compareBooks(books([order('1')]), { ...right, status: { ...right.status, spend } }).differences).toEqual([
      'spend.total is $11 by its own account, and $10.50 by its purchases',
    ]);
  });
});
