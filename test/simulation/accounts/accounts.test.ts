import { afterEach, describe, expect, it, vi } from 'vitest';
import { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import { liveBoth } from './accounts-life.ts';
import { type AccountsPlan, type Aimed, accountsPlanOf } from './plan.ts';

const ACCOUNTS = 3;
const MINUTE = 60_000;

/** Small, and struck once: the ones with twenty accounts are `npm run simulate -- --accounts 20` and the full tests. */
function small(seed: number, change: (aimed: Aimed) => Aimed = (aimed) => aimed): AccountsPlan {
  const plan = accountsPlanOf(seed, ACCOUNTS, 'short');
  const minutes = 2 * plan.pace;
  const within = minutes * MINUTE;
  const early = ({ blows, ...aimed }: Aimed): Aimed => ({
    ...aimed,
    blows: blows.map((blow) => ({ ...blow, at: blow.at % within })),
  });
  return { ...plan, minutes, aims: plan.aims.slice(0, 1).map((aimed) => change(early(aimed))) };
}

describe('lives of several accounts in one process', () => {
  afterEach(() => void vi.restoreAllMocks());

  it(
    'break no promise, and what befalls one changes nothing of any other, to the byte',
    async () => {
      const told = await liveBoth(small(1));
      expect(told.violations).toEqual([]);
      expect([told.same, told.compared]).toEqual([ACCOUNTS - 1, ACCOUNTS - 1]);
      expect(told.purchases).toBeGreaterThan(10);
    },
    10 * MINUTE,
  );

  it(
    'show it where the account that ends takes the others from the table with it',
    async () => {
      const leave = TurnDesk.prototype.leave;
      vi.spyOn(TurnDesk.prototype, 'leave').mockImplementation(function (this: TurnDesk) {
        for (let place = 1; place <= ACCOUNTS; place++) Reflect.apply(leave, this, [`account-${place}`]);
      });
      const end = { name: 'engineThrows', at: MINUTE / 2, ms: MINUTE } as const;
      const told = await liveBoth(small(1, (aimed) => ({ ...aimed, blows: [end] })));
      expect(told.same).toBeLessThan(told.compared);
      expect(told.violations.map(({ check }) => check)).toContain('isolation');
    },
    10 * MINUTE,
  );
});
