import dns from 'node:dns';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptBack } from '../../src/app/kept-back.ts';
import { type EngineState, initialState } from '../../src/engine/state.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService, listings, success } from './scripted-service.ts';
import { type Bot, freshPlace, offer, startBot } from './stage.ts';

describe('what is asked before a purchase leaves that has waited for its connection', () => {
  function asking() {
    const clock = new VirtualClock(NOON);
    const ledger = freshLedger();
    const health = { require: 'ok', staleAfterMs: 15_000 } as const;
    const rules = { strategies: new StrategyIndex([]), limits: wideLimits, never: () => false, health, patienceMs: 2_000 };
    const past = { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON };
    const state: EngineState = initialState(rules, past);
    state.blockers.clear();
    const well = { status: 'ok', staleMs: 10, service: true };
    state.health = { status: 'ok', receivedAt: NOON, markets: { c5game: well } };
    const core = { state, keep: <T>(work: () => T): T | undefined => work(), lookout: { slept: () => false } };
    return { clock, ledger, state, core, ask: () => keptBack('c5game', { core, ledger, clock }) };
  }

  it('is nothing in its way while all is well', () => {
    expect(asking().ask()).toBeUndefined();
  });

  it.each<[string, (at: ReturnType<typeof asking>) => void, string]>([
    ['a halt on disk that nobody has noticed yet', ({ ledger }) => void ledger.halt('odd', 'person', NOON), 'halted: odd'],
    ['a halt in memory', ({ state }) => void (state.halt = { reason: 'odd', by: 'x', at: NOON }), 'halted: odd'],
    ['a stop', ({ state }) => void state.blockers.set('stopping', { reason: 'stopping', detail: 'now' }), 'stopping: now'],
    [
      'a failing journal',
      ({ state }) => void state.blockers.set('journal', { reason: 'journal-failed', detail: 'full' }),
      'full',
    ],
    ['a journal that cannot be read', ({ core }) => void (core.keep = () => undefined), 'the journal cannot be read'],
    ['a slow-down', ({ state }) => void (state.slowedUntil = NOON + 5_000), 'slowed: for 5 s more'],
    ['a machine that has just slept', ({ core }) => void (core.lookout.slept = () => true), 'the machine slept'],
    ['health that went down', ({ state }) => void (state.health = { reason: 'failed', message: '503', at: NOON }), '503'],
    ['health that is stale', ({ clock }) => clock.advanceSync(16_000), 'the last answer is 16 s old'],
  ])('is %s', (_, happens, why) => {
    const at = asking();
    happens(at);
    expect(at.ask()).toContain(why);
  });
});

describe('a purchase that waits for its connection', () => {
  /** A daemon with one intent written, whose connection waits until the name of the service is found. */
  async function waiting(): Promise<{ bot: Bot; service: ScriptedService; found: () => void }> {
    const real = dns.lookup;
    onTestFinished(() => void ((dns as { lookup: unknown }).lookup = real));
    const held: (() => void)[] = [];
    let holds = false;
    (dns as { lookup: unknown }).lookup = (...args: Parameters<typeof real>) => {
      if (holds) held.push(() => real(...args));
      else real(...args);
    };
    let shown = false;
    const service = await ScriptedService.open({
      live: () => listings(shown ? [offer('900000001')] : []),
      buy: () => success({ order: { orderId: 'u1', serviceOrderId: 'S-1', status: 'SUCCESS', message: 'ok' }, item: {} }),
    });
    const at = { ...service.address, baseUrl: service.address.baseUrl.replace('127.0.0.1', 'localhost') };
    const rate = { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 100, concurrent: 2 }, timeout: '20s' };
    const bot = await startBot({ place: freshPlace(), at, config: { rate } });
    await bot.says('buying is open');
    holds = true;
    // Connections that nothing was asked over: the one that is kept warm is among them.
    for (const socket of service.server.sockets) if (socket.bytesRead === 0) socket.destroy();
    await bot.sees('no warm connection', () => held.length > 0);
    shown = true;
    await bot.sees('an intent', () => bot.purchases()[0]?.state === 'intended');
    const found = (): void => {
      holds = false;
      for (const go of held.splice(0)) go();
    };
    return { bot, service, found };
  }

  it('leaves when nothing has happened meanwhile', async () => {
    const { bot, service, found } = await waiting();
    found();
    await bot.sees('the purchase', () => bot.purchases()[0]?.state === 'bought');
    expect(service.asked('buy')).toBe(1);
  });

  it('does not leave once a halt is on disk: it expires, its money is free, and a resume buys the listing', async () => {
    const { bot, service, found } = await waiting();
    bot.beside((ledger) => {
      ledger.halt('stop at once', 'person', Date.now());
      found();
    });
    await bot.sees('an end', () => bot.purchases()[0]?.state !== 'intended');
    expect(bot.purchases()).toMatchObject([{ state: 'expired', reason: 'kept back before it left (halted: stop at once)' }]);
    expect(bot.beside((ledger) => ledger.holds())).toEqual([]);
    await bot.says('HALTED');
    expect(service.asked('buy')).toBe(0);
    bot.beside((ledger) => ledger.resume(Date.now()));
    await bot.sees('the purchase', () => bot.purchases()[1]?.state === 'bought');
    expect(service.asked('buy')).toBe(1);
  });

  it('does not leave once the daemon is told to stop', async () => {
    const { bot, service, found } = await waiting();
    bot.daemon.stop('the test says so');
    await Promise.resolve();
    await new Promise((resolve) => void setImmediate(resolve));
    found();
    await bot.daemon.ended;
    expect(bot.purchases()).toMatchObject([{ state: 'expired' }]);
    expect(service.asked('buy')).toBe(0);
  });
});
