import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { type Bot, freshPlace, offer, startBot } from './stage.ts';

const LIVE = '/v2/partner/live/listings';
const BUY = '/v2/market/buy';

/** What happened from the last byte of a snapshot to the headers of the buy that it led to. */
interface Path {
  readonly commits: number;
  readonly lines: number;
  /** Turns of the event loop: each timer, each file, each answer that is waited for takes at least one. */
  readonly turns: number;
}

/** Where one stands when something begins. */
interface Mark {
  readonly commits: number;
  readonly lines: number;
  turns: number;
}

/** Watches the wire of this process: each buy's way since the newest answer of the live listings had come to its last byte. */
function watchPaths(bot: Bot): readonly Path[] {
  const paths: Path[] = [];
  let mark: Mark | undefined;
  const onAnswer = (message: unknown): void => {
    if (pathOf(message) !== LIVE) return;
    const begun: Mark = { commits: commitsIn(bot.data), lines: bot.lines.length, turns: 0 };
    mark = begun;
    const turn = (): void => {
      begun.turns++;
      if (mark === begun) setImmediate(turn);
    };
    setImmediate(turn);
  };
  const onHeaders = (message: unknown): void => {
    if (pathOf(message) !== BUY || mark === undefined) return;
    const { commits, lines, turns } = mark;
    paths.push({ commits: commitsIn(bot.data) - commits, lines: bot.lines.length - lines, turns });
  };
  subscribe('undici:request:trailers', onAnswer);
  subscribe('undici:client:sendHeaders', onHeaders);
  onTestFinished(() => {
    mark = undefined;
    unsubscribe('undici:request:trailers', onAnswer);
    unsubscribe('undici:client:sendHeaders', onHeaders);
  });
  return paths;
}

function pathOf(message: unknown): string | undefined {
  return (message as { readonly request: { readonly path: string } }).request.path.split('?')[0];
}

/** Commits of all connections, told from the write-ahead log itself: a frame that ends one bears the size of the database. */
function commitsIn(data: string): number {
  const log = readFileSync(join(data, 'magpie.db-wal'));
  const frameBytes = 24 + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) !== 0 && log.subarray(at + 8, at + 16).equals(salts)) commits++;
  return commits;
}

/** A daemon whose permit is there and whose connection is warm, on a market where nothing is offered yet. */
async function ready(
  strategies: Parameters<typeof startBot>[0]['strategies'],
  config: Readonly<Record<string, unknown>> = {},
): Promise<{
  bot: Bot;
  paths: readonly Path[];
  offers: Record<string, unknown>[];
}> {
  const offers: Record<string, unknown>[] = [];
  const service = await ScriptedService.open({
    live: () => listings(offers),
    buy: () => failure(410, 'LISTING_NOT_FOUND', 'gone'),
  });
  const bot = await startBot({ place: freshPlace(), at: service.address, strategies, config });
  await bot.says('buying is open');
  const { core } = bot.daemon;
  await bot.sees('a permit taken beforehand and two polls', () => core.state.permits > 0 && core.facts.polls > 2);
  return { bot, paths: watchPaths(bot), offers };
}

const wants = { when: { name: '*' }, price: { max: 20 } };
const nothingButTheIntent: Path = { commits: 1, lines: 0, turns: 0 };

describe('from the last byte of a snapshot to the buy, with a permit taken beforehand', () => {
  it('nothing is waited for, one commit is made and no line is written, time and again', async () => {
    const { bot, paths, offers } = await ready({ wants });
    offers.push(offer('1'));
    await bot.sees('the first buy', () => paths.length === 1);
    await bot.says('refused');
    await bot.sees('the next permit', () => bot.daemon.core.state.permits > 0);
    offers.push(offer('2', { itemId: '00000000000000a2' }));
    await bot.sees('the second buy', () => paths.length === 2);
    expect(paths).toEqual([nothingButTheIntent, nothingButTheIntent]);
  });

  it('what is written down on paper, counted, or passed over comes after it', async () => {
    const { bot, paths, offers } = await ready({
      wants,
      paper: { ...wants, mode: 'dry-run', priority: 9 },
      capped: { ...wants, priority: 10, limits: { spend: { day: 1 } } },
    });
    offers.push(offer('1'), offer('2', { itemId: '00000000000000a2' }));
    await bot.says('would buy');
    await bot.sees('a buy', () => paths.length > 0);
    expect(bot.text).toContain('strategy-spend-day');
    expect(paths[0]).toEqual(nothingButTheIntent);
  });

  it('metrics that are counted and read meanwhile change nothing of that', async () => {
    const { bot, paths, offers } = await ready({ wants }, { metrics: { port: 0 } });
    await bot.says('Metrics at');
    const address = /Metrics at (\S+)/.exec(bot.text)?.[1] ?? '';
    const reading = new AbortController();
    const reader = (async () => {
      while (!reading.signal.aborted) await (await fetch(address)).text();
    })();
    offers.push(offer('1'));
    await bot.sees('the buy', () => paths.length === 1);
    reading.abort();
    await reader;
    expect(paths).toEqual([nothingButTheIntent]);
  });
});
