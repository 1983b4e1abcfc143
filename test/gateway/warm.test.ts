import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { LiveVenue } from '../../src/gateway/venue.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { acceptance, order, sameItem } from './answers.ts';
import { never, pause, scenes, until, type Options } from './harness.ts';
import { answering, end, httpAnswer, type HostileServer, type Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<{ server: HostileServer; venue: LiveVenue }> {
  const { server, venue } = await scene(manners, more);
  return { server, venue: venue() };
}

const good = JSON.stringify(acceptance({}, sameItem));

describe('the warm connection', () => {
  it('is there before the first buy, and is the one the buy takes', async () => {
    const { server, venue } = await at(answering(200, good));
    await until(() => server.connections === 1);
    await pause(20);
    await venue.buy(order, never);
    expect(server.requests[0]?.connection).toBe(0);
    await pause(20);
    await venue.buy({ ...order, listingId: '2' }, never);
    expect(server.requests[1]?.connection).toBe(0);
  });

  it('is not used once the service has said something over it', async () => {
    const stale = (socket: Socket): void => void socket.write(httpAnswer(408, '{"success":false}'));
    const { server, venue } = await at({ accept: stale });
    await until(() => server.connections === 1);
    await pause(20);
    server.behave(answering(200, good));
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'bought' });
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

  it('is exchanged for a fresh one before it is half a minute old', async () => {
    const clock = new VirtualClock();
    const { server, venue } = await at(answering(200, good), { clock });
    await until(() => server.connections === 1);
    await pause(20);
    await clock.advance(30_000);
    await until(() => server.connections === 2);
    await until(() => server.sockets[0]?.destroyed === true);
    await venue.buy(order, never);
    expect(server.requests[0]?.connection).toBe(1);
  });
});
