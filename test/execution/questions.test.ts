import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { ReadName } from '../../src/engine/ports.ts';
import { ask, needsWholeLook } from '../../src/execution/questions.ts';
import { askTransactions } from '../../src/execution/transaction-pages.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Desk, wire } from './support/desk.ts';
import { accepted, refused, sent } from './support/looks.ts';

type Answers = ConstructorParameters<typeof Desk>[1];

async function asking<T>(answers: Answers, used: readonly string[], question: (asking: Parameters<typeof ask>[0]) => Promise<T>) {
  const clock = new VirtualClock(NOON);
  const desk = new Desk(clock, answers);
  const isUsed = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.filter((id) => used.includes(id)));
  const answer = question({ service: desk, signal: undefined, isUsed });
  await clock.advance(60_000);
  return { answer: await answer, desk };
}

const pagesAsked = ({ asked }: Desk): unknown[] =>
  asked.filter(({ name }) => name === 'transactions').map(({ request }) => (request as { query: { page: number } }).query.page);

/** A list of transactions served by pages of ten. */
function pages(count: number, order: 'newest' | 'oldest', total: number | undefined = count): Answers {
  const all = Array.from({ length: count }, (_, index) => wire.transaction(`T-${index}`, { timestamp: 1_767_614_400 + index }));
  const rows = order === 'newest' ? all.toReversed() : all;
  return {
    transactions: ({ query }) => {
      const from = (Number(query?.['page']) - 1) * 10;
      return { total, transactions: rows.slice(from, from + 10) };
    },
  };
}

describe('transactions', () => {
  const newest = (count: number): string => `T-${count - 1}`;

  it('are read until a page overlaps with what was seen before', async () => {
    const { answer, desk } = await asking(pages(200, 'newest'), ['T-185'], askTransactions);
    expect(pagesAsked(desk)).toEqual([1, 2]);
    expect(answer?.rows.map((row) => row.transactionId)).toContain(newest(200));
    expect(answer?.unreadable).toBe(0);
  });

  it('are read further back while a purchase waits for one that may lie there', async () => {
    const clock = new VirtualClock(NOON);
    const desk = new Desk(clock, pages(200, 'newest'));
    const isUsed = (ids: readonly string[]): ReadonlySet<string> => new Set(ids);
    const answer = askTransactions({ service: desk, signal: undefined, isUsed, awaitedSince: (1_767_614_400 + 172) * 1_000 });
    await clock.advance(60_000);
    expect((await answer)?.rows.map((row) => row.transactionId)).toContain('T-173');
    expect(pagesAsked(desk)).toEqual([1, 2, 3]);
  });

  it('are read from their end when the oldest come first', async () => {
    const { answer, desk } = await asking(pages(200, 'oldest'), ['T-185', 'T-0'], askTransactions);
    expect(pagesAsked(desk)).toEqual([1, 20, 19]);
    expect(answer?.rows.map((row) => row.transactionId)).toContain(newest(200));
    expect(answer?.unreadable).toBe(0);
  });

  it('are read to their end when there are few', async () => {
    expect(pagesAsked((await asking(pages(25, 'newest'), [], askTransactions)).desk)).toEqual([1, 2, 3]);
    expect(pagesAsked((await asking(pages(0, 'newest'), [], askTransactions)).desk)).toEqual([1]);
    expect(pagesAsked((await asking(pages(25, 'newest', undefined), [], askTransactions)).desk)).toEqual([1, 2, 3]);
  });

  it('that could not all be reached count as unreadable, and so do broken rows [B17]', async () => {
    const far = await asking(pages(900, 'newest'), [], askTransactions);
    expect(pagesAsked(far.desk)).toEqual([1, 2, 3, 4, 5]);
    expect(far.answer?.unreadable).toBe(1);
    const broken = await asking({ transactions: () => wire.transactions(null, wire.transaction('T-1')) }, [], askTransactions);
    expect(broken.answer).toMatchObject({ unreadable: 1, rows: [{ transactionId: 'T-1' }] });
  });

  it('that break off at a later page are not whole', async () => {
    const { transactions } = pages(200, 'newest');
    const breaking: Answers = {
      transactions: (request) => (request.query?.['page'] === 2 ? new Error('down') : transactions?.(request)),
    };
    expect((await asking(breaking, ['T-185'], askTransactions)).answer?.unreadable).toBe(1);
  });

  it('are nothing when the first page cannot be read', async () => {
    expect((await asking({}, [], askTransactions)).answer).toBeUndefined();
  });
});

describe('the listings of unknown purchases', () => {
  const all = (answers: Answers, purchases: readonly Purchase[], whole = true) =>
    asking(
      { orders: () => wire.orders(), transactions: () => wire.transactions(), user: () => wire.user(5), ...answers },
      [],
      (one) => ask(one, purchases, whole),
    );
  const said = async (items: readonly unknown[], purchases: readonly Purchase[] = [sent()]) => [
    ...(await all({ listingDetail: () => ({ items }) }, purchases)).answer.seen.listings.values(),
  ];

  it('stand, are repriced, or gone', async () => {
    expect(await said([wire.listing('800000001')])).toEqual(['standing']);
    expect(await said([wire.listing('800000001', { price: 10.01 })])).toEqual(['repriced']);
    expect(await said([{ id: '800000001', error: 'LISTING_NOT_FOUND' }])).toEqual(['gone']);
    expect(await said([{ id: '10807006fab895f4', error: 'ITEM_NOT_FOUND' }])).toEqual(['gone']);
  });

  it('are gone when their id stands for another item now', async () => {
    expect(await said([wire.listing('800000001', { itemId: '2222222222222222' })])).toEqual(['gone']);
  });

  it('say nothing when the answer is about something else, or about nothing', async () => {
    for (const element of [
      wire.listing('9'),
      wire.listing('800000001', { market: 'ecosteam' }),
      { error: 'BUSY' },
      null,
      'gone',
      undefined,
    ]) {
      expect(await said([element])).toEqual([]);
    }
    expect(await said([])).toEqual([]);
    expect(await said([wire.listing('800000001', { price: '10' })])).toEqual([]);
  });

  it('are recognised in any order', async () => {
    const two = [sent(), sent({ id: 2, listingId: '800000002' })];
    const items = [wire.listing('800000002', { price: 11 }), wire.listing('800000001')];
    const { answer } = await all({ listingDetail: () => ({ items }) }, two);
    expect([...answer.seen.listings]).toEqual([
      ['c5game:800000001', 'standing'],
      ['c5game:800000002', 'repriced'],
    ]);
  });

  it('are asked for ten at a time, thirty in one look, and only what the service can be asked', async () => {
    const many = Array.from({ length: 45 }, (_, index) => sent({ id: index, listingId: String(index) }));
    const odd = [sent({ itemId: 'XYZ' }), sent({ listingId: 'abc' }), sent({ market: 'elsewhere' })];
    const { desk } = await all({ listingDetail: () => ({ items: [] }) }, [...odd, ...many]);
    const sizes = desk.asked
      .filter(({ name }) => name === 'listingDetail')
      .map(({ request }) => (request as { body: { items: unknown[] } }).body.items.length);
    expect(sizes).toEqual([10, 10, 10]);
  });

  it('of settled purchases are not asked for', async () => {
    const { desk } = await all({}, [accepted(), refused()]);
    expect(desk.times('listingDetail')).toEqual([]);
  });
});

describe('a look', () => {
  it('asks for the balance last', async () => {
    const names: ReadName[] = ['orders', 'transactions', 'listingDetail', 'user'];
    const answers = {
      orders: () => wire.orders(),
      transactions: () => wire.transactions(),
      user: () => wire.user(5),
      listingDetail: () => ({ items: [] }),
    };
    const { desk, answer } = await asking(answers, [], (one) => ask(one, [sent()], true));
    expect(desk.asked.map(({ name }) => name)).toEqual(names);
    expect(answer.failure).toBeUndefined();
  });

  it('goes on when one question fails', async () => {
    const { answer } = await asking({ user: () => wire.user(5) }, [], (one) => ask(one, [sent()], true));
    expect(answer.failure).toBe('nothing is known of orders');
    expect(answer.seen).toMatchObject({ orders: undefined, transactions: undefined, balance: { amount: 5_000_000 } });
  });

  it('takes no balance for one that cannot be right [B22]', async () => {
    for (const balance of [-1, Number.NaN, 1e12]) {
      const { answer } = await asking({ orders: () => wire.orders(), user: () => wire.user(balance) }, [], (one) =>
        ask(one, [], true),
      );
      expect(answer.seen.balance).toBeUndefined();
    }
  });

  it('is whole at first, when something is unknown, and every fifteen seconds', () => {
    expect(needsWholeLook([], undefined, NOON)).toBe(true);
    expect(needsWholeLook([refused()], NOON, NOON + 14_999)).toBe(false);
    expect(needsWholeLook([refused()], NOON, NOON + 15_000)).toBe(true);
    expect(needsWholeLook([sent()], NOON, NOON + 1)).toBe(true);
  });
});
