import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStrategy } from '../../src/settings/strategies.ts';
import { type Scripts, ScriptedService, success } from '../app/scripted-service.ts';
import { freshPlace, offer, startBot } from '../app/stage.ts';
import { magpie, place } from '../cli/harness.ts';
import { httpAnswer } from '../gateway/hostile-server.ts';

vi.setConfig({ testTimeout: 30_000 });

/** What hostile JSON and YAML would add to every object, or replace in it. */
const polluted = ['polluted', 'isAdmin', 'price', 'success', 'toJSON', 'mode', 'then'];

const natives = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype, Promise.prototype];
const before = natives.map((native) => Object.getOwnPropertyNames(native).sort());

function expectUnpolluted(): void {
  expect(natives.map((native) => Object.getOwnPropertyNames(native).sort())).toEqual(before);
  for (const name of polluted) expect(({} as Record<string, unknown>)[name]).toBeUndefined();
}

const payload = `{${polluted.map((name) => `"${name}":"yes"`).join(',')}}`;
const evil = `"__proto__":${payload},"constructor":{"prototype":${payload}},"prototype":${payload},"toString":"x","valueOf":1,"hasOwnProperty":false,"then":1`;

/** The same answer with names of every object in each of its objects. */
function infected(body: unknown): Buffer {
  const text = JSON.stringify({ requestId: `r-${Math.random()}`, success: true, data: body });
  return httpAnswer(200, text.replaceAll('{}', `{${evil}}`).replaceAll('{"', `{${evil},"`), { date: new Date().toUTCString() });
}

describe('answers that reach for the prototypes of all objects', () => {
  it('change none of them, and nothing that Magpie does: what is sound in them is bought [S17]', async () => {
    const market = { status: 'ok', staleMs: 1 };
    const scripts: Scripts = {
      live: () =>
        infected({
          listings: [offer('1'), offer('2', { market: '__proto__' }), offer('constructor'), {}, { charm: {} }],
          listingsCount: 5,
        }),
      health: () => infected({ status: 'ok', markets: { c5: market, ecosteam: market }, service: { c5: true, ecosteam: true } }),
      user: () => infected({ type: 'apiKey', profile: { id: 'a1', balance: 1_000 } }),
      orders: () =>
        infected({
          total: 1,
          returned: 1,
          orders: [{ id: '__proto__', item: 'constructor', itemId: '__proto__', amount: 1, status: { code: '__proto__' } }],
        }),
      transactions: () => infected({ total: 1, transactions: [{ id: '__proto__', amount: 1, type: 'constructor' }] }),
      detail: () => infected({ items: [{ id: '__proto__', error: 'LISTING_NOT_FOUND' }] }),
      buy: () =>
        success({
          order: { orderId: '__proto__', serviceOrderId: 'constructor', status: '__proto__' },
          item: { id: '1', market: 'c5game' },
        }),
    };
    const service = await ScriptedService.open(scripts);
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees('the sound one bought', () => bot.purchases().some(({ state }) => state === 'bought'));
    const polls = service.asked('live');
    await bot.sees('more polls', () => service.asked('live') >= polls + 3);
    await bot.stop();
    expect(bot.purchases().map(({ listingId, market: where }) => [listingId, where])).toEqual([['1', 'c5game']]);
    expect(bot.text).not.toContain('defect');
    expectUnpolluted();
  });

  it('do so in a refusal, a failure and half an answer as little [S17]', async () => {
    const bodies = [
      `{${evil},"success":false,"code":"__proto__","error":{${evil}}}`,
      `[{${evil}}]`,
      `{${evil}`,
      `{"success":true,"data":{${evil}}}`,
    ];
    let turn = 0;
    const script = () => httpAnswer([400, 200, 200, 404, 500][turn % 5] ?? 200, bodies[turn++ % bodies.length] ?? '');
    const service = await ScriptedService.open({ live: script, orders: script, transactions: script });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.sees('many failures', () => turn >= 12);
    await bot.stop();
    expect(bot.text).not.toContain('defect');
    expectUnpolluted();
  });
});

describe('files that reach for the prototypes of all objects', () => {
  const names = ['__proto__', 'constructor', 'prototype'];

  it.each(names)('are faulty, at the place of the name: %s in configuration and strategy [S17]', async (name) => {
    const text = `${name}: { polluted: yes }\nlimits: { ${name}: { polluted: yes }, maxPrice: 1 }\nservice: { sandbox: { ${name}: 1 } }\n`;
    const cwd = place({
      'hostile.yaml': text,
      'strategies/hostile.yaml': `name: hostile\nwhen: { ${name}: 1 }\nprice: { max: 1, ${name}: 1 }\n`,
    });
    const { code, out, err } = await magpie(['check', 'hostile.yaml', 'strategies', '--json'], { cwd });
    const { faults } = JSON.parse(out) as { faults: { path: string }[] };
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(faults.filter(({ path }) => path.split('.').includes(name)).length).toBeGreaterThanOrEqual(4);
    expectUnpolluted();
  });

  it('are none where other names of every object stand: each is no key, and nothing else [S17]', () => {
    for (const name of ['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'then']) {
      const cwd = place({ 'strategies/a.yaml': `name: a\nwhen: { ${name}: 1 }\nprice: { max: 1 }\n` });
      const { strategy, faults } = readStrategy(`${cwd}/strategies/a.yaml`, 'a.yaml');
      expect({ name, strategy, messages: faults.map(({ path }) => path) }).toEqual({
        name,
        strategy: undefined,
        messages: [`when.${name}`],
      });
    }
    expectUnpolluted();
  });

  it('and variables of the environment with such names are not looked up [S17]', async () => {
    const cwd = place({
      'env.yaml': 'service: { baseUrl: "http://127.0.0.1:9" }\naccount: { apiKey: "${constructor}" }\nstrategies: ./strategies\n',
    });
    const { code, out } = await magpie(['check', 'env.yaml'], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('constructor is not set') as string });
  });
});

describe('objects whose prototypes were polluted by somebody else', () => {
  it('let nothing be bought that no strategy wants [S17]', async () => {
    const names = ['market', 'name', 'max', 'maxPrice', 'success', 'when', 'any', 'not', 'data', 'orders'];
    const service = await ScriptedService.open({
      live: () => success({ listings: [offer('1'), {}, { id: '2' }], listingsCount: 3 }),
    });
    const bot = await startBot({
      place: freshPlace(),
      at: service.address,
      strategies: { none: { when: { name: 'Nothing' }, price: { max: 1 } } },
    });
    await bot.sees('a poll', () => service.asked('live') >= 1);
    for (const name of names) Reflect.defineProperty(Object.prototype, name, { value: '*', configurable: true, writable: true });
    onTestFinished(() => {
      for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    });
    const polls = service.asked('live');
    await bot.sees('more polls', () => service.asked('live') >= polls + 3);
    for (const name of names) Reflect.deleteProperty(Object.prototype, name);
    await bot.stop();
    expect(service.asked('buy')).toBe(0);
  });
});
