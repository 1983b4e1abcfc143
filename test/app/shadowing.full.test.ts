import { describe, expect, it } from 'vitest';
import { shadowSum, shareWon } from '../../src/domain/shadow.ts';
import { UNMEASURED_MS } from '../../src/domain/latency.ts';
import { ScriptedService, failure, listings, success } from './scripted-service.ts';
import { type Bot, freshPlace, offer, openExchange, postsAt, startBot } from './stage.ts';

/** Polls that leave room between them, also on a machine that is busy. */
const unhurried = { feed: { interval: '1s', health: { interval: '10s' } } };

/** A check that comes soon, so that no test waits long. */
const soon = { dryRun: { settle: { latency: '20ms', margin: '10ms', perMinute: 600 } } };
const later = { dryRun: { settle: { latency: '1m' } } };

function reasons(bot: Bot): (string | undefined)[] {
  const purchases = bot.purchases();
  const shadows = bot.beside((ledger) => ledger.shadowsOf(purchases.map(({ id }) => id)));
  return purchases.map(({ id }) => shadows.get(id)?.reason);
}

/** One poll of one offer, and what a service that answers so says of it afterwards. */
async function lookedOnce(detail: () => Buffer): Promise<Bot> {
  const service = await ScriptedService.open({ live: () => listings([offer('1')]), detail });
  const config = { mode: 'dry-run', ...unhurried, ...soon };
  const bot = await startBot({ place: freshPlace(), at: service.address, config, once: true });
  await bot.daemon.ended;
  return bot;
}

/** What the listing's own page says: it stands, at that price. */
const shown = (entry: Record<string, unknown>, price = entry['price']): Buffer =>
  success({ items: [{ ...entry, price, priceWithFee: Math.round(Number(price) * 105) / 100 }] });

describe('a dry run', () => {
  it('says of what it would have bought what live would have got, where rivals buy as well, and buys nothing', async () => {
    const exchange = await openExchange({ speed: 100, listings: 60 });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { mode: 'dry-run', ...soon, ...unhurried } });
    const figures = () => bot.beside((ledger) => ledger.shadowFigures(0));
    const some = (result: 'won' | 'lost'): boolean => shadowSum(figures(), result).count > 0;
    await bot.sees('some won and some lost', () => some('won') && some('lost'));
    const { ended } = bot.daemon;
    bot.daemon.stop('enough');
    await ended;
    const known = shareWon(figures());
    expect(bot.text).toMatch(/won {7}.+ still stood at the same price .+\(on paper\)/);
    expect(bot.text).toMatch(/lost {6}.+ (?:gone|another price) .+\(on paper\)/);
    expect(bot.text).toContain(`${((known?.share ?? 0) * 100).toFixed(0)} % won of ${known?.of ?? 0} that are known`);
    expect(figures().open.count).toBe(0);
    expect(postsAt(exchange)).toBe(0);
    expect(bot.purchases().every(({ state }) => state === 'simulated')).toBe(true);
  });

  it('tells a listing that is gone from one that has another price, and both from one that stands', async () => {
    for (const [answer, reason] of [
      [() => shown(offer('1')), 'standing'],
      [() => shown(offer('1'), 12), 'repriced'],
      [() => success({ items: [{ id: '1', error: 'LISTING_NOT_FOUND' }] }), 'gone'],
    ] as const)
      expect(reasons(await lookedOnce(answer))).toEqual([reason]);
  });

  it('calls unknown what the service does not say', async () => {
    const bot = await lookedOnce(() => failure(500, 'INTERNAL', 'out of order'));
    expect(reasons(bot)).toEqual(['failed']);
    expect(bot.text).toContain('1 purchase on paper unknown');
  });

  it('that is stopped in the middle leaves unknown what it had not asked for', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const place = freshPlace();
    const stopped = await startBot({ place, at: exchange, config: { mode: 'dry-run', ...later } });
    await stopped.sees('a purchase', () => stopped.purchases().length === 1);
    expect(reasons(stopped)).toEqual([undefined]);
    await stopped.stop();
    expect(reasons(stopped)).toEqual(['stopped']);
    expect(stopped.text).toContain('1 for $10.50 unknown: no share can be told');
  });

  it('of one poll ends when what it would have bought was looked at again', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2')] });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { mode: 'dry-run', ...unhurried }, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(reasons(bot)).toEqual(['standing', 'standing']);
    const [shadow] = bot.beside((ledger) => ledger.shadowsOf([1])).values();
    expect(shadow?.latency).toEqual({ ms: UNMEASURED_MS, measuredOn: undefined });
    expect(shadow?.askedAfterMs).toBeGreaterThanOrEqual(UNMEASURED_MS);
  });

  it('looks at nothing again where that is switched off', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const config = { mode: 'dry-run', dryRun: { settle: { off: true } } };
    const bot = await startBot({ place: freshPlace(), at: exchange, config, once: true });
    expect(await bot.daemon.ended).toEqual({ exitCode: 0 });
    expect(reasons(bot)).toEqual([undefined]);
    expect(bot.text).not.toContain('would have won');
  });
});

describe('live', () => {
  it('a strategy on paper is held to what our own buys lasted, and its listing to what rivals and we left of it', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { price: 90 })] });
    const strategies = {
      real: { when: { name: '*' }, price: { max: 50 } },
      paper: { mode: 'dry-run', when: { name: '*' }, price: { max: 200 }, limits: { count: { total: 2 } } },
    };
    const place = freshPlace();
    const first = await startBot({ place, at: exchange, strategies: { real: strategies.real } });
    await first.sees('a purchase that is answered', () => first.purchases().some(({ state }) => state === 'bought'));
    await first.stop();
    const config = { ...unhurried, dryRun: { settle: { margin: '10ms' } } };
    const bot = await startBot({ place, at: exchange, strategies, config, once: true });
    await bot.daemon.ended;
    const id = bot.purchases().find(({ lane }) => lane === 'paper')?.id ?? 0;
    const shadow = bot.beside((ledger) => ledger.shadowsOf([id]).get(id));
    expect(shadow).toMatchObject({ reason: 'standing', latency: { measuredOn: 1 } });
  });
});
