import { describe, expect, it } from 'vitest';
import { addedInUnits, median, medianOfRatios, quantile, ratioOfP99, ratios, verdict } from './statistics.ts';

describe('quantiles', () => {
  it('are values that were measured, whatever their order', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([0, 0.5, 0.9, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 50, 90, 99, 100]);
    expect(median([3, 1, 2])).toBe(2);
    expect(quantile([7], 0.99)).toBe(7);
  });

  it('of nothing are no number', () => {
    expect(median([])).toBeNaN();
  });

  it('leave what they were given as it was', () => {
    const values = [2, 1];
    median(values);
    expect(values).toEqual([2, 1]);
  });
});

describe('ratios to the floor', () => {
  it('are taken pair by pair: a minute in which everything was slow changes none', () => {
    const quiet = { ours: [1, 1, 1], floor: [2, 2, 2] };
    const busyAtTheEnd = { ours: [1, 1, 10], floor: [2, 2, 20] };
    expect(ratios(busyAtTheEnd)).toEqual([0.5, 0.5, 0.5]);
    expect(medianOfRatios(busyAtTheEnd)).toBe(medianOfRatios(quiet));
  });

  it('are not the ratio of medians', () => {
    expect(medianOfRatios({ ours: [1, 2, 9], floor: [10, 2, 3] })).toBe(1);
  });

  it('of the slow tail hold one tail against the other', () => {
    const ours = Array.from({ length: 100 }, (_, at) => (at === 0 || at === 1 ? 40 : 1));
    const floor = Array.from({ length: 100 }, (_, at) => (at > 97 ? 80 : 2));
    expect(ratioOfP99({ ours, floor })).toBe(0.5);
  });

  it('need both halves of each pair', () => {
    expect(() => ratios({ ours: [1, 2], floor: [1] })).toThrow(RangeError);
    expect(() => addedInUnits([1, 2], [1], [1])).toThrow(RangeError);
  });
});

it('what is added is told in units of one thing', () => {
  expect(addedInUnits([5, 6, 9], [3, 3, 3], [2, 2, 2])).toBe(1.5);
});

describe('the verdict on a goal', () => {
  it('is met at the goal itself, and missed by how much', () => {
    expect(verdict(0.25, 0.25)).toEqual({ atMost: 0.25, met: true, factor: 1 });
    expect(verdict(0.5, 0.25)).toEqual({ atMost: 0.25, met: false, factor: 2 });
  });

  it('is never met by what is no number', () => {
    expect(verdict(Number.NaN, 1).met).toBe(false);
  });
});
