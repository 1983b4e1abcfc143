import { describe } from 'vitest';
import { itHoldsInEveryWorld } from '../support/laws.ts';

describe('whatever happens in thousands of worlds', { timeout: 600_000 }, () => {
  itHoldsInEveryWorld(3_000);
});
