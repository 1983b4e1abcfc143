import { describe, expect, it } from 'vitest';
import { awaitedSince } from '../../src/execution/awaited.ts';
import { NOON } from '../support/values.ts';
import { accepted, minute, refused, sent } from './support/looks.ts';

const since = (purchases: Parameters<typeof awaitedSince>[0]['purchases'], booked: readonly number[] = []): number | undefined =>
  awaitedSince({ purchases, booked: new Map(booked.map((id) => [id, undefined])) }, NOON + minute);

describe('since when transactions may still become evidence', () => {
  it('is ten minutes before the oldest purchase whose fate is open or whose debit has not shown', () => {
    const [old, young] = [{ createdAt: NOON - 5 * minute }, { createdAt: NOON }];
    expect(since([sent(old), accepted(young)])).toBe(NOON - 15 * minute);
    expect(since([refused(old), accepted(young)])).toBe(NOON - 15 * minute);
    expect(since([accepted({ id: 1, ...old }), accepted({ id: 2, ...young })], [1])).toBe(NOON - 10 * minute);
  });

  it('is nothing when all is booked or settled, or when a debit has not shown for an hour', () => {
    expect(since([])).toBeUndefined();
    expect(since([accepted({ id: 1, createdAt: NOON }), refused({ held: false, createdAt: NOON })], [1])).toBeUndefined();
    expect(since([accepted({ createdAt: NOON - 60 * minute })])).toBeUndefined();
    expect(since([sent({ createdAt: NOON - 60 * minute })])).toBe(NOON - 70 * minute);
  });
});
