import { describe, expect, it, onTestFinished } from 'vitest';
import { HostileServer, type Manners, answering, onAnswer } from '../gateway/hostile-server.ts';
import { freshPlace, offer, openExchange, pause, postsAt, startBot } from './stage.ts';

async function server(manners: Manners): Promise<HostileServer> {
  const started = await HostileServer.start(manners);
  onTestFinished(() => started.close());
  return started;
}

function counts({ requests }: HostileServer): Record<string, number>[] {
  return requests.map(({ body }) => (JSON.parse(body) as { counts: Record<string, number> }).counts);
}

const told = ({ url }: HostileServer): object => ({ webhook: { url: `${url}/told`, secret: 'shared-secret' } });

const closing = onAnswer((socket) => void socket.destroy());

describe('a channel', () => {
  it.each([
    ['that is down', closing],
    ['that never answers', {}],
    ['that fails', answering(500, 'no')],
    ['that refuses', answering(404, 'gone')],
  ] as const)('%s keeps neither the start nor a purchase nor the end waiting [unattended-11]', async (_, manners) => {
    const at = await server(manners);
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { notify: told(at) } });
    await bot.sees('a purchase', () => bot.purchases()[0]?.state === 'bought');
    await bot.sees('a try', () => at.posts > 0);
    const began = performance.now();
    expect(await bot.stop()).toEqual({ exitCode: 0 });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(postsAt(exchange)).toBe(1);
  });

  it('is told a purchase, and after an outage and a restart everything of the time between, in one letter', async () => {
    const at = await server(answering(200, ''));
    const exchange = await openExchange({ offers: [offer('1'), offer('2')], speed: 0.001 });
    const place = freshPlace();
    const config = { notify: told(at), limits: { maxPrice: 1000, spend: { day: 11 } } };
    const first = await startBot({ place, at: exchange, config });
    await first.sees('a letter', () => at.posts > 0);
    expect(counts(at)).toEqual([{ purchase: 1 }]);
    at.behave(closing);
    first.daemon.core.bell.ring({ kind: 'clock', at: 1, message: 'one', next: undefined, purchaseId: undefined });
    await first.says('takes no alerts');
    first.daemon.core.bell.ring({ kind: 'clock', at: 2, message: 'two', next: undefined, purchaseId: undefined });
    await first.stop();
    const tries = at.posts;
    at.behave(answering(200, ''));
    const second = await startBot({ place, at: exchange, config });
    await second.sees('the letter', () => at.posts > tries);
    await pause(1_500);
    expect(counts(at).slice(tries)).toEqual([{ clock: 2 }]);
    expect(first.text.split('takes no alerts')).toHaveLength(2);
    expect(first.text).not.toContain('shared-secret');
  });

  it('that refuses is an alert for who looks elsewhere, once', async () => {
    const [refusing, taking] = [await server(answering(404, 'gone')), await server(answering(200, ''))];
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const notify = { discord: { webhook: `${refusing.url}/api/webhooks/1/TOKEN-0123456789` }, ...told(taking) };
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { notify } });
    await bot.sees('both told', () => counts(taking).some((each) => 'channel' in each));
    await bot.sees('more tries', () => refusing.posts > 3);
    expect(bot.beside((ledger) => ledger.alerts(0, 9)).map(({ kind, message }) => [kind, message])).toEqual([
      ['channel', 'notify.discord takes no alerts, which wait meanwhile: status 404: gone'],
    ]);
    expect(bot.text).not.toContain('TOKEN-0123456789');
  });

  it('is told at the end what happened last', async () => {
    const at = await server(answering(200, ''));
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { notify: told(at) }, once: true });
    expect((await bot.daemon.ended).exitCode).toBe(0);
    expect(counts(at)).toEqual([{ purchase: 1 }]);
  });
});
