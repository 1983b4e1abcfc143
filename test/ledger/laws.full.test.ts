import { expect, it } from 'vitest';
import { attack } from './attack.ts';

it('the laws of the ledger hold over many histories', () => {
  expect(attack(600), 'not vacuous').toBeGreaterThan(2_000);
}, 900_000);
