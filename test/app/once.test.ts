import { describe, expect, it } from 'vitest';
import { PollFacts } from '../../src/app/facts.ts';
import { type Failing, onceOver } from '../../src/app/once.ts';
import { initialState } from '../../src/engine/state.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { begun, freshLedger, outcomes, readBalance, settled } from '../ledger/support.ts';
import { NOON, dollars, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { freshPlace, offer, openExchange, ordersAt, postsAt, startBot } from './stage.ts';

describe('one poll', () => {
  it('ends by itself with 0 when everything it wanted is bought', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2'), offer('3', { price: 2000 })] });
    const bot = await startBot({ place: freshPlace(), at: exchange, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(ordersAt(exchange)).toHaveLength(2);
    expect(bot.purchases().map(({ state }) => state)).toEqual(['bought', 'bought']);
    expect(bot.daemon.core.facts.polls).toBe(1);
  });

  it('settles what a lost answer left open before it ends [N3]', async () => {
    const exchange = await openExchange({ offers: [offer('1')], faults: { buyLostAfter: 1 } });
    const bot = await startBot({ place: freshPlace(), at: exchange, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(bot.purchases()).toMatchObject([{ state: 'bought', serviceOrderId: ordersAt(exchange)[0]!.id }]);
    expect(postsAt(exchange)).toBe(1);
  });

  it('ends with 0 when somebody else was faster, once that is sure [N11 M2]', async () => {
    const service = await ScriptedService.open({ live: () => listings([offer('1')]) });
    const bot = await startBot({ place: freshPlace(), at: service.address, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(bot.purchases()).toMatchObject([{ state: 'rejected', held: false, refusalCause: 'gone' }]);
  });

  it('ends with 1 when the service refuses for a reason of its own, and when no listings come [N15]', async () => {
    const refusing = await ScriptedService.open({
      live: () => listings([offer('1')]),
      buy: () => failure(400, 'TRADE_URL_INVALID', 'the trade URL is not valid'),
    });
    const first = await startBot({ place: freshPlace(), at: refusing.address, once: true });
    expect(await first.daemon.ended).toMatchObject({
      exitCode: 1,
      failings: [{ message: expect.stringMatching(/The service refused purchase 1, .*the trade URL is not valid/) as string }],
    });
    const silent = await ScriptedService.open({ live: () => failure(500, 'INTERNAL_ERROR', 'something went wrong') });
    const second = await startBot({ place: freshPlace(), at: silent.address, once: true });
    expect(await second.daemon.ended).toMatchObject({
      exitCode: 1,
      failings: [{ message: expect.stringContaining('The live listings could not be read: ') as string }],
    });
    expect(silent.asked('buy')).toBe(0);
  });

  it('ends soon, and names the key, when the service does not take it [N15]', async () => {
    const no = (): Buffer => failure(401, 'UNAUTHORIZED', 'the key in X-API-Key is not known');
    const service = await ScriptedService.open({ live: no, user: no, orders: no, transactions: no, health: no });
    const beganAt = performance.now();
    const bot = await startBot({ place: freshPlace(), at: service.address, once: true });
    expect(await bot.daemon.ended).toMatchObject({
      exitCode: 1,
      failings: [
        {
          message: expect.stringMatching(/^The live listings could not be read: .*the key in X-API-Key is not known/) as string,
          next: expect.stringContaining('check `account.apiKey` (MAGPIE_API_KEY)') as string,
        },
      ],
    });
    expect(performance.now() - beganAt).toBeLessThan(9_000);
  });

  it('in dry-run, says what would be bought now, however often it is asked', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')] });
    const place = freshPlace();
    for (let run = 0; run < 2; run++) {
      const bot = await startBot({ place, at: exchange, once: true, dryRun: true });
      expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    }
    expect(postsAt(exchange)).toBe(0);
  });
});

describe('what one poll waits for', () => {
  /** A run in which the poll found nothing to buy, over what the ledger knows from before. */
  function over(ledger = freshLedger()): {
    readonly clock: VirtualClock;
    readonly said: string[];
    readonly done: Promise<readonly Failing[]>;
  } {
    const clock = new VirtualClock(NOON + 3_600_000);
    const state = initialState(
      {
        strategies: new StrategyIndex([]),
        limits: wideLimits,
        never: () => false,
        health: { require: 'off', staleAfterMs: 1 },
        patienceMs: 1_000,
      },
      { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: clock.now() },
    );
    state.blockers.clear();
    state.balance = { amount: dollars(1_000), beganAt: clock.now(), endedAt: clock.now() };
    const core = { facts: Object.assign(new PollFacts(), { polls: 1 }), state, inFlight: 0, unchecked: 0 };
    const said: string[] = [];
    const signal = new AbortController().signal;
    const { done } = onceOver({ core, ledger, clock, signal, say: (message) => void said.push(message) });
    return { clock, said, done };
  }

  it('is a purchase of an earlier run that is unknown: it fails while that stays so, and says why and what next', async () => {
    const ledger = freshLedger();
    const purchase = settled(ledger, begun(ledger, 1), outcomes.unknown());
    const { clock, said, done } = over(ledger);
    await clock.advance(2_000);
    expect(said).toEqual([]);
    await clock.advance(100_000);
    expect(said).toEqual([`Waiting up to 90 s for evidence about purchase ${purchase.id}`]);
    expect(await done).toEqual([
      {
        message: `1 purchase stays unknown: purchase ${purchase.id}. Whether money was spent cannot be told yet; it stays reserved`,
        next: `\`magpie reconcile\` looks again, \`magpie purchases ${purchase.id}\` says what is awaited`,
      },
    ]);
  });

  it('ends with nothing to complain of as soon as that is settled, whichever way', async () => {
    for (const verdict of ['bought', 'not-bought'] as const) {
      const ledger = freshLedger();
      const purchase = settled(ledger, begun(ledger, 1), outcomes.unknown());
      const { clock, done } = over(ledger);
      await clock.advance(10_000);
      ledger.resolve(purchase.id, verdict, 'seen at the service', clock.now());
      await clock.advance(1_000);
      expect(await done).toEqual([]);
    }
  });

  it('was never refused by anybody, where evidence showed that a purchase of this run was not bought', async () => {
    const ledger = freshLedger();
    const { clock, done } = over(ledger);
    readBalance(ledger, 1_000, clock.now());
    const lost = settled(ledger, begun(ledger, 1, clock.now() + 1), outcomes.unknown(), clock.now() + 2);
    await clock.advance(10_000);
    ledger.resolve(lost.id, 'not-bought', 'no order shows it', clock.now());
    await clock.advance(1_000);
    expect(ledger.purchases({})).toMatchObject([{ state: 'rejected', refusalCause: undefined }]);
    expect(await done).toEqual([]);
  });
});
