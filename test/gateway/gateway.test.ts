import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { Permit } from '../../src/engine/ports.ts';
import { acceptance, order } from './answers.ts';
import { CANARY_KEY, CANARY_PARTNER, CANARY_TOKEN, never, pause, realClock, scenes, tradeUrl } from './harness.ts';
import { answering, httpAnswer } from './hostile-server.ts';

const going = new AbortController().signal;
const start = scenes();

/** Whether it settles within a moment. */
async function settles(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), pause(100).then(() => false)]);
}

describe('slowing down', () => {
  const crowded = answering(429, { success: false, message: 'Too many requests' }, { 'retry-after': '60' });

  it('holds reads and buys of the key after one 429 to a read, and is told outward [N16]', async () => {
    const { server, gateway } = await start(crowded);
    expect(await gateway.service.read('user')).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'rate', sent: true, retryAfterMs: 60_000 },
    });
    const again = await gateway.service.read('liveListings');
    expect(again).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'rate', sent: false } });
    expect(again.ok || again.fault.message).toMatchInlineSnapshot(
      `"not asked: the service wants us to slow down for another 60 s"`,
    );
    expect(await settles(gateway.permits.take(going))).toBe(false);
    expect(server.requests).toHaveLength(1);
    expect(gateway.slowed).toMatchObject([{ key: 'account', cause: 'rate', message: 'Too many requests' }]);
    expect(gateway.slowed[0]?.until).toBeGreaterThan(realClock.now() + 50_000);
    expect(gateway.lines).toHaveLength(1);
  });

  it('holds reads after one 429 to a buy', async () => {
    const { server, gateway, venue } = await start(crowded);
    expect((await venue().buy(order, never)).outcome).toMatchObject({ kind: 'refused', cause: 'rate', retryAfterMs: 60_000 });
    expect(await gateway.service.read('user')).toMatchObject({ ok: false, fault: { cause: 'rate', sent: false } });
    expect(server.requests).toHaveLength(1);
  });

  it('heeds Retry-After of a 429 whose body is no JSON', async () => {
    const { gateway, venue } = await start(answering(429, 'slow', { 'retry-after': '30', 'content-type': 'text/plain' }));
    expect((await venue().buy(order, never)).outcome).toMatchObject({ kind: 'unknown', cause: 'rate' });
    expect(gateway.slowed[0]?.until).toBeGreaterThan(realClock.now() + 25_000);
  });

  it('pauses for minutes at a 403 that is no answer to the request [transport-2]', async () => {
    const { gateway } = await start(answering(403, '<html>Attention required</html>', { 'content-type': 'text/html' }));
    expect(await gateway.service.read('user')).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'ban' } });
    expect(gateway.slowed).toMatchObject([{ cause: 'ban' }]);
    expect(gateway.slowed[0]?.until).toBeGreaterThan(realClock.now() + 295_000);
  });

  it('does not come of a 403 in JSON about this request', async () => {
    const { gateway } = await start(answering(403, { success: false, message: 'You may not see this' }));
    await gateway.service.read('user');
    expect(gateway.slowed).toEqual([]);
  });

  it('does not come of a 403 in whatever form where not every key may ask', async () => {
    const { server, gateway } = await start(answering(403, 'Forbidden', { 'content-type': 'text/plain' }));
    expect(await gateway.service.read('marketHealth')).toMatchObject({
      ok: false,
      fault: { class: 'refused', cause: 'key', status: 403 },
    });
    expect(gateway.slowed).toEqual([]);
    server.behave(answering(403, { success: false, message: 'Your IP is banned' }));
    expect(await gateway.service.read('marketHealth')).toMatchObject({ ok: false, fault: { class: 'transient', cause: 'ban' } });
    expect(gateway.slowed).toMatchObject([{ cause: 'ban' }]);
  });

  it('of the top-level key does not hold the account', async () => {
    const { server, gateway } = await start(crowded, { partnerKey: new Secret(CANARY_PARTNER) });
    await gateway.service.read('marketHealth');
    server.behave(answering(200, { success: true, data: { listings: [] } }));
    expect(await gateway.service.read('liveListings')).toMatchObject({ ok: true });
    expect(await gateway.service.read('marketHealth')).toMatchObject({ ok: false, fault: { cause: 'rate', sent: false } });
    expect(gateway.slowed).toMatchObject([{ key: 'partner' }]);
  });

  it('goes on after a restart', async () => {
    const { server, gateway } = await start(crowded, { slowUntil: realClock.now() + 400 });
    expect(await gateway.service.read('user')).toMatchObject({ ok: false, fault: { sent: false } });
    const taken = gateway.permits.take(going);
    expect(await settles(taken)).toBe(false);
    await pause(350);
    expect(await settles(taken)).toBe(true);
    expect(server.requests).toEqual([]);
  });

  it('reaches a read that was already waiting for its turn', async () => {
    const { server, gateway } = await start(crowded, {
      rates: { reads: { perSecond: 20, concurrent: 1 }, buys: { perSecond: 1, concurrent: 1 }, timeoutMs: 2_000 },
    });
    const replies = await Promise.all([
      gateway.service.read('user'),
      gateway.service.read('fees'),
      gateway.service.read('orders'),
    ]);
    expect(replies.map((reply) => !reply.ok && reply.fault.sent)).toEqual([true, false, false]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('permits', () => {
  it('are held beforehand, one that has not begun at a time, and never two closer than the rate', async () => {
    const { gateway } = await start(
      {},
      { rates: { reads: { perSecond: 1, concurrent: 1 }, buys: { perSecond: 20, concurrent: 2 }, timeoutMs: 2_000 } },
    );
    const first = await gateway.permits.take(going);
    const second = gateway.permits.take(going);
    expect(await settles(second)).toBe(false);
    const began = performance.now();
    first.begin();
    const held: Permit = await second;
    expect(performance.now() - began).toBeGreaterThanOrEqual(50);
    held.begin();
    const third = gateway.permits.take(going);
    expect(await settles(third)).toBe(false);
    first.done();
    first.done();
    await third;
  });

  it('are given up with the reason of the signal', async () => {
    const { gateway } = await start({}, { slowUntil: realClock.now() + 60_000 });
    const stopping = new AbortController();
    const taking = gateway.permits.take(stopping.signal);
    stopping.abort(new Error('stopping'));
    await expect(taking).rejects.toThrow('stopping');
  });

  it('leave the wire no faster than the rate, although a connection comes late [P39]', async () => {
    const good = httpAnswer(200, JSON.stringify(acceptance()));
    const { server, gateway, venue } = await start(
      { answer: (socket) => void setTimeout(() => socket.write(good), 60) },
      { rates: { reads: { perSecond: 1, concurrent: 1 }, buys: { perSecond: 25, concurrent: 4 }, timeoutMs: 2_000 } },
    );
    const live = venue();
    const sent: number[] = [];
    const buys = Array.from({ length: 8 }, async (_, n) => {
      const permit = await gateway.permits.take(going);
      permit.begin();
      const { outcome, times } = await live.buy({ ...order, listingId: String(n) }, never);
      expect(outcome.kind).toBe('bought');
      sent.push(times.sentAt ?? 0);
      permit.done();
    });
    await Promise.all(buys);
    expect(server.posts).toBe(8);
    sent.sort((a, b) => a - b);
    for (let n = 1; n < sent.length; n++) expect((sent[n] ?? 0) - (sent[n - 1] ?? 0)).toBeGreaterThanOrEqual(39.99);
  });
});

describe('secrets', () => {
  const secrets = [CANARY_KEY, CANARY_PARTNER, CANARY_TOKEN];
  const echo = {
    success: false,
    code: CANARY_KEY,
    message: `key ${CANARY_KEY} ${CANARY_PARTNER} ${tradeUrl.reveal()} is wrong`,
    requestId: CANARY_KEY,
  };

  it('appear in no fault, outcome, log line or notice, even when the service echoes them [S1 S3]', async () => {
    const seen: unknown[] = [];
    for (const status of [200, 400, 403, 404, 429, 500]) {
      const { server, gateway, venue } = await start(answering(status, echo), { partnerKey: new Secret(CANARY_PARTNER) });
      seen.push((await venue().buy(order, never)).outcome);
      seen.push(await gateway.service.read('user'), await gateway.service.read('marketHealth'));
      seen.push(
        gateway.slowed,
        gateway.lines,
        inspect(gateway, { depth: 9, showHidden: true }),
        JSON.stringify(gateway.line.key),
      );
      expect(server.requests.length).toBeGreaterThan(0);
    }
    const text = `${JSON.stringify(seen)}${inspect(seen, { depth: 9 })}`;
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('are not left half where a long message is cut [S3]', async () => {
    const message = `${'x'.repeat(190)}${CANARY_KEY}`;
    const { gateway, venue } = await start(answering(400, { success: false, message }));
    const seen = JSON.stringify([(await venue().buy(order, never)).outcome, await gateway.service.read('user')]);
    expect(seen).not.toContain(CANARY_KEY.slice(0, 5));
  });

  it('that no header can carry are not printed either', async () => {
    const { gateway, venue } = await start({}, { apiKey: new Secret('bad\nkey-canary-77') });
    const seen = [await gateway.service.read('user'), await venue().buy(order, never)];
    expect(seen).toMatchObject([{ ok: false, fault: { sent: false } }, { outcome: { kind: 'unsent' } }]);
    expect(JSON.stringify(seen)).not.toContain('key-canary-77');
  });
});

it('closing lets nothing through any more', async () => {
  const { server, gateway } = await start({});
  const reading = gateway.service.read('user');
  while (server.requests.length === 0) await pause(10);
  await gateway.close();
  expect(await reading).toMatchObject({ ok: false, fault: { class: 'transient' } });
  expect(await gateway.service.read('user')).toMatchObject({
    ok: false,
    fault: { class: 'transient', cause: 'other', sent: false },
  });
  await expect(gateway.permits.take(going)).rejects.toThrow('closed');
  expect(server.requests).toHaveLength(1);
});
