import { afterEach, describe, expect, it, vi } from 'vitest';
import { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import { liveBoth } from './accounts-life.ts';
import { type AccountsPlan, type Aimed, type ProcessEnd, accountsPlanOf } from './plan.ts';
import { togetherPlanOf } from './together.ts';

const ACCOUNTS = 3;
const MINUTE = 60_000;
/** A third of what is sent never arrives, and of what the one sends that is aimed at two thirds. */
const [lost, mostly] = [{ requestLost: 0.3 }, { requestLost: 0.6 }];

/** Small, and struck once: the ones with twenty accounts are `npm run simulate -- --accounts 20` and the full tests. */
function small(seed: number, change: (aimed: Aimed) => Aimed = (aimed) => aimed): AccountsPlan {
  return cut(accountsPlanOf(seed, ACCOUNTS, 'short'), change);
}

function cut(plan: AccountsPlan, change: (aimed: Aimed) => Aimed = (aimed) => aimed): AccountsPlan {
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

describe('lives of several accounts whose process is ended while they buy', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** All want the same, requests of all of them are lost, and the process is killed three times with one on its way. */
  function killed(): AccountsPlan {
    const plan = cut(togetherPlanOf(4, ACCOUNTS, 'short'), () => ({
      ...{ blows: [], faults: {}, disk: [], acts: [] },
      network: mostly,
    }));
    const end = (share: number, place: number): ProcessEnd => ({
      ...{ at: plan.minutes * MINUTE * share, kind: 'crash', downMs: 2_000, place },
      point: { prefix: 'in-flight', nth: 1 },
    });
    return {
      ...plan,
      accounts: plan.accounts.map(({ name, plan: own }) => ({
        name,
        plan: { ...own, network: { ...own.network, rates: lost } },
      })),
      together: { faults: {}, ends: [end(0.1, 0), end(0.3, 1), end(0.5, 2)] },
    };
  }

  it(
    'break no promise: what one may have bought is left alone by the others after each start',
    async () => {
      const told = await liveBoth(killed());
      expect(told.violations).toEqual([]);
      expect(told.befell).toMatchObject({ crash: 2 * 3 });
      expect(told.purchases).toBeGreaterThan(10);
    },
    10 * MINUTE,
  );

  it(
    'show it where a start forgets what the ledgers hold',
    async () => {
      const join = TurnDesk.prototype.join;
      vi.spyOn(TurnDesk.prototype, 'join').mockImplementation(function (this: TurnDesk, account, here) {
        const { lanes, ...state } = here.state();
        const forgotten = { ...state, lanes: { ...lanes, live: { ...lanes.live, taken: new Map() } } };
        let joins = true;
        Reflect.apply(join, this, [account, { ...here, state: () => (joins ? forgotten : here.state()) }]);
        joins = false;
      });
      const told = await liveBoth(killed());
      expect(told.violations.map(({ check }) => check)).toContain('two-accounts');
    },
    10 * MINUTE,
  );
});
