import { describe } from 'vitest';
import { itHoldsInEveryWorld } from '../support/laws.ts';

describe('whatever happens in the world', () => {
  itHoldsInEveryWorld(50);
});
