import { describe, expect, it } from 'vitest';
import type { LifeResult } from './life.ts';
import { type Crash, type Plan, planOf } from './plan.ts';
import { shrink } from './shrink.ts';
import { violation } from './violation.ts';

const drawn = planOf(1, 'safety', 'short');
const crash = (at: number): Crash => ({ at, kind: 'crash', point: undefined, downMs: 1 });
const failed: Plan = {
  ...drawn,
  minutes: 16,
  market: { ...drawn.market, listings: 40 },
  faults: { tooMany: 0.1, buyLate: 0.1, readLost: 0.1 },
  network: { ...drawn.network, rates: { requestLost: 0.1, answerTorn: 0.1 } },
  crashes: [1, 2, 3, 4, 5, 6, 7].map(crash),
  disk: [{ at: 1, ms: 1, share: 1 }],
  acts: [{ at: 1, do: 'buy' }],
  clockSteps: [{ at: 1, byMs: 1 }],
};

/** Lives that break `twice` as long as a plan has what it takes, and always something else. */
function living(takes: (plan: Plan) => boolean): { live(plan: Plan): Promise<LifeResult>; readonly lived: Plan[] } {
  const lived: Plan[] = [];
  const live = async (plan: Plan): Promise<LifeResult> => {
    lived.push(plan);
    const violations = [violation('rate', 'too soon'), ...(takes(plan) ? [violation('twice', 'bought two times')] : [])];
    return { plan, violations } as unknown as LifeResult;
  };
  return { live, lived };
}

const on = (rates: Readonly<Record<string, number>>): string[] => Object.keys(rates).filter((name) => (rates[name] ?? 0) > 0);

describe('a plan that failed is shrunk', () => {
  it('to what it takes to break the same promise', async () => {
    const { live } = living(
      ({ faults, network, crashes, minutes }) =>
        (faults.buyLate ?? 0) > 0 && network.rates.answerTorn !== undefined && crashes.some(({ at }) => at === 6) && minutes >= 4,
    );
    const { plan, result } = await shrink(await live(failed), 'twice', live, 200);
    expect([on(plan.faults), on(plan.network.rates)]).toEqual([['buyLate'], ['answerTorn']]);
    expect([plan.crashes, plan.disk, plan.acts, plan.clockSteps]).toEqual([[crash(6)], [], [], []]);
    expect([plan.minutes, plan.market.listings]).toEqual([4, 20]);
    expect(result.plan).toBe(plan);
  });

  it('to one that breaks that promise, not another', async () => {
    const { live } = living((plan) => JSON.stringify(plan) === JSON.stringify(failed));
    const { plan } = await shrink(await live(failed), 'twice', live, 200);
    expect(plan).toBe(failed);
  });

  it('in no more lives than it may take', async () => {
    const { live, lived } = living(() => true);
    const first = await live(failed);
    const { lives, plan } = await shrink(first, 'twice', live, 3);
    expect([lives, lived.length]).toEqual([3, 4]);
    expect([on(plan.faults), plan.network.rates]).toEqual([[], failed.network.rates]);
  });
});
