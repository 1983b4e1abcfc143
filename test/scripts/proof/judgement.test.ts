import { describe, expect, it } from 'vitest';
import { type KillRun, toldOf, wrongWith } from '../../../scripts/proof/judgement.ts';

const good: KillRun = { rounds: 300, bought: 400, caught: 120, endsByItself: [], broken: [] };

describe('the judgement of a run of kills', () => {
  it('finds nothing wrong where promises were kept and something was bought and caught', () => {
    expect(wrongWith(good)).toEqual([]);
    expect(wrongWith({ ...good, bought: 30, caught: 1 })).toEqual([]);
  });

  it('names what was broken', () => {
    expect(wrongWith({ ...good, broken: ['listing c5game:1 was bought 2 times'] })).toEqual([
      'listing c5game:1 was bought 2 times',
    ]);
  });

  it('calls each end that nobody asked for wrong, though every promise was kept and much was bought', () => {
    const ends = ['the daemon of start 7 ended by itself with 1, and last said:\nout of memory'];
    expect(wrongWith({ ...good, endsByItself: ends })).toEqual(ends);
  });

  it('tells three such ends in full, and how many more there were', () => {
    expect(toldOf(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(toldOf(['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'the daemon ended by itself 2 more times']);
  });

  it.each([
    ['nothing was bought', { bought: 0 }, 'the run shows nothing: 0 orders came of 300 rounds'],
    ['less than one order in ten rounds came', { bought: 29 }, 'the run shows nothing: 29 orders came of 300 rounds'],
    [
      'no kill fell in the midst of a purchase',
      { caught: 0 },
      'the run shows nothing: none of 300 kills fell while a purchase had no outcome',
    ],
  ])('calls a run that shows nothing wrong: %s', (_, given, words) => {
    expect(wrongWith({ ...good, ...given })).toEqual([words]);
  });

  it('asks a few rounds for an order, but not for one that was caught', () => {
    expect(wrongWith({ ...good, rounds: 9, bought: 1, caught: 0 })).toEqual([]);
    expect(wrongWith({ ...good, rounds: 9, bought: 0, caught: 0 })).toHaveLength(1);
    expect(wrongWith({ ...good, rounds: 10, bought: 1, caught: 0 })).toHaveLength(1);
  });
});
