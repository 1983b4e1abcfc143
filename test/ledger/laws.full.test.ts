import { expect, it } from 'vitest';
import { attack } from './attack.ts';

it('the laws of the ledger hold over many histories', () => {
  expect(attack(150), 'not vacuous').toBeGreaterThan(500);
}, 3_600_000);
