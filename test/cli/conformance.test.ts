import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { HostileServer, answering, type Manners } from '../gateway/hostile-server.ts';
import { magpie, place } from './harness.ts';

const KEY = 'live-key-of-an-account-0123456789';
const PARTNER = 'live-key-of-the-partner-987654321';

async function real(manners: Manners, perSecond: number): Promise<{ server: HostileServer; cwd: string }> {
  const server = await HostileServer.start(manners);
  onTestFinished(() => server.close());
  const config = `service: { baseUrl: "${server.url}" }
account: { apiKey: ${KEY}, partnerKey: ${PARTNER} }
rate: { reads: { perSecond: ${perSecond} } }
limits: { maxPrice: 150, spend: { day: 500 } }
mode: dry-run
`;
  return { server, cwd: place({ 'magpie.yaml': config }) };
}

const quoting = answering(200, { requestId: 'r', success: true, data: { type: 'user', quoted: KEY, items: [KEY, PARTNER] } });
const conformance = (cwd: string, ...options: readonly string[]) =>
  magpie(['conformance', '--config', 'magpie.yaml', ...options], { cwd, clock: new SystemClock() });

describe('magpie conformance', () => {
  it('agrees with the embedded exchange, and leaves its books as they are', async () => {
    const cwd = place({ 'magpie.yaml': 'service: { sandbox: { listings: 40 } }\nstrategies: ./strategies\n' });
    const { code, out } = await conformance(cwd);
    expect(out).toMatch(/^POST \/v2\/market\/buy {2,}\d+$/m);
    expect(out).toMatch(/\n\d+ agree, 0 differ, 0 unclear, 0 not tried\.\n$/);
    expect(code).toBe(0);
    const books = await magpie(['status', '--json', '--config', 'magpie.yaml'], { cwd });
    expect(JSON.parse(books.out)).toMatchObject({ balance: null });
  });

  it('sends nothing to a real service without --read-only', async () => {
    const { server, cwd } = await real(quoting, 1000);
    const { code, err } = await conformance(cwd);
    expect([code, err]).toEqual([
      2,
      'Nothing was sent: all of it buys, transfers and withdraws, and this is no sandbox. → `magpie conformance --read-only` asks only\n',
    ]);
    expect(server.requests).toEqual([]);
  });

  it('sends a real service reads alone, at the configured rate, and shows no key', async () => {
    const { server, cwd } = await real(quoting, 100);
    const { code, out, err } = await conformance(cwd, '--read-only', '--json');
    const told = JSON.parse(out) as { ok: boolean; differs: number; cases: { verdict: string; rules: string[] }[] };
    expect([code, told.ok]).toEqual([1, false]);
    expect(told.cases.filter(({ verdict }) => verdict === 'differs').length).toBe(told.differs);
    expect(told.differs).toBeGreaterThan(20);
    expect(out + err).not.toMatch(/live-key/);
    const posts = new Set(server.requests.filter(({ method }) => method === 'POST').map(({ path }) => path));
    expect([...posts]).toEqual(['/v1/user/wallet/deposit/onramp/quote']);
    const times = server.requests.map(({ at }) => at);
    const lasted = (times.at(-1) ?? 0) - (times[0] ?? 0);
    // The first may be read late by a process that is busy, which makes the time between it and the last shorter.
    expect(lasted).toBeGreaterThan((times.length - 1) * 10 - 200);
  });

  it('says why it cannot begin, and asks no more', async () => {
    const { server, cwd } = await real(answering(401, { success: false, code: 'API_KEY_INVALID', message: `no ${KEY}` }), 1000);
    const { code, err } = await conformance(cwd, '--read-only');
    expect([code, err]).toEqual([
      1,
      'The service could not be tried: GET /v1/user: refused: HTTP 401: API_KEY_INVALID: no ***\n',
    ]);
    expect(server.requests.length).toBe(1);
  });

  it('does not work beside a daemon', async () => {
    const { server, cwd } = await real(quoting, 1000);
    const lock = acquireFolderLock(join(cwd, 'data'));
    if (!lock.ok) throw new Error(lock.fault.message);
    onTestFinished(() => lock.lock.release());
    const { code, err } = await conformance(cwd, '--read-only');
    expect([code, err.split('.')[0]]).toEqual([3, 'A daemon works with this key, and the rates of both together would not hold']);
    expect(server.requests).toEqual([]);
  });

  it('stops asking once the service has asked for less again and again', async () => {
    const slow: Manners = {
      answer: (socket, { path }) => {
        const body = path === '/v1/user' ? '{"success":true,"requestId":"r","data":{}}' : '{"success":false}';
        const status = path === '/v1/user' ? '200 OK' : '429 Too Many\r\nretry-after: 0';
        socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      },
    };
    const { server, cwd } = await real(slow, 1000);
    const { code, out } = await conformance(cwd, '--read-only');
    expect(code).toBe(1);
    expect(out).toContain('not asked: the service has asked for fewer requests again and again (429)');
    expect(server.requests.length).toBeLessThan(8);
  });
});
