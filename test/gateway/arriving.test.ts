import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../src/engine/ports.ts';
import { slicesReader } from '../../src/feed/slices/reader.ts';
import { entries, entry } from '../support/feed-entries.ts';
import { CANARY_KEY, type Scene, scenes, until, within } from './harness.ts';
import { httpAnswer, onAnswer } from './hostile-server.ts';

const scene = scenes();

const market = entries(4);
const good = JSON.stringify({ requestId: 'r-1', success: true, data: { listings: market, listingsCount: 4 } });

/** Ids of the listings that were shown early, each time that some were. */
class Early {
  readonly shown: string[][] = [];
  readonly replies: unknown[] = [];
  readonly reply: ReturnType<Service['read']>;

  constructor({ gateway }: Scene) {
    this.reply = gateway.service.read('liveListings', {
      early: (reply) => {
        this.shown.push(reply.data.listings.map((one) => (one as { id: string }).id));
        this.replies.push(structuredClone(reply));
      },
    });
  }
}

/** An answer that is written as the test wants it. */
class Slow {
  readonly scene: Promise<Scene>;
  #socket: Socket | undefined;
  readonly #bytes: Buffer;
  #written = 0;

  constructor(body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200) {
    this.#bytes = httpAnswer(status, body, headers);
    this.scene = scene(
      onAnswer((socket) => {
        this.#socket = socket;
        this.#written = 0;
      }),
      { listingsReader: slicesReader, ...within(2_000) },
    );
  }

  /** Writes up to and with the next place where the text stands. */
  async to(text: string): Promise<void> {
    await until(() => this.#socket !== undefined);
    const end = this.#bytes.indexOf(text, this.#written) + text.length;
    this.#socket?.write(this.#bytes.subarray(this.#written, end));
    this.#written = end;
  }

  async half(): Promise<void> {
    await until(() => this.#socket !== undefined);
    this.#written = Math.floor(this.#bytes.length / 2);
    this.#socket?.write(this.#bytes.subarray(0, this.#written));
  }

  rest(): void {
    this.#socket?.write(this.#bytes.subarray(this.#written));
    this.#socket = undefined;
  }

  breakOff(): void {
    this.#socket?.resetAndDestroy();
    this.#socket = undefined;
  }
}

/** What is shown early of an answer whose listings come one by one. */
async function shownOf(slow: Slow, early = slow.scene.then((made) => new Early(made))): Promise<string[][]> {
  const asked = await early;
  for (const { id } of market as { id: string }[]) {
    await slow.to(`"id":"${id}"`);
    await slow.to('"charm":null}');
  }
  slow.rest();
  await asked.reply;
  return asked.shown;
}

describe('live listings on their way', () => {
  it('are shown as they come, before the answer has ended, and are the same in the end', async () => {
    const slow = new Slow(good);
    const early = new Early(await slow.scene);
    await slow.to('"id":"3"');
    await until(() => early.shown.length > 0 && early.shown.at(-1)?.length === 2);
    slow.rest();
    const reply = await early.reply;
    expect(reply).toMatchObject({ ok: true, requestId: 'r-1', data: { listings: market, listingsCount: 4 } });
    expect(early.shown[0]).toEqual(['1', '2']);
    expect(early.replies[0]).toMatchObject({ ok: true, status: 200, requestId: 'r-1', data: { listings: market.slice(0, 2) } });
  });

  it('are shown with our secrets masked', async () => {
    const quoting = entry({ id: '1', marketHashName: `AK-47 | ${CANARY_KEY}` });
    const slow = new Slow(
      JSON.stringify({ requestId: CANARY_KEY, success: true, data: { x: CANARY_KEY, listings: [quoting, 2] } }),
    );
    const early = new Early(await slow.scene);
    await slow.to('"charm":null}');
    await until(() => early.shown.length > 0);
    expect(JSON.stringify(early.replies)).not.toContain(CANARY_KEY);
    slow.rest();
    await early.reply;
  });

  it('may be shown of an answer that breaks off', async () => {
    const slow = new Slow(good);
    const early = new Early(await slow.scene);
    await slow.to('"id":"2"');
    await until(() => early.shown.length > 0);
    slow.breakOff();
    expect(await early.reply).toMatchObject({ ok: false, fault: { cause: 'connection' } });
    expect(early.shown).toEqual([['1']]);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('are shown of an answer that comes compressed, %s', async (encoding, compress) => {
    const many = entries(300).map((one, at) => ({ ...one, iconUrl: createHash('sha256').update(String(at)).digest('hex') }));
    const body = JSON.stringify({ requestId: 'r-1', success: true, data: { listings: many, listingsCount: 300 } });
    const slow = new Slow(compress(body), { 'content-encoding': encoding });
    const early = new Early(await slow.scene);
    await slow.half();
    await until(() => early.shown.length > 0);
    expect(early.shown.at(-1)?.length).toBeLessThan(300);
    slow.rest();
    expect(await early.reply).toMatchObject({ ok: true, bytes: body.length, data: { listings: many } });
  });

  it('may be shown of a compressed answer that does not inflate in the end', async () => {
    const many = entries(300).map((one, at) => ({ ...one, iconUrl: createHash('sha256').update(String(at)).digest('hex') }));
    const bytes = gzipSync(JSON.stringify({ requestId: 'r-1', success: true, data: { listings: many } }));
    const slow = new Slow(bytes.subarray(0, bytes.length / 2), { 'content-encoding': 'gzip' });
    const early = new Early(await slow.scene);
    await slow.half();
    await until(() => early.shown.length > 0);
    slow.rest();
    expect(await early.reply).toMatchObject({ ok: false, fault: { cause: 'unreadable' } });
  });

  const said = (fields: Record<string, unknown>): string =>
    JSON.stringify({ requestId: 'r-1', success: true, ...fields, data: { listings: market } });
  it.each<[string, string | Buffer, Record<string, string>?, number?]>([
    ['says success: false', said({ success: false })],
    ['says success with another word', said({ success: 'true' })],
    ['says success only after its list', JSON.stringify({ requestId: 'r-1', data: { listings: market }, success: true })],
    ['has no requestId', said({ requestId: undefined })],
    ['has its requestId after its list', JSON.stringify({ success: true, data: { listings: market }, requestId: 'r-1' })],
    [
      'counts its listings with no number',
      JSON.stringify({ requestId: 'r', success: true, data: { listingsCount: {}, listings: market } }),
    ],
    ['is no JSON by its type', good, { 'content-type': 'text/html' }],
    ['has another charset', good, { 'content-type': 'application/json; charset=utf-16' }],
    ['has a status other than 200', good, {}, 206],
    ['is a failure', good, {}, 503],
    ['lay in a cache for an hour', good, { age: '3600' }],
    ['is no UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`",${good.slice(1)}`)])],
  ])('are not shown early of an answer that %s', async (_, body, headers, status) => {
    expect(await shownOf(new Slow(body, headers, status))).toEqual([]);
  });

  it('are not shown early of an answer that was seen before [N34]', async () => {
    const slow = new Slow(good);
    expect((await shownOf(slow)).length).toBeGreaterThan(0);
    expect(await shownOf(slow)).toEqual([]);
  });

  it('are shown early again of an answer that broke off the first time', async () => {
    const slow = new Slow(good);
    const early = new Early(await slow.scene);
    await slow.to('"id":"2"');
    await until(() => early.shown.length > 0);
    slow.breakOff();
    await early.reply;
    expect((await shownOf(slow)).length).toBeGreaterThan(0);
  });
});
