import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../gateway/hostile-server.ts';
import { type Bot, freshPlace, offer, pause, startBot } from './stage.ts';
import { ScriptedService, failure } from './scripted-service.ts';

/** Nobody wants these: they cost too much. */
const standing = [offer('1', { price: 2_000 }), offer('2', { price: 2_000 }), offer('3', { price: 2_000 })];
const wanted = offer('9', { price: 7.77 });

/** A service whose answers of live listings stop where the test wants them to. */
class Slow {
  /** What is for sale, in this order. */
  offers: readonly unknown[] = standing;
  success = true;
  encode = (body: Buffer): Buffer => body;
  /** Answers go so far only, to the end of this text. */
  stopAfter: string | undefined;
  readonly #held: { socket: Socket; rest: Buffer }[] = [];
  #count = 0;

  readonly script = () => (socket: Socket) => {
    const envelope = { requestId: `r-${++this.#count}`, success: this.success };
    const body = Buffer.from(JSON.stringify({ ...envelope, data: { listings: this.offers, listingsCount: this.offers.length } }));
    const encoded = this.encode(body);
    const headers: Record<string, string> = encoded === body ? {} : { 'content-encoding': 'gzip' };
    const answer = httpAnswer(200, encoded, headers);
    if (this.stopAfter === undefined) return void socket.write(answer);
    const place = answer.indexOf(this.stopAfter);
    const end = place < 0 ? answer.length - 40 : place + this.stopAfter.length;
    socket.write(answer.subarray(0, end));
    this.#held.push({ socket, rest: answer.subarray(end) });
  };

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  goOn(): void {
    this.stopAfter = undefined;
    for (const { socket, rest } of this.#held.splice(0)) socket.write(rest);
  }

  breakOff(): void {
    this.stopAfter = undefined;
    for (const { socket } of this.#held.splice(0)) socket.resetAndDestroy();
  }
}

const config = {
  feed: { interval: '100ms', health: { interval: '200ms' }, parse: 'stream' },
};

interface Scene {
  readonly bot: Bot;
  readonly slow: Slow;
  readonly posts: () => number;
  /** The next answer shows a wanted listing first, and stops behind it. */
  readonly halfAnswer: () => Promise<void>;
}

/** A daemon that reads a stream, open to buy, which has seen what stands. */
async function opened(): Promise<Scene> {
  const slow = new Slow();
  const buy = () => failure(410, 'LISTING_NOT_FOUND', 'the listing is not for sale');
  const service = await ScriptedService.open({ live: slow.script, buy });
  const bot = await startBot({ place: freshPlace(), at: service.address, config });
  await bot.says('Start checks passed');
  const polls = service.asked('live');
  await bot.sees('a poll after that', () => service.asked('live') > polls + 1);
  const halfAnswer = async (): Promise<void> => {
    slow.offers = [wanted, ...standing];
    slow.stopAfter = JSON.stringify(wanted);
    await bot.sees('half an answer', () => slow.isHolding);
  };
  return { bot, slow, posts: () => service.asked('buy'), halfAnswer };
}

describe('a daemon that reads the live listings as a stream', () => {
  it('sends its buy before the last byte of the answer has been written, and no other afterwards', async () => {
    const { bot, slow, posts, halfAnswer } = await opened();
    await halfAnswer();
    await bot.sees('the buy', () => posts() === 1);
    expect(slow.isHolding).toBe(true);
    slow.goOn();
    await bot.sees('the refusal', () => bot.purchases()[0]?.state === 'rejected');
    await pause(500);
    expect(posts()).toBe(1);
    expect(bot.purchases()).toMatchObject([{ listingId: '9', price: 7.77 }]);
    await bot.stop();
  });

  it('stays with it when the answer breaks off then, and buys nothing twice', async () => {
    const { bot, slow, posts, halfAnswer } = await opened();
    await halfAnswer();
    await bot.sees('the buy', () => posts() === 1);
    slow.breakOff();
    await bot.says('No listings');
    await pause(500);
    expect(posts()).toBe(1);
    expect(bot.purchases()).toHaveLength(1);
    await bot.stop();
  });

  it('buys nothing of an answer that says success: false', async () => {
    const { bot, slow, posts, halfAnswer } = await opened();
    slow.success = false;
    await halfAnswer();
    await pause(300);
    slow.goOn();
    await pause(300);
    expect(posts()).toBe(0);
    await bot.stop();
  });

  it('buys of a compressed answer as of any other', async () => {
    const { bot, slow, posts } = await opened();
    slow.encode = (body) => gzipSync(body);
    slow.offers = [wanted, ...standing];
    await bot.sees('the buy', () => posts() === 1);
    await pause(300);
    expect(posts()).toBe(1);
    await bot.stop();
  });
});
