import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, startBot } from './stage.ts';

/** Where this process connects to from now on, or tries to, each address once. */
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

describe('a whole run', () => {
  it('connects to the service and to nobody else, whatever addresses its listings hold [S21 S27]', async () => {
    const elsewhere = 'http://127.0.0.1:9/steal';
    const names = ['AK-47 | Redline (Field-Tested)', elsewhere, '//127.0.0.1:9/steal'];
    const offers = names.map((name, at) =>
      offer(String(at + 1), { marketHashName: name, itemId: `00000000000000a${at}`, iconUrl: elsewhere, url: elsewhere }),
    );
    const exchange = await openExchange({ offers });
    const connected = connections();
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.sees('all bought', () => ordersAt(exchange).length === names.length);
    await bot.stop();
    expect([...connected]).toEqual([new URL(exchange.baseUrl).host]);
  });
});
