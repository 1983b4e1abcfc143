import { describe, expect, it } from 'vitest';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

/** Requests that the service has seen with the account's key; health is asked for with another. */
function accountRequests(service: ScriptedService): number {
  return service.server.requests.filter(({ headers }) => headers['x-api-key'] === service.address.childKey).length;
}

describe('a service that asks us to slow down', () => {
  it('hears nothing of this key until then, also across a restart, and everything again after [N16]', async () => {
    let busy = true;
    const tooMany = (): Buffer => failure(429, 'RATE_LIMITED', 'too many requests', { 'retry-after': '5' });
    const service = await ScriptedService.open({
      live: () => (busy ? tooMany() : listings([offer('1')])),
      orders: () => (busy ? tooMany() : failure(500, 'INTERNAL_ERROR', 'not today')),
      user: () => tooMany(),
    });
    const place = freshPlace();
    const beganAt = Date.now();
    const first = await startBot({ place, at: service.address });
    await first.sees('the wait', () => first.daemon.core.state.slowedUntil !== undefined);
    await first.stop();
    busy = false;
    const before = accountRequests(service);
    const until = first.beside((ledger) => ledger.slowUntil());
    expect(until!, 'all of it').toBeGreaterThanOrEqual(beganAt + 5_000);

    const second = await startBot({ place, at: service.address });
    await pause(2_000);
    expect(accountRequests(service)).toBe(before);
    expect(second.text).toContain('not asked: the service wants us to slow down');
    await second.sees('listings again', () => second.daemon.core.facts.listings === 1);
    expect(Date.now()).toBeGreaterThanOrEqual(until! - 50);
  });

  it('a 429 to a buy holds all buying, and the listing is tried again only when its refusal is confirmed [N16]', async () => {
    let buys = 0;
    const service = await ScriptedService.open({
      live: () => listings([offer('1'), offer('2')]),
      buy: () =>
        buys++ === 0
          ? failure(429, 'RATE_LIMITED', 'too many requests', { 'retry-after': '2' })
          : failure(410, 'LISTING_NOT_FOUND', 'gone'),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees('three buys', () => service.asked('buy') === 3);
    const times = service.server.requests
      .filter(({ path }) => path === '/v2/market/buy')
      .map(({ at, body }) => ({ at, id: (JSON.parse(body) as { itemId: string }).itemId }));
    expect(times[1]!.at - times[0]!.at).toBeGreaterThan(1_900);
    expect(times.map(({ id }) => id).sort()).toEqual(['1', '1', '2']);
    await pause(500);
    expect(service.asked('buy')).toBe(3);
  });
});
