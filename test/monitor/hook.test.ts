import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { type HookEvent, type HookOptions, type HookRefusal, listenForHooks } from '../../src/monitor/hook.ts';

const PATH = '/hooks/3f9c2a7e5b8d41c6';
const SHARED = 'shared-with-the-service';

interface Listening {
  readonly address: string;
  readonly told: HookEvent[];
  readonly refused: HookRefusal[];
}

async function listening(options: Partial<HookOptions> = {}): Promise<Listening> {
  const told: HookEvent[] = [];
  const refused: HookRefusal[] = [];
  const server = await listenForHooks({
    host: '127.0.0.1',
    port: 0,
    path: new Secret(PATH),
    secret: new Secret(SHARED),
    header: 'x-webhook-signature',
    isOurName: (name) => name === '127.0.0.1',
    clock: new SystemClock(),
    told: (event) => void told.push(event),
    refused: (why) => void refused.push(why),
    ...options,
  });
  onTestFinished(() => server.close());
  return { address: server.address, told, refused };
}

const signed = (body: string, secret = SHARED): Record<string, string> => ({
  'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
const post = (url: string, body: string, headers: Record<string, string> = signed(body)) =>
  fetch(url, { method: 'POST', body, headers }).then(({ status }) => status);

const event = '{"id":"e-1","type":"order.updated","data":{"order":{"id":"o"}}}';

describe('a webhook of the service', () => {
  it('is told with its id, its type and its body as it came', async () => {
    const { address, told } = await listening();
    expect(await post(address + PATH, event)).toBe(204);
    const other = '{"event":"order.refunded"}';
    expect(await post(address + PATH, other, { ...signed(other), 'x-webhook-id': 'by-header' })).toBe(204);
    const bare = createHmac('sha256', SHARED).update('{}').digest('hex').toUpperCase();
    expect(await post(address + PATH, '{}', { 'x-webhook-signature': bare })).toBe(204);
    expect(told).toEqual([
      { id: 'e-1', type: 'order.updated', body: event },
      { id: 'by-header', type: 'order.refunded', body: other },
      { id: undefined, type: undefined, body: '{}' },
    ]);
  });

  it.each([
    ['none', {}],
    ['of another secret', signed(event, 'guessed')],
    ['of another body', signed(`${event} `)],
    ['that is empty', { 'x-webhook-signature': '' }],
    ['that is the secret itself', { 'x-webhook-signature': SHARED }],
  ])('with a signature %s is turned away [S12]', async (_, headers) => {
    const { address, told, refused } = await listening();
    expect(await post(address + PATH, event, headers)).toBe(401);
    expect([told, refused]).toEqual([[], ['signature']]);
  });

  it('needs none where no secret is shared', async () => {
    const { address, told } = await listening({ secret: undefined });
    expect(await post(address + PATH, event, {})).toBe(204);
    expect(told.length).toBe(1);
  });

  it('is heard at its own path alone, by POST, of this machine [S15]', async () => {
    const { address, told } = await listening();
    for (const path of ['/', '/hooks', `${PATH}/`, PATH.toUpperCase(), `/${PATH}`])
      expect(await post(address + path, event)).toBe(404);
    expect((await fetch(address + PATH)).status).toBe(405);
    const named = await new Promise((resolve) => {
      const sent = httpRequest(
        address + PATH,
        { method: 'POST', headers: { host: 'evil.example', ...signed(event) } },
        (answer) => resolve(answer.resume().statusCode),
      );
      sent.end(event);
    });
    expect([named, told]).toEqual([421, []]);
  });

  it('that is too long is not read, whether it says so or not [S14]', async () => {
    const { address, told, refused } = await listening();
    const long = `{"type":"${'x'.repeat(70_000)}"}`;
    expect(await post(address + PATH, long).catch(() => 413)).toBe(413);
    const chunked = await new Promise((resolve) => {
      const sent = httpRequest(address + PATH, { method: 'POST', headers: { host: '127.0.0.1' } }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      sent.on('error', () => resolve(413));
      for (let piece = 0; piece < 20; piece++) sent.write('x'.repeat(8_000));
      sent.end();
    });
    expect([chunked, told, refused]).toEqual([413, [], ['size', 'size']]);
  });

  it.each(['', 'null', '[]', '"text"', '{"a":', '17'])('that is no JSON object is none: %j', async (body) => {
    const { address, told, refused } = await listening();
    expect(await post(address + PATH, body)).toBe(400);
    expect([told, refused]).toEqual([[], ['form']]);
  });

  it('in a flood is turned away beyond thirty at once, and two a second from then on [S14]', async () => {
    let now = 0;
    const { address, told } = await listening({ clock: { mono: () => now } });
    const many = async (count: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let at = 0; at < count; at++) statuses.push(await post(address + PATH, event));
      return statuses;
    };
    expect((await many(40)).filter((status) => status === 429).length).toBe(10);
    now += 5_000;
    expect((await many(12)).filter((status) => status === 204).length).toBe(10);
    expect(told.length).toBe(40);
  });
});
