import { describe, expect, it } from 'vitest';
import type { TreasuryPolicy } from '../../src/treasury/decide/policy.ts';
import { dollars } from '../support/values.ts';
import { TreasuryStage, usualPolicy } from './stage.ts';

const [, other] = usualPolicy.children;

/** The first child under another name, with a floor above what it has by now. */
const renamed: TreasuryPolicy = {
  ...usualPolicy,
  children: [
    { name: 'a-by-its-new-name', floor: dollars(250), target: dollars(400), perDay: dollars(220) },
    ...(other === undefined ? [] : [other]),
  ],
};

describe('a child that is called otherwise after a start', () => {
  it('gets what its day leaves of its cap', async () => {
    const stage = await TreasuryStage.start();
    const first = stage.started();
    await first.treasury.round();
    first.journal.close();
    await stage.clock.advance(120_000);
    const { verdicts } = await stage.started(renamed).treasury.round();
    expect(verdicts.find(({ child }) => child === 'a-by-its-new-name')).toMatchObject({
      ...{ reason: 'transfer', amount: dollars(40), cutBy: 'child-day' },
    });
    expect(stage.balances()).toEqual([780, 240, 100].map(dollars));
  });

  it('gets nothing by a balance that may not show what it was given under the other name', async () => {
    const stage = await TreasuryStage.start();
    const first = stage.started();
    await first.treasury.round();
    first.journal.close();
    await stage.clock.advance(30_000);
    const { verdicts } = await stage.started({ ...renamed, dedicated: false }).treasury.round();
    expect(verdicts.map(({ child, reason }) => [child, reason])).toContainEqual(['a-by-its-new-name', 'recent']);
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
  });

  it('is given money again where the service has replaced its key: that halts under the name of before, time and again', async () => {
    const stage = await TreasuryStage.start();
    const first = stage.started();
    first.journal.learn('child a', 'the id of the key that was replaced');
    await first.treasury.round();
    expect(first.journal.halted()?.reason).toContain('it is the id of the key that was replaced that was meant');
    const [open] = first.journal.open();
    first.journal.settle(open?.id ?? 0, { state: 'made', by: 'person', said: 'it is on the site' }, stage.clock.now());
    first.journal.resume(stage.clock.now());
    first.journal.close();
    await stage.clock.advance(120_000);
    const { treasury, journal } = stage.started(renamed);
    await treasury.round();
    expect([journal.halted(), journal.open()]).toEqual([undefined, []]);
    expect(stage.balances()).toEqual([780, 240, 100].map(dollars));
  });
});
