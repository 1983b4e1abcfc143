import { describe, expect, it } from 'vitest';
import { readerOf } from '../../src/treasury/bank.ts';
import { dollars } from '../support/values.ts';
import { TreasuryStage, usualPolicy } from './stage.ts';

const minute = 60_000;

describe('a treasury behind a cache', () => {
  it.each([
    ['gives answers again', undefined],
    ['gives answers again and says how old they are', 600],
  ])('fills no child twice for one need while a cache on the way %s', async (_, age) => {
    const stage = await TreasuryStage.start();
    const { treasury } = stage.started({ ...usualPolicy, dedicated: false });
    await treasury.round();
    stage.cache = { age };
    for (let round = 0; round < 6; round++) {
      await stage.clock.advance(2 * minute);
      await treasury.round();
    }
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
    stage.cache = undefined;
    const { verdicts } = await treasury.round();
    expect(verdicts.map(({ reason }) => reason)).toEqual(['enough', 'enough']);
  });

  it('takes a balance that lay in a cache for moments for one of when it went in there', async () => {
    const stage = await TreasuryStage.start();
    await stage.started().treasury.round();
    stage.cache = { age: 25 };
    const reply = await readerOf(stage.hand(stage.sandbox.topLevelKey), stage.clock).balance();
    expect(reply).toMatchObject({ ok: true, reading: { askedAt: stage.clock.now() - 25_000 } });
  });
});
