import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/app/log.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { printable, printableJson } from '../../src/domain/text.ts';
import { ScriptedService, failure, listings, success } from '../app/scripted-service.ts';
import { type Bot, freshPlace, offer, startBot } from '../app/stage.ts';
import { magpie } from '../cli/harness.ts';

vi.setConfig({ testTimeout: 180_000 });

/** What a terminal obeys and what hides or reorders text; the end of a line is the only such character that may be shown. */
const raw = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Each does something to a terminal or to the eye that reads it. */
const attacks = {
  'a colour': '\u001b[31;1m',
  'the title of the window': '\u001b]0;pwned\u0007',
  'a link (OSC 8)': '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'the clipboard (OSC 52)': '\u001b]52;c;ZXZpbA==\u0007',
  'a device command': '\u001bP1$r0m\u001b\\',
  'a C1 sequence': '\u009b2J\u009d0;x\u009c',
  'the cursor': '\r\u001b[1A\b\u007f',
  'another line': 'sold\n01:02:03Z  bought    AK-47 $0.01\r\n',
  'a line of Unicode': '\u2028\u2029\u0085\u000b\u000c',
  'another direction': '\u202e\u2066\u061c\u200f',
  'nothing to see': '\u200b\u00ad\ufeff\u2063\u180e',
  'tags nobody sees': '\u{e0041}\u{e007f}',
  'half a character': '\ud800x\udfff',
  NUL: '\u0000',
} as const;

const all = Object.values(attacks).join('|');

/** Quoted in everything that a service may say, in good answers and in bad ones. */
function hostileService(): Promise<ScriptedService> {
  const texts = Object.values(attacks);
  const sound = texts.map((text, index) => offer(String(index + 1), { collection: text, rarity: text, exterior: text }));
  const bad = [
    ...texts.map((text, index) => offer(String(index + 101), { marketHashName: `AK ${text} 47` })),
    ...texts.map((text, index) => offer(`b${index}${text}`, { marketHashName: text, market: text, itemId: text })),
  ];
  let buys = 0;
  let polls = 0;
  const order = {
    id: `order ${all}`,
    item: all,
    itemId: all,
    amount: 1,
    status: { code: all, label: all },
    cancelReason: all,
    settlementTime: all,
  };
  return ScriptedService.open({
    live: () => (polls++ % 4 === 3 ? failure(500, all, all) : listings([...sound, ...bad])),
    orders: () => success({ total: 1, returned: 1, orders: [order], message: all }),
    buy: () => {
      const turn = buys++ % 3;
      if (turn === 0) return failure(410, all, `<b>${all}</b>`);
      if (turn === 1) return failure(500, all, all);
      const sold = { orderId: `u${buys}${all}`, serviceOrderId: `s${buys}${all}`, status: all, message: all };
      return success({ order: sold });
    },
  });
}

const config = {
  feed: { interval: '50ms', health: { interval: '200ms' } },
  limits: { maxPrice: 1_000, spend: { day: 100_000 }, unknown: 1_000 },
};

const commands: readonly (readonly string[])[] = [
  ...[['status'], ['purchases'], ['why', '1'], ['why', '2'], ['why', 'b1'], ['why', '--listing', 'saved.json'], ['check']],
  ...[
    ['status', '--json'],
    ['purchases', '--json'],
    ['why', '1', '--json'],
    ['why', '--listing', 'saved.json', '--json'],
    ['check', '--json'],
  ],
  ...[['halt', '--reason', `because ${all}`], ['status'], ['status', '--json'], ['resume']],
  ...[
    ['resolve', '1', '--as', 'bought', '--reason', all],
    ['why', all],
    [all],
    ['purchases', '--since', all],
    ['check', `${all}.yaml`],
  ],
  ...[
    ['status', '--data', `nowhere ${all}`.replaceAll('\u0000', '')],
    ['run', `--${all}`],
    ['sandbox', '--snapshot', all.replaceAll('\u0000', '')],
  ],
];

async function answers(
  place: string,
  columns: number | undefined,
): Promise<readonly { command: readonly string[]; told: string }[]> {
  const told: { command: readonly string[]; told: string }[] = [];
  for (const command of commands) {
    const args = [...command, '--config', 'magpie.yaml'];
    // Without colour whatever is not text comes from outside.
    const given = { cwd: place, env: { NO_COLOR: '1' }, clock: new SystemClock(), ...(columns === undefined ? {} : { columns }) };
    const { out, err } = await magpie(args, given);
    told.push({ command, told: out + err });
  }
  return told;
}

function expectHarmless(bot: Bot): void {
  for (const line of bot.lines) {
    expect(line).not.toMatch(raw);
    expect(line.endsWith('\n')).toBe(true);
  }
}

describe('hostile text', () => {
  it.each(['human', 'json'])(
    'from a service reaches no terminal raw by the log, nor by any command (log: %s) [S18]',
    async (format) => {
      const service = await hostileService();
      const place = freshPlace();
      writeFileSync(
        join(place, 'saved.json'),
        JSON.stringify({ data: { listings: [offer('1', { marketHashName: all, extra: all }), all] } }),
      );
      const bot = await startBot({ place, at: service.address, config: { ...config, log: { format, level: 'debug' } } });
      await bot.sees('purchases of every fate', () => new Set(bot.purchases().map(({ state }) => state)).size >= 3);
      const told = [...(await answers(place, undefined)), ...(await answers(place, 80))];
      await bot.stop();
      expectHarmless(bot);
      for (const { command, told: text } of told)
        expect({ command, text }).toEqual({ command, text: expect.not.stringMatching(raw) as string });
      expect(told.filter(({ told: text }) => text === '')).toEqual([]);
      expect(told.map(({ told: text }) => text).join('')).toContain('\\u001b]8;;https://evil.example');
      // One event, one line: nobody writes lines of his own into a log.
      expect(bot.text).not.toMatch(/^01:02:03Z/m);
    },
  );

  it('in the names of files, strategies and keys is shown as escapes [S18]', async () => {
    const place = freshPlace();
    const name = Object.values(attacks).join('').replaceAll(/[\0/]/g, '');
    mkdirSync(join(place, 'strategies'));
    writeFileSync(
      join(place, 'strategies', `${name.slice(0, 60)}.yaml`),
      `name: ${JSON.stringify(name)}\n${JSON.stringify(name)}: 1\nwhen: { ${JSON.stringify(name)}: ${JSON.stringify(name)} }\n`,
    );
    writeFileSync(
      join(place, 'magpie.yaml'),
      `${JSON.stringify(name)}: ${JSON.stringify(name)}\nservice: { sandbox: {} }\nmode: ${JSON.stringify(name)}\n`,
    );
    for (const command of [
      ['check', 'magpie.yaml', 'strategies'],
      ['check', 'magpie.yaml', 'strategies', '--json'],
      ['run', '--config', 'magpie.yaml'],
    ]) {
      const { code, out, err } = await magpie(command, { cwd: place });
      expect(code).toBe(2);
      expect(out + err).not.toMatch(raw);
    }
  });

  it('in JSON stays exactly what it was for a program [S18]', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const whole = { value, text, all };
        const json = printableJson(JSON.stringify(whole, undefined, 2));
        expect(json).not.toMatch(raw);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });

  it('is one harmless line of at most its limit and its escapes, whatever it is [S18]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 250 }), (text, limit) => {
        const shown = printable(text, limit);
        expect(shown).not.toMatch(raw);
        expect(shown).not.toContain('\n');
        expect(shown.length).toBeLessThanOrEqual(6 * limit);
      }),
    );
    for (const text of Object.values(attacks)) expect(printable(text)).not.toMatch(raw);
  });

  it('in any field of any event, of any type, is one harmless line of the log [S18]', () => {
    const lines: string[] = [];
    const log = (format: 'human' | 'json'): ReturnType<typeof createLog> =>
      createLog({ format, level: 'debug', scrub: (text) => text, palette: plainPalette, write: (line) => void lines.push(line) });
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'binary' }), fc.constant(all), fc.integer(), fc.boolean()), {
          noNullPrototype: true,
        }),
        (fields) => {
          for (const format of ['human', 'json'] as const) {
            log(format).warn('alert', { message: all, ...fields });
            log(format).warn('never heard of', fields);
          }
        },
      ),
    );
    for (const line of lines) {
      expect(line.slice(0, -1)).not.toMatch(raw);
      expect(line.slice(0, -1)).not.toContain('\n');
    }
  });
});
