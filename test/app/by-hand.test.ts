import { describe, expect, it } from 'vitest';
import { movableClock } from '../support/movable-clock.ts';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { freshPlace, offer, startBot } from './stage.ts';

describe('a purchase by hand', () => {
  it('is not sent at a price that nobody has seen lately [N34]', async () => {
    let down = false;
    const service = await ScriptedService.open({
      live: () => (down ? failure(500, 'INTERNAL_ERROR', 'something went wrong') : listings([offer('1')])),
    });
    const { clock, move } = movableClock();
    const nothing = { nothing: { when: { name: 'no such thing' }, price: { max: 1 } } };
    const bot = await startBot({ place: freshPlace(), at: service.address, strategies: nothing, clock });
    await bot.says('Start checks passed');
    await bot.sees('the listing', () => bot.daemon.core.facts.listings === 1);
    down = true;
    await bot.sees('failed polls', () => bot.daemon.core.facts.failuresInRow > 0);
    move(40_000);
    const id = bot.beside((ledger) => ledger.ask('buy', { listingId: '1', market: 'c5game' }, clock.now()));
    await bot.sees('an answer', () => bot.beside((ledger) => ledger.requestState(id).kind === 'answered'));
    expect(bot.beside((ledger) => ledger.requestState(id))).toMatchObject({
      answer: {
        ok: false,
        error: expect.stringMatching(
          /^not bought \(snapshot-stale\): .* were last read 4\d s ago \(since then: .*something went wrong.*\)$/,
        ) as string,
      },
    });
    expect(service.asked('buy')).toBe(0);
  });
});
