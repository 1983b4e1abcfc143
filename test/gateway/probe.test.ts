import { describe, expect, it, onTestFinished } from 'vitest';
import { endpoints, type Endpoint } from '../../src/api/endpoints.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createProbe, type Probe } from '../../src/gateway/probe.ts';
import { HostileServer, answering, type Manners } from './hostile-server.ts';

const key = new Secret('live-key-of-an-account-0123456789');

async function probing(manners: Manners, readOnly = true, timeoutMs = 30_000): Promise<{ server: HostileServer; probe: Probe }> {
  const server = await HostileServer.start(manners);
  const probe = createProbe({ baseUrl: server.url, secrets: [key], readOnly, timeoutMs, clock: new SystemClock() });
  onTestFinished(async () => {
    await probe.close();
    await server.close();
  });
  return { server, probe };
}

describe('a request that breaks rules on purpose', () => {
  it('is never one that changes something, where only reads are allowed', async () => {
    const { server, probe } = await probing(answering(200, { success: true }));
    const moving = (Object.values(endpoints) as Endpoint[]).filter(({ moves }) => moves !== undefined);
    expect(moving.length).toBe(8);
    for (const row of moving)
      await expect(probe.send(row, { key, path: { depositId: 'd' }, body: {} })).rejects.toThrow('changes something');
    expect(server.requests).toEqual([]);
  });

  it('is sent as it is, wrong fields and all, and once', async () => {
    const { server, probe } = await probing(answering(400, { success: false, code: 'NO' }), false);
    const answer = await probe.send(endpoints.cryptoDeposit, { key, body: { amount: -1, odd: true } });
    expect(answer).toMatchObject({ kind: 'answered', status: 400, json: { code: 'NO' } });
    await probe.send(endpoints.search, { key: undefined, query: { start: 0 } });
    expect(server.requests.map(({ path, body, headers }) => [path, body, headers['x-api-key'] === key.reveal()])).toEqual([
      ['/v1/user/wallet/deposit/crypto', '{"amount":-1,"odd":true}', true],
      ['/v2/market/search?start=0', '', false],
    ]);
  });

  it('tells what came, without our key', async () => {
    const { server, probe } = await probing(answering(200, { success: true, data: { quoted: `it is ${key.reveal()}` } }));
    const answer = await probe.send(endpoints.user, { key });
    expect(answer).toMatchObject({ json: { data: { quoted: 'it is ***' } } });
    server.behave({
      answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi'),
    });
    expect(await probe.send(endpoints.user, { key })).toMatchObject({
      json: undefined,
      why: expect.stringContaining('text/html'),
    });
  });

  it('tells that nothing came', async () => {
    const { probe } = await probing({}, true, 200);
    expect(await probe.send(endpoints.user, { key })).toEqual({ kind: 'none', why: 'no whole answer within 200 ms' });
  });
});
