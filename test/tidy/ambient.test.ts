import { describe, expect, it } from 'vitest';
import {
  clockAndRandomComeAsArguments,
  requestsGoThroughTheGateway,
  streamsOfTimeStayInFeedAndApp,
  theProcessBelongsToAppAndCommands,
} from './ambient.ts';
import { broken, file } from './planted.ts';

describe('clock, randomness and network: a broken rule is found', () => {
  it('when the clock or randomness is taken from the air', () => {
    const rule = clockAndRandomComeAsArguments;
    const lines = [
      'Date.now();',
      'new Date();',
      'Date();',
      'performance.now();',
      'process.hrtime.bigint();',
      'setTimeout(work, 5);',
      'const t = { after: setInterval };',
      'globalThis.setImmediate(work);',
      'AbortSignal.timeout(5);',
      'Math.random();',
      'crypto.randomUUID();',
      "import { randomBytes } from 'node:crypto';",
      "import { setTimeout as wait } from 'node:timers/promises';",
    ];
    expect(broken(rule, file('src/feed/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 uses Date.now: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:2 reads the time of day with Date: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:3 reads the time of day with Date: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:4 uses performance.now: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:5 uses process.hrtime.bigint: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:6 uses setTimeout: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:7 uses setInterval: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:8 uses setImmediate: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:9 uses AbortSignal.timeout: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:10 uses Math.random: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:11 uses crypto.randomUUID: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:12 imports randomBytes from node:crypto: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:13 imports node:timers/promises: take a Clock and use clock.after or sleep(clock, …)",
      ]
    `);
    expect(broken(rule, file('src/app/real.ts', ...lines))).toEqual([]);
    expect(broken(rule, file('src/web/page/browser.ts', ...lines))).toEqual([]);
    expect(broken(rule, file('src/web/page/live.tsx', 'Date.now();'))).toHaveLength(1);
    const fine = [
      'new Date(at);',
      'Date.parse(text);',
      'Math.floor(x);',
      'clock.performance;',
      'type T = ReturnType<typeof setTimeout>;',
      "import { createHash } from 'node:crypto';",
      "const text = 'Date.now()';",
      '// Math.random()',
      'options.setTimeout(5);',
    ];
    expect(broken(rule, file('src/feed/a.ts', ...fine))).toEqual([]);
  });

  it('when a request bypasses the gateway', () => {
    expect(broken(requestsGoThroughTheGateway, file('src/app/a.ts', 'await fetch(url);', 'cache.fetch(url);')))
      .toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 uses fetch: the gateway makes every request, with limits on time, size and rate",
      ]
    `);
  });

  it('when a room reads the environment or ends the process', () => {
    const lines = ['const key = process.env.KEY;', "process.on('exit', save);", 'process.pid;'];
    expect(broken(theProcessBelongsToAppAndCommands, file('src/ledger/a.ts', ...lines), file('src/cli/a.ts', ...lines)))
      .toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:1 uses process.env.KEY: take the value as an argument; src/app and src/cli read it",
        "src/ledger/a.ts:2 uses process.on: take the value as an argument; src/app and src/cli read it",
      ]
    `);
  });

  it('when a stream over time is made elsewhere', () => {
    const line = "import { map, timer } from 'rxjs';";
    expect(broken(streamsOfTimeStayInFeedAndApp, file('src/ledger/a.ts', line), file('src/feed/a.ts', line)))
      .toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:1 imports timer from rxjs: streams over time live in feed and app",
      ]
    `);
  });
});
