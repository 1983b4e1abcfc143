import { expect, it } from 'vitest';
import { TreasuryEvents } from '../../src/cli/treasury-events.ts';

const unread = (who: string, why = 'HTTP 500') => ({ kind: 'unread', who, why }) as const;

it('what goes on round after round is told at first, when its reason changes, and then ever less often', () => {
  const lines: string[] = [];
  const events = new TreasuryEvents((line) => void lines.push(line));
  const told: number[] = [];
  for (let round = 1; round <= 100; round++) {
    const before = lines.length;
    events.tell(unread('shop'));
    events.tell({ kind: 'clock-wrong', why: `this machine's clock says ${round}` });
    events.roundOver();
    if (lines.length > before) told.push(round);
  }
  expect(told).toEqual([1, 2, 4, 8, 16, 32, 64]);
  expect(lines.at(-2)).toBe('The balance of shop could not be read: HTTP 500 (64 rounds in a row)');
  lines.length = 0;
  events.tell(unread('shop', 'the key is refused'));
  events.tell(unread('store'));
  events.roundOver();
  events.roundOver();
  events.tell(unread('shop', 'the key is refused'));
  expect(lines).toEqual([
    'The balance of shop could not be read: the key is refused',
    'The balance of store could not be read: HTTP 500',
    'The balance of shop could not be read: the key is refused',
  ]);
});
