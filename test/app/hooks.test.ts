import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Bot, freshPlace, openExchange, pause, startBot } from './stage.ts';

const PATH = '/hooks/3f9c2a7e5b8d41c6';
const SECRET = 'shared-with-the-service';

/** A daemon that would look at the orders once an hour, and the address at which it is told of more. */
async function listening(): Promise<{ bot: Bot; address: string; lookedAt: () => number }> {
  const exchange = await openExchange({ offers: [] });
  const config = { reconcile: { interval: '1h' }, webhooks: { port: 0, path: PATH, secret: SECRET } };
  const bot = await startBot({ place: freshPlace(), at: exchange, config });
  await bot.says('Listening to webhooks at ');
  await bot.says('Start checks passed');
  const address = /Listening to webhooks at (\S+)/.exec(bot.text)?.[1] ?? '';
  const lookedAt = (): number => bot.daemon.core.lastLookAt ?? 0;
  await bot.sees('its first look', () => lookedAt() > 0);
  return { bot, address: address + PATH, lookedAt };
}

const post = (address: string, body: string, secret = SECRET) => {
  const headers = { 'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex') };
  return fetch(address, { method: 'POST', body, headers }).then(({ status }) => status);
};

describe('a webhook that a daemon is told', () => {
  it('has it look at the orders now, once, and changes nothing; a forged one does nothing at all [S12 S13]', async () => {
    const { bot, address, lookedAt } = await listening();
    await pause(1_200);
    const before = lookedAt();
    const lie = JSON.stringify({
      id: 'e-1',
      type: 'order.refunded',
      data: { order: { id: 'o', amount: 9999, status: { code: 'REVERTED' } } },
    });
    expect(await post(address, lie, 'guessed')).toBe(401);
    await bot.says('A webhook was turned away: its signature is not that of webhooks.secret');
    expect(lookedAt()).toBe(before);
    expect(await post(address, lie)).toBe(204);
    await bot.sees('a look', () => lookedAt() > before);
    const after = lookedAt();
    expect(await post(address, lie)).toBe(204);
    await pause(300);
    expect(lookedAt()).toBe(after);
    expect(bot.purchases()).toEqual([]);
    expect(bot.beside((ledger) => ledger.alerts(0, 10))).toEqual([]);
    expect(bot.text).not.toContain('3f9c2a7e');
    await bot.stop();
    expect(bot.text.match(/webhook {3}order\.refunded: looking at the orders/g)?.length).toBe(1);
  });
});
