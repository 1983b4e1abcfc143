import { expect, it } from 'vitest';
import { attack } from './attack.ts';

it('the laws of the ledger hold over many histories', () => {
  const { admitted, kinds } = attack(150);
  expect(admitted, 'not vacuous').toBeGreaterThan(500);
  expect([...kinds].sort(), 'each kind of evidence was written').toEqual([
    'bought',
    'clock',
    'completed',
    'contradiction',
    'debit',
    'exchanged',
    'intent',
    'late',
    'not-bought',
    'orphan',
    'outcome',
    'paid',
    'refund',
    'refusal-confirmed',
    'status',
    'verdict',
  ]);
}, 3_600_000);
