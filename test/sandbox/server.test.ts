import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { exchangeFaultNames } from '../../src/domain/exchange-fault.ts';
import { startSandbox, type RunningSandbox, type StartOptions } from '../../src/sandbox/start.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { calm, type Json, type Wire } from './harness.ts';

let running: RunningSandbox | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(options: Partial<StartOptions> = {}): Promise<RunningSandbox> {
  running = await startSandbox({
    seed: 7,
    listings: 300,
    clock: new VirtualClock(),
    ...options,
    faults: { ...calm, ...options.faults },
  });
  return running;
}

function get(sandbox: RunningSandbox, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(sandbox.baseUrl + path, { headers: { 'x-api-key': sandbox.childKey, ...headers } });
}

async function buyOne(sandbox: RunningSandbox): Promise<Response> {
  const feed = (await (await get(sandbox, '/v2/partner/live/listings')).json()) as { data: { listings: Wire[] } };
  const [listing] = feed.data.listings.sort((a, b) => a.priceWithFee - b.priceWithFee);
  const body = JSON.stringify({
    itemId: listing?.id,
    price: listing?.price,
    market: listing?.market,
    tradeUrl: sandbox.tradeUrl,
  });
  return fetch(`${sandbox.baseUrl}/v2/market/buy`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.childKey, 'content-type': 'application/json' },
    body,
  });
}

/** The bytes of one answer as they come over the wire. */
function raw(sandbox: RunningSandbox, request: string): Promise<string> {
  const { hostname, port } = new URL(sandbox.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('latin1').on('data', (part: string) => void (text += part));
    socket.on('close', () => resolve(text)).on('error', reject);
  });
}

describe('the server', () => {
  it('describes itself to whoever asks, and serves every endpoint that it describes', async () => {
    const sandbox = await start();
    const document = (await (await fetch(`${sandbox.baseUrl}/openapi.json`)).json()) as {
      openapi: string;
      paths: Record<string, Json>;
    };
    expect(document.openapi).toBe('3.1.0');
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        const answer = await fetch(sandbox.baseUrl + path.replace(/\{\w+\}/, 'x'), { method: method.toUpperCase() });
        expect([path, answer.status, ((await answer.json()) as Json)['code']]).toEqual([path, 401, 'API_KEY_MISSING']);
      }
    }
  });

  it('answers on a port of its own, with keys and a trade URL that work', async () => {
    const sandbox = await start();
    expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const bought = await buyOne(sandbox);
    expect(bought.status).toBe(200);
    expect(await bought.json()).toMatchObject({ success: true, data: { order: { status: 'SUCCESS' } } });
    const health = await get(sandbox, '/v1/partner/market-health', { 'x-api-key': sandbox.topLevelKey });
    expect(await health.json()).toMatchObject({ success: true, data: { status: 'ok', service: { c5: true, ecosteam: true } } });
  });

  it('gives failures in an envelope, whatever was asked', async () => {
    const sandbox = await start();
    for (const [path, headers, status] of [
      ['/v1/user', { 'x-api-key': 'nobody' }, 401],
      ['/v1/partner/market-health', {}, 403],
      ['/v1/nothing?x=1', {}, 404],
      ['/v2/market/listings?item=zz', {}, 400],
      ['/v2/market/listings?item=0123456789abcdef&item=0123456789abcdef', {}, 400],
    ] as const) {
      const answer = await get(sandbox, path, headers);
      expect([path, answer.status]).toEqual([path, status]);
      expect(await answer.json()).toMatchObject({
        success: false,
        requestId: expect.any(String),
        code: expect.any(String),
        message: expect.any(String),
      });
    }
  });

  it.each(['gzip', 'br', 'identity'])('sends large answers in %s when that is asked for', async (encoding) => {
    const sandbox = await start();
    const plain = await (await get(sandbox, '/v2/partner/live/listings', { 'accept-encoding': 'identity' })).json();
    const answer = await get(sandbox, '/v2/partner/live/listings', { 'accept-encoding': encoding });
    expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
    expect({ ...((await answer.json()) as Json), requestId: '' }).toEqual({ ...(plain as Json), requestId: '' });
  });

  it('breaks the connection where an answer is lost, and keeps what was accepted', async () => {
    const sandbox = await start({ faults: { buyLostAfter: 1 } });
    await expect(buyOne(sandbox)).rejects.toThrow();
    expect(sandbox.books().orders).toHaveLength(1);
    const other = { ...calm, buyLostBefore: 1 };
    sandbox.setFaults(other);
    await expect(buyOne(sandbox)).rejects.toThrow();
    expect(sandbox.books().orders).toHaveLength(1);
  });

  it('cuts an answer cleanly or tears it, as the fault draws', async () => {
    const seen = new Set<string>();
    const sandbox = await start({ faults: { readCut: 1 } });
    for (let look = 0; look < 30 && seen.size < 2; look++) {
      const text = await raw(
        sandbox,
        `GET /v1/user HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${sandbox.childKey}\r\n\r\n`,
      );
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      seen.add(length === body.length ? 'clean' : 'torn');
      expect(() => JSON.parse(body) as unknown).toThrow();
    }
    expect(seen).toEqual(new Set(['clean', 'torn']));
  });

  it('holds a late answer back by its own clock, and lets go of it when it closes', async () => {
    const clock = new VirtualClock();
    const sandbox = await start({ clock, faults: { readLate: 1 }, faultTimes: { late: [5000, 5000] } });
    let answered = false;
    const asked = get(sandbox, '/v1/user').then((answer) => {
      answered = true;
      return answer.status;
    });
    const before = clock.pending;
    while (clock.pending === before) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(4900);
    expect(answered).toBe(false);
    await clock.advance(200);
    expect(await asked).toBe(200);
  });

  it('moves by its clock when nobody asks', async () => {
    const clock = new VirtualClock();
    const sandbox = await start({ clock });
    await buyOne(sandbox);
    await clock.advance(60_000);
    expect(sandbox.books().orders.map(({ code }) => code)).toEqual(['COMPLETED']);
  });

  it('shows the truth and takes other fault rates, but only for its own control key', async () => {
    const sandbox = await start();
    await buyOne(sandbox);
    const control = { 'x-sandbox-control': sandbox.controlKey };
    expect((await get(sandbox, '/sandbox/books')).status).toBe(403);
    const books = await (await get(sandbox, '/sandbox/books', control)).json();
    expect(books).toEqual(JSON.parse(JSON.stringify(sandbox.books())));
    const set = (body: unknown): Promise<Response> =>
      fetch(`${sandbox.baseUrl}/sandbox/faults`, { method: 'POST', headers: control, body: JSON.stringify(body) });
    expect((await set({ readEror: 1 })).status).toBe(400);
    expect((await set({ readError: 2 })).status).toBe(400);
    expect(await (await set({ ...calm, readError: 1 })).json()).toMatchObject({ readError: 1 });
    expect((await get(sandbox, '/v1/user')).status).toBe(500);
    const rates = (await (await get(sandbox, '/sandbox/faults', control)).json()) as Json;
    expect(Object.keys(rates)).toEqual([...exchangeFaultNames]);
  });

  it('refuses options that cannot be', async () => {
    const clock: Clock = new VirtualClock();
    await expect(startSandbox({ seed: 1, clock, listings: 0 })).rejects.toThrow(
      'listings: a whole number from 1 to 50000 is needed, found 0',
    );
    await expect(startSandbox({ seed: 1.5, clock })).rejects.toThrow('seed: a whole number is needed, found 1.5');
    await expect(startSandbox({ seed: 1, clock, speed: 0 })).rejects.toThrow('speed: a number above 0 is needed, found 0');
    await expect(startSandbox({ seed: 1, clock, faults: { readLate: 7 } })).rejects.toThrow(
      'fault readLate: the rate 7 is not between 0 and 1',
    );
  });

  it('does not keep the port of another', async () => {
    const sandbox = await start();
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ seed: 1, clock: new VirtualClock(), port })).rejects.toThrow('EADDRINUSE');
  });
});
