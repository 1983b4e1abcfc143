import { describe, expect, it } from 'vitest';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { LiveVenue } from '../../src/gateway/venue.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { acceptance, order, sameItem } from './answers.ts';
import { CANARY_KEY, CANARY_TOKEN, never, pause, scenes, until, within, type Options } from './harness.ts';
import { answering, httpAnswer, onAnswer, reset, type HostileServer, type Manners } from './hostile-server.ts';

const scene = scenes();

async function at(manners: Manners, more?: Options): Promise<{ server: HostileServer; venue: LiveVenue }> {
  const { server, venue } = await scene(manners, more);
  return { server, venue: venue() };
}

const good = JSON.stringify(acceptance({}, sameItem));
const goodBytes = httpAnswer(200, good);

describe('a buy', () => {
  it('is one POST with the id, the price as received, the market and the trade URL [N27 N31 M1]', async () => {
    const { server, venue } = await at(answering(200, good));
    const { outcome, times } = await venue.buy({ ...order, price: 0.1 + 0.2 }, never);
    expect(outcome).toMatchObject({ kind: 'bought', serviceOrderId: 'so-1' });
    expect(times.answeredAt).toBeGreaterThanOrEqual(times.sentAt ?? Infinity);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v2/market/buy' });
    expect(request?.body).toBe(
      `{"itemId":"9007199254740993","price":0.30000000000000004,"market":"ecosteam","tradeUrl":"https://trade.example/tradeoffer/new/?partner=123456&token=${CANARY_TOKEN}"}`,
    );
    expect(request?.headers).toMatchObject({
      'x-api-key': CANARY_KEY,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    expect(server.posts).toBe(1);
  });

  it('goes below the path of the base address', async () => {
    const { server, venue } = await at(answering(200, good), (url) => ({ baseUrl: `${url}/api/` }));
    await venue.buy(order, never);
    expect(server.requests[0]?.path).toBe('/api/v2/market/buy');
  });

  it.each([{ price: Number.NaN }, { price: -1 }, { market: 'elsewhere' }, { listingId: 'x' }])(
    'is not sent when the order is wrong: %j',
    async (wrong) => {
      const { server, venue } = await at(answering(200, good));
      const { outcome, times } = await venue.buy({ ...order, ...wrong }, never);
      expect(outcome).toMatchObject({ kind: 'unsent', cause: 'request' });
      expect(times).toEqual({ sentAt: undefined, answeredAt: undefined });
      expect(server.posts).toBe(0);
    },
  );
});

describe('a buy that is kept back when it has its connection', () => {
  it('never leaves, over the warm connection or another, and the next one is not the worse for it', async () => {
    const { server, gateway, venue: make } = await scene(answering(200, good));
    let closed: string | undefined = 'halted';
    const asked: string[] = [];
    const venue = make(({ listingId }) => {
      asked.push(listingId);
      return closed;
    });
    await until(() => server.connections === 1);
    for (const listingId of ['1', '2']) {
      const { outcome, times } = await venue.buy({ ...order, listingId }, never);
      expect(outcome).toEqual({ kind: 'unsent', cause: 'other', message: 'halted' });
      expect(times).toEqual({ sentAt: undefined, answeredAt: undefined });
    }
    closed = undefined;
    expect((await venue.buy({ ...order, listingId: '3' }, never)).outcome.kind).toBe('bought');
    await pause(50);
    expect(asked).toEqual(['1', '2', '3']);
    expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([{ itemId: '3' }]);
    expect(server.posts).toBe(1);
    expect(gateway.lines).toEqual([]);
  });

  it('never leaves when what is asked fails itself', async () => {
    const { server, venue: make } = await scene(answering(200, good));
    const venue = make(() => {
      throw new Error('a defect of ours');
    });
    expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unsent' });
    await pause(50);
    expect(server.posts).toBe(0);
  });
});

describe('a late answer', () => {
  it('is handed on once, after the outcome was given as unknown [N8]', async () => {
    const manners = onAnswer((socket) => void setTimeout(() => socket.write(goodBytes), 2_500));
    const { server, venue } = await at(manners, within(1_000));
    const late: BuyOutcome[] = [];
    const { outcome } = await venue.buy(order, (each) => void late.push(each));
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    expect(late).toEqual([]);
    await until(() => late.length > 0);
    await pause(50);
    expect(late).toMatchObject([{ kind: 'bought', serviceOrderId: 'so-1' }]);
    expect(server.posts).toBe(1);
  });

  it('does not hold up the next buy, which takes another connection', async () => {
    const { server, venue } = await at({ answer: (socket, _, nth) => void (nth > 0 && socket.write(goodBytes)) }, within(2_000));
    expect((await venue.buy(order, never)).outcome.kind).toBe('unknown');
    expect((await venue.buy({ ...order, listingId: '2' }, never)).outcome.kind).toBe('bought');
    expect(server.requests.map(({ connection }) => connection)).toHaveLength(2);
    expect(server.requests[0]?.connection).not.toBe(server.requests[1]?.connection);
  });

  it('is no answer when the connection breaks', async () => {
    const { venue } = await at(
      onAnswer((socket) => void setTimeout(reset, 1_500, socket)),
      within(1_000),
    );
    expect((await venue.buy(order, never)).outcome.kind).toBe('unknown');
    await pause(700);
  });

  it('is waited for a minute, and then the socket is closed [N7]', async () => {
    const clock = new VirtualClock();
    const { server, venue } = await at({}, { clock });
    const bought = venue.buy(order, never);
    await until(() => server.requests.length === 1);
    await clock.advance(2_000);
    expect((await bought).outcome).toMatchObject({ kind: 'unknown', cause: 'timeout' });
    const socket = server.sockets[server.requests[0]?.connection ?? -1];
    await clock.advance(59_000);
    await pause(20);
    expect(socket?.destroyed).toBe(false);
    await clock.advance(1_000);
    await until(() => socket?.destroyed === true);
  });
});

it('closing breaks off what is under way, which becomes unknown [P14]', async () => {
  const { venue } = await at({});
  const buying = venue.buy(order, never);
  await pause(50);
  await venue.close();
  expect((await buying).outcome).toMatchObject({ kind: 'unknown', cause: 'connection' });
  expect((await venue.buy(order, never)).outcome).toMatchObject({ kind: 'unsent' });
});
