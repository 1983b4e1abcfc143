import { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../src/gateway/exchange.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

type Handler = Dispatcher.DispatchHandler;

/** Stands where undici's own dispatcher stands, and does with a request what it is told to. */
class Puppet extends Dispatcher {
  handler: Handler = {};
  readonly aborted: string[] = [];

  override dispatch(_: Dispatcher.DispatchOptions, handler: Handler): boolean {
    this.handler = handler;
    return true;
  }

  start(): void {
    const abort = (reason: Error): void => {
      this.aborted.push(reason.message);
      this.handler.onResponseError?.(controller, reason);
    };
    const controller = { aborted: false, paused: false, reason: null, abort, pause: () => undefined, resume: () => undefined };
    this.handler.onRequestStart?.(controller, undefined);
  }
}

function exchangeOver(puppet: Puppet, keptBack?: () => string | undefined): { exchange: Exchange; departures: () => number } {
  let departures = 0;
  const request = { method: 'POST', path: '/', headers: {}, body: undefined, limitBytes: 100 } as const;
  const exchange = new Exchange(puppet, request, new VirtualClock(), () => void departures++, keptBack);
  return { exchange, departures: () => departures };
}

describe('one request on the wire', () => {
  it('is broken off rather than written a second time [N31 money-2]', async () => {
    const puppet = new Puppet();
    const { exchange } = exchangeOver(puppet);
    puppet.start();
    puppet.start();
    expect(puppet.aborted).toEqual(['a request is never written twice']);
    expect(await exchange.ended).toMatchObject({ kind: 'broken', sent: true });
  });

  it('is not written any more once it was cancelled while it waited for a connection', async () => {
    const puppet = new Puppet();
    const { exchange, departures } = exchangeOver(puppet);
    exchange.cancel('timeout', 'too late');
    expect(await exchange.ended).toMatchObject({ kind: 'broken', cause: 'timeout', message: 'too late', sent: false });
    puppet.start();
    expect(puppet.aborted).toEqual(['too late']);
    expect(exchange.sent).toBe(false);
    expect(departures()).toBe(1);
  });

  it('is not written when it is kept back as it gets its connection, and has then not left for sure', async () => {
    const puppet = new Puppet();
    const { exchange, departures } = exchangeOver(puppet, () => 'somebody has halted');
    puppet.start();
    expect(puppet.aborted).toEqual(['somebody has halted']);
    const ending = { kind: 'broken', cause: 'other', message: 'somebody has halted', sent: false };
    expect(await exchange.ended).toMatchObject(ending);
    expect([exchange.sent, departures()]).toEqual([false, 1]);
  });

  it('may have left as soon as it has a connection, whatever the channel tells', async () => {
    const puppet = new Puppet();
    const { exchange, departures } = exchangeOver(puppet);
    puppet.start();
    exchange.cancel('timeout', 'too late');
    expect(await exchange.ended).toMatchObject({ kind: 'broken', sent: true });
    expect(exchange.sentAt).toBeUndefined();
    expect(departures()).toBe(1);
  });
});
