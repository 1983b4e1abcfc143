import { describe, expect, it } from 'vitest';
import { askTransactions } from '../../src/execution/transaction-pages.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Desk, wire } from './support/desk.ts';

const row = (number: number): unknown => wire.transaction(`T-${number}`, { timestamp: NOON + number });

/** Reads pages of ten while the service books `arriving` more between one page and the next. */
async function readWhile(arriving: number, used: string, order: 'newest' | 'oldest'): Promise<string[]> {
  const clock = new VirtualClock(NOON);
  let count = 40;
  const desk = new Desk(clock, {
    transactions: ({ query }) => {
      const all = Array.from({ length: count }, (_, index) => row(index));
      const listed = order === 'newest' ? all.toReversed() : all;
      const from = (Number(query?.['page']) - 1) * 10;
      const answer = { total: count, transactions: listed.slice(from, from + 10) };
      count += arriving;
      return answer;
    },
  });
  const isUsed = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.filter((id) => id === used));
  const answer = askTransactions({ service: desk, signal: undefined, isUsed });
  await clock.advance(60_000);
  return (await answer)?.rows.map(({ transactionId }) => transactionId) ?? [];
}

describe('transactions that are booked while pages are read', () => {
  it('push others to later pages: none of those is lost, and none counts twice [B16 B17]', async () => {
    const rows = await readWhile(3, 'T-15', 'newest');
    expect(new Set(rows).size).toBe(rows.length);
    for (let number = 15; number < 40; number++) expect(rows).toContain(`T-${number}`);
  });

  it('are found at the end where the oldest come first [B17]', async () => {
    const rows = await readWhile(1, 'T-15', 'oldest');
    expect(new Set(rows).size).toBe(rows.length);
    for (let number = 16; number < 40; number++) expect(rows).toContain(`T-${number}`);
  });
});
