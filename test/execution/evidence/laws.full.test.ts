import { describe } from 'vitest';
import { itHoldsInEveryWorld } from '../support/laws.ts';

describe('whatever happens in hundreds of worlds', { timeout: 3_600_000 }, () => {
  itHoldsInEveryWorld(800);
});
