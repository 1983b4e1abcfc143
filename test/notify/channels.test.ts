import { createHmac } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { Channel, Sent } from '../../src/notify/channel.ts';
import { discordChannel } from '../../src/notify/discord.ts';
import { telegramChannel } from '../../src/notify/telegram.ts';
import { webhookChannel } from '../../src/notify/webhook.ts';
import { HostileServer, type Manners, answering, flood, httpAnswer, onAnswer } from '../gateway/hostile-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { letter } from './letters.ts';

const TOKEN = '0123456789abcdefSECRET';
const clock = new VirtualClock();

async function server(manners: Manners): Promise<HostileServer> {
  const started = await HostileServer.start(manners);
  onTestFinished(() => started.close());
  return started;
}

function discordAt({ url }: HostileServer, of = clock): Channel {
  return discordChannel(new Secret(`${url}/api/webhooks/1/${TOKEN}`), { clock: of });
}

function tell(channel: Channel, signal = new AbortController().signal): Promise<Sent> {
  return channel.send(letter(['**@everyone** https://evil.example']), signal);
}

describe('a letter', () => {
  it('reaches Discord with no mention allowed and no preview', async () => {
    const at = await server(answering(204, ''));
    expect(await tell(discordAt(at))).toEqual({ ok: true });
    const [request] = at.requests;
    expect(request?.path).toBe(`/api/webhooks/1/${TOKEN}`);
    const { content, ...rest } = JSON.parse(Buffer.from(request?.body ?? '', 'latin1').toString()) as { content: string };
    expect(rest).toEqual({ allowed_mentions: { parse: [] }, flags: 4 });
    expect(content.replaceAll('\u200b', '·')).toMatchInlineSnapshot(`
      "Magpie: refund
      • \\*\\*@·everyone\\*\\* https:·//evil.·example"
    `);
  });

  it('reaches Telegram as plain text without a preview', async () => {
    const at = await server(answering(200, { ok: true }));
    const channel = telegramChannel({ token: new Secret(`12:${TOKEN}`), chat: '-100', api: at.url }, { clock });
    expect(await tell(channel)).toEqual({ ok: true });
    expect(at.requests[0]?.path).toBe(`/bot12:${TOKEN}/sendMessage`);
    const body = JSON.parse(at.requests[0]?.body ?? '') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['chat_id', 'text', 'link_preview_options']);
    expect(body).toMatchObject({ chat_id: '-100', link_preview_options: { is_disabled: true } });
  });

  it('reaches a webhook as JSON, signed over its time and its very bytes', async () => {
    const at = await server(answering(200, 'thanks'));
    const channel = webhookChannel({ url: new Secret(`${at.url}/told?key=${TOKEN}`), secret: new Secret('shared') }, { clock });
    expect(await tell(channel)).toEqual({ ok: true });
    const [{ body, headers } = { body: '', headers: {} as Readonly<Record<string, string>> }] = at.requests;
    const timestamp = headers['magpie-timestamp'] ?? '';
    expect(Number(timestamp)).toBe(Math.floor(clock.wall() / 1_000));
    const signed = createHmac('sha256', 'shared').update(`${timestamp}.`).update(Buffer.from(body, 'latin1')).digest('hex');
    expect(headers['magpie-signature']).toBe(`sha256=${signed}`);
    expect(JSON.parse(body)).toMatchObject({ version: 1, total: 1, alerts: [{ message: '**@everyone** https://evil.example' }] });
  });
});

describe('a channel that does not take it says so as a value', () => {
  it.each([
    ['500', answering(500, 'no'), { kind: 'transient', message: 'status 500: no', retryAfterMs: undefined }],
    ['429 with a header', answering(429, '', { 'retry-after': '7' }), { kind: 'transient', retryAfterMs: 7_000 }],
    ['429 of Discord', answering(429, { message: 'limited', retry_after: 2.5 }), { kind: 'transient', retryAfterMs: 2_500 }],
    [
      '429 of Telegram',
      answering(429, { ok: false, parameters: { retry_after: 33 } }),
      { kind: 'transient', retryAfterMs: 33_000 },
    ],
    ['404', answering(404, { message: 'Unknown Webhook' }), { kind: 'refused', message: 'status 404: Unknown Webhook' }],
    [
      '400 of Telegram',
      answering(400, { ok: false, description: 'chat not found' }),
      { kind: 'refused', message: 'status 400: chat not found' },
    ],
    ['a 200 of Telegram that says no', answering(200, { ok: false, description: 'odd' }), { kind: 'refused' }],
    ['a closed connection', onAnswer((socket) => void socket.destroy()), { kind: 'transient' }],
    ['no HTTP', onAnswer((socket) => void socket.end('hello\r\n\r\n')), { kind: 'transient' }],
  ] as const)('%s', async (_, manners, expected) => {
    expect(await tell(discordAt(await server(manners)))).toMatchObject({ ok: false, ...expected });
  });

  it('a redirect, which is not followed', async () => {
    const elsewhere = await server(answering(200, ''));
    const at = await server(answering(307, '', { location: elsewhere.url }));
    expect(await tell(discordAt(at))).toMatchObject({ ok: false, kind: 'refused', message: 'status 307' });
    expect(elsewhere.connections).toBe(0);
  });

  it('one that nobody listens at', async () => {
    const at = await server({});
    const channel = discordAt(at);
    await at.close();
    expect(await tell(channel)).toMatchObject({ ok: false, kind: 'transient' });
  });

  it.each([
    ['never answers', {}],
    ['never ends its answer', onAnswer((socket) => void socket.write(httpAnswer(200, 'x', { 'content-length': '999' })))],
  ] as const)('one that %s, after fifteen seconds', async (_, manners) => {
    const own = new VirtualClock();
    const at = await server(manners);
    const sent = tell(discordAt(at, own));
    while (at.requests.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    await own.advance(15_000);
    expect(await sent).toMatchObject({ ok: false, kind: 'transient', message: 'no whole answer within 15 s' });
    expect(own.pending).toBe(0);
  });

  it('one whose answer has no end, of which little is read', async () => {
    const at = await server(
      onAnswer((socket) => {
        socket.write('HTTP/1.1 503 Busy\r\ntransfer-encoding: chunked\r\n\r\n');
        flood(socket, Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`), 10_000);
      }),
    );
    const sent = await tell(discordAt(at));
    expect(sent).toMatchObject({ ok: false, kind: 'transient' });
    expect(JSON.stringify(sent).length).toBeLessThan(500);
  });

  it('one that is ended from here', async () => {
    const at = await server({});
    const ending = new AbortController();
    const sent = tell(discordAt(at), ending.signal);
    while (at.requests.length === 0) await new Promise((resolve) => void setImmediate(resolve));
    ending.abort();
    expect(await sent).toMatchObject({ ok: false, kind: 'transient' });
  });

  it('without its address, its token or its secret, also where it quotes them', async () => {
    const quoting: Manners = {
      answer: (socket, { path, headers }) =>
        void socket.end(httpAnswer(403, JSON.stringify({ message: `no ${path} ${headers['host']}${path} ${TOKEN} \u001b[31m` }))),
    };
    const at = await server(quoting);
    const channels = [
      discordAt(at),
      telegramChannel({ token: new Secret(`12:${TOKEN}`), chat: '1', api: at.url }, { clock }),
      webhookChannel({ url: new Secret(`${at.url}/told?key=${TOKEN}`), secret: new Secret('shared-secret') }, { clock }),
    ];
    for (const channel of channels) {
      const text = JSON.stringify(await tell(channel));
      expect(text).toContain('***');
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain('\u001b');
    }
  });
});
