import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SyncFloor } from './floors/sync.ts';
import { sendAtOnce, sendAtRate } from './wire/sending.ts';
import { BenchServer } from './wire/server.ts';

async function connected(server: BenchServer): Promise<Socket> {
  const socket = new Socket();
  socket.connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function started(): Promise<BenchServer> {
  const server = await BenchServer.start();
  onTestFinished(() => server.close());
  return server;
}

const question = 'GET /v2/partner/live/listings HTTP/1.1\r\nhost: x\r\n\r\n';
const body = Buffer.from('{"data":{}}');

describe('the server of the bench', () => {
  it('holds the question for listings back until it is told what to answer', async () => {
    const server = await started();
    const socket = await connected(server);
    socket.write(question);
    await server.asked();
    await expect(server.answer({ body, endOf: 5 }, sendAtOnce)).resolves.toBeDefined();
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toMatch(/content-length: 11\r\n\r\n\{"data":\{\}\}$/);
    await expect(server.answer({ body, endOf: 5 }, sendAtOnce)).rejects.toThrow('nobody has asked');
  });

  it('stamps the POST for a listing, and no other, when its headers are there and not its body', async () => {
    const server = await started();
    const [socket, other] = [await connected(server), await connected(server)];
    const posted = server.posted('1');
    other.write('POST /v2/market/buy HTTP/1.1\r\ncontent-length: 26\r\n\r\n{"itemId":"2","price":1.5}');
    await once(other, 'data');
    socket.write('POST /v2/market/buy HTTP/1.1\r\ncontent-length: 26\r\n\r\n');
    await sleep(30);
    const bodyAt = performance.now();
    socket.write('{"itemId":"1","price":1.5}');
    expect(await posted).toBeLessThan(bodyAt);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toContain('"serviceOrderId"');
  });

  it('answers what else a bot asks, with a balance that falls by what was bought', async () => {
    const server = await started();
    const { url } = server;
    const ask = async (path: string, init?: RequestInit): Promise<{ data: Record<string, never> }> =>
      (await (await fetch(`${url}${path}`, init)).json()) as { data: Record<string, never> };
    await ask('/v2/market/buy', { method: 'POST', body: '{"itemId":"7","price":10}' });
    expect(await ask('/v1/user')).toMatchObject({ data: { profile: { balance: 1_000_000 - 10.5 } } });
    expect(await ask('/v1/user/orders')).toMatchObject({ data: { total: 1, orders: [{ itemId: '7', amount: 10.5 }] } });
    expect(await ask('/v1/partner/market-health')).toMatchObject({ data: { status: 'ok' } });
    expect(await ask('/elsewhere')).toMatchObject({ success: false });
  });
});

it('a line of so many bits a second takes as long as it should, and the listing is sent when its last byte is', async () => {
  const server = await started();
  const socket = await connected(server);
  socket.resume();
  socket.write(question);
  await server.asked();
  const large = { body: Buffer.alloc(250_000, 32), endOf: 125_000 };
  const began = performance.now();
  const { lastAt, listingAt } = await server.answer(large, (to, written) => sendAtRate(to, written, 20_000_000));
  // A busy machine makes it longer, nothing makes it shorter.
  expect(lastAt - began).toBeGreaterThan(90);
  expect(listingAt).toBeLessThanOrEqual(lastAt);
  expect(listingAt - began).toBeGreaterThan(45);
  await sleep(1);
});

it('the floor of a sync writes and syncs each time it is asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const floor = new SyncFloor(folder);
  expect([floor.syncMs(), floor.syncMs()].every((ms) => ms > 0)).toBe(true);
  floor.close();
});
