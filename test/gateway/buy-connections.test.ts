import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { LiveVenue } from '../../src/gateway/venue.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { acceptance, order, sameItem } from './answers.ts';
import { type Scene, never, pause, scenes, until, type Options } from './harness.ts';
import { answering, end, httpAnswer, type HostileServer, type Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<Scene & { live: LiveVenue }> {
  const opened = await scene(manners, more);
  return { ...opened, live: opened.venue() };
}

const good = JSON.stringify(acceptance({}, sameItem));

/** When a connection has come about on our side too. */
async function connected(server: HostileServer, count: number): Promise<void> {
  await until(() => server.connections === count);
  await pause(20);
}

function open(server: HostileServer): number {
  return server.sockets.filter((socket) => !socket.destroyed).length;
}

describe('the connection in reserve', () => {
  it('is there before the first buy, and each buy finds one that nothing was sent over yet', async () => {
    const { server, live } = await at(answering(200, good));
    await connected(server, 1);
    await live.buy(order, never);
    await connected(server, 2);
    await live.buy({ ...order, listingId: '2' }, never);
    expect(server.requests.map(({ connection }) => connection)).toEqual([0, 1]);
  });

  it('takes a request before anything else can come in between', async () => {
    const { server, live } = await at(answering(200, good));
    await connected(server, 1);
    let sent = 0;
    const onHeaders = (): void => void sent++;
    subscribe('undici:client:sendHeaders', onHeaders);
    onTestFinished(() => void unsubscribe('undici:client:sendHeaders', onHeaders));
    const buying = live.buy(order, never);
    expect(sent).toBe(1);
    expect((await buying).outcome.kind).toBe('bought');
  });

  it('is kept for longer than four seconds of silence', async () => {
    const { server, live } = await at(answering(200, good));
    await connected(server, 1);
    await pause(4_500);
    expect(server.connections).toBe(1);
    await live.buy(order, never);
    expect(server.requests[0]?.connection).toBe(0);
  });

  it('is there after ten minutes of silence, young, and the only one', async () => {
    const clock = new VirtualClock();
    const { server, live } = await at(answering(200, good), { clock });
    await connected(server, 1);
    for (let count = 2; count <= 20; count++) {
      await clock.advance(30_000);
      await connected(server, count);
    }
    await until(() => open(server) === 1);
    await live.buy(order, never);
    expect(server.requests[0]?.connection).toBe(19);
  });

  it('is never taken by reads, nor does a read that hangs keep a buy waiting', async () => {
    const manners: Manners = {
      answer: (socket, { method }) => void (method === 'POST' && socket.write(httpAnswer(200, good))),
    };
    const { server, live, gateway } = await at(manners);
    await connected(server, 1);
    for (let read = 0; read < 5; read++) void gateway.service.read('liveListings');
    await until(() => server.requests.length === 5);
    expect((await live.buy(order, never)).outcome.kind).toBe('bought');
    const [last, ...reads] = server.requests.map(({ connection }) => connection).reverse();
    expect(last).toBe(0);
    expect(reads).not.toContain(0);
  });

  it('does without where none is ready: buys at once go over connections of their own', async () => {
    const { server, live } = await at(answering(200, good));
    await connected(server, 1);
    const buys = ['1', '2', '3'].map((listingId) => live.buy({ ...order, listingId }, never));
    for (const { outcome } of await Promise.all(buys)) expect(outcome.kind).toBe('bought');
    expect(server.posts).toBe(3);
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(3);
  });

  it('is not used once the service has said something over it', async () => {
    const stale = (socket: Socket): void => void socket.write(httpAnswer(408, '{"success":false}'));
    const { server, live } = await at({ accept: stale });
    await connected(server, 1);
    server.behave(answering(200, good));
    expect((await live.buy(order, never)).outcome).toMatchObject({ kind: 'bought' });
    expect(server.posts).toBe(1);
  });

  it('is made anew, ever more slowly, while the service closes it', async () => {
    const clock = new VirtualClock();
    const { server } = await at({ accept: end }, { clock });
    await until(() => server.connections === 1);
    for (let seconds = 0; seconds < 120; seconds++) {
      await clock.advance(1_000);
      await pause(2);
    }
    expect(server.connections).toBeGreaterThan(4);
    expect(server.connections).toBeLessThan(20);
  });

  it('leaves nothing open behind: neither a buy that was answered nor the end', async () => {
    const { server, live } = await at(answering(200, good));
    await connected(server, 1);
    await live.buy(order, never);
    await connected(server, 2);
    await until(() => open(server) === 1);
    await live.close();
    await pause(20);
    expect(open(server)).toBe(0);
  });

  it('leaves nothing open behind where a buy could not be written', async () => {
    const { server, live } = await at(answering(200, good), { apiKey: new Secret('bad\nkey') });
    await connected(server, 1);
    expect((await live.buy(order, never)).outcome.kind).toBe('unsent');
    await connected(server, 2);
    await until(() => open(server) === 1);
  });
});
