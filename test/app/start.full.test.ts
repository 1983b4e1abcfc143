import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, pause, startBot } from './stage.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => void server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

it('stays up while the service is down, tries, and buys once it has passed [N1 unattended-1]', async () => {
  const port = await freePort();
  const place = freshPlace();
  const sleeping = await openExchange({ offers: [offer('1')], port });
  await sleeping.close();
  const bot = await startBot({ place, at: sleeping });
  await bot.says('No listings');
  await pause(1_000);
  const exchange = await openExchange({ offers: [offer('1')], port });
  await bot.sees('a purchase', () => ordersAt(exchange).length === 1);
  expect(bot.text).toContain('Start checks passed: buying is open');
});
