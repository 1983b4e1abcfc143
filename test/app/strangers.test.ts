import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, startBot } from './stage.ts';

/** Where this process connects to from now on, each address once. */
function connections(): ReadonlySet<string> {
  const seen = new Set<string>();
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => void seen.add(`${socket.remoteAddress}:${socket.remotePort}`));
    socket.once('error', (error: Error & { readonly address?: string; readonly port?: number }) => {
      if (error.address !== undefined) seen.add(`${error.address}:${error.port}`);
    });
  };
  subscribe('net.client.socket', onSocket);
  onTestFinished(() => void unsubscribe('net.client.socket', onSocket));
  return seen;
}

const paths = ['../../magpie-was-here', '/tmp/magpie-was-here', '..\\..\\magpie-was-here', 'magpie-was-here/..', 'CON', '.'];

describe('a market of strangers', () => {
  it('makes no file of a name and no visit of an address [S16 S21 S27]', async () => {
    const elsewhere = 'http://127.0.0.1:9/steal';
    const offers = paths.map((name, at) =>
      offer(String(at + 1), {
        marketHashName: name,
        itemId: `00000000000000a${at}`,
        iconUrl: elsewhere,
        url: elsewhere,
        collection: name,
      }),
    );
    const exchange = await openExchange({ offers });
    const place = freshPlace();
    const connected = connections();
    const bot = await startBot({ place, at: exchange });
    await bot.sees(
      'all bought',
      () => ordersAt(exchange).length === paths.length && bot.purchases().every(({ state }) => state === 'bought'),
    );
    await bot.stop();
    expect(
      bot
        .purchases()
        .map(({ marketHashName }) => marketHashName)
        .sort(),
    ).toEqual([...paths].sort());
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();
    expect(
      files.filter(
        (file) =>
          !/^(?:magpie-[^/]*\.lock|magpie\.yaml|strategies(?:\/wants\.yaml)?|data(?:\/(?:magpie\.db|recording\.db|magpie\.lock))?)$/.test(
            file,
          ),
      ),
    ).toEqual([]);
    for (const made of ['/tmp/magpie-was-here', join(place, '..', 'magpie-was-here')]) expect(existsSync(made)).toBe(false);
    expect([...connected]).toEqual([new URL(exchange.baseUrl).host]);
  });
});
