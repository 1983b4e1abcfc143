import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIo } from '../../src/cli/io.ts';
import { withProgress } from '../../src/cli/progress.ts';
import { replyOf } from '../../src/cli/reply.ts';
import { table } from '../../src/cli/table.ts';
import { ago, momentOf, span, utc } from '../../src/cli/time.ts';
import { sleep } from '../../src/domain/clock.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock, settle } from '../support/virtual-clock.ts';

describe('times', () => {
  it('are UTC, and say so', () => {
    expect(utc(NOON)).toBe('2026-01-05 12:00:00 UTC');
  });

  it('are told as spans in their two largest units', () => {
    const cases = {
      0: '0 s',
      499: '0 s',
      1_500: '2 s',
      60_000: '1 min',
      3_725_000: '1 h 2 min',
      86_400_000: '1 d',
      90_000_000: '1 d 1 h',
      86_460_000: '1 d',
    };
    expect(Object.fromEntries(Object.keys(cases).map((ms) => [ms, span(Number(ms))]))).toEqual(cases);
    expect([ago(NOON - 5_000, NOON), ago(NOON + 60_000, NOON)]).toEqual(['5 s ago', 'in 1 min']);
  });

  it('are read as ISO 8601 in any zone, or as a duration back from now', () => {
    expect(momentOf('90m', NOON)).toBe(NOON - 5_400_000);
    const noons = ['2026-01-05T12:00Z', '2026-01-05 12:00', '2026-01-05T12:00:00.000z', '2026-01-05T14:30+02:30'];
    expect(noons.map((text) => momentOf(text, 0))).toEqual(noons.map(() => NOON));
    expect(momentOf('2026-01-05', 0)).toBe(NOON - 12 * 3_600_000);
    const nonsense = ['', 'now', '2026', '2026-02-30', '2026-13-01', '05.01.2026', '2026-01-05T25:00', '-5m', '1.5h'];
    expect(nonsense.filter((text) => momentOf(text, NOON) !== undefined)).toEqual([]);
  });

  it('that Magpie prints are read back', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
        expect(momentOf(date.toISOString(), 0)).toBe(date.getTime());
      }),
    );
  });
});

describe('a table', () => {
  const columns = [
    { title: 'id', align: 'right' },
    { title: 'item', grows: true },
    { title: 'price', align: 'right' },
    { title: 'more', from: 100 },
  ] as const;
  const cell = fc.stringMatching(/^[ -~à-ÿ★™龍壱]{0,120}$/);

  it('never passes the width it is given, whatever stands in it, and keeps every row', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 40, max: 140 }),
        (rows, width) => {
          const text = table(
            columns,
            rows.map(([item, more], index) => [String(index), item, '$1.00', more.slice(0, 20)]),
            { width },
          );
          const lines = text.trimEnd().split('\n');
          expect(lines).toHaveLength(rows.length + 1);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('wraps what does not fit where nothing may be lost', () => {
    const words = 'one of "AK-47 | Redline (Field-Tested)", "AWP | Asiimov (Field-Tested)", "M4A4 | Howl"';
    const text = table([{ title: '' }, { title: '', grows: true }], [['✗', words]], { width: 40, wrap: true, indent: 2 });
    expect(text).toMatchInlineSnapshot(`
      "  ✗  one of "AK-47 | Redline
           (Field-Tested)", "AWP | Asiimov
           (Field-Tested)", "M4A4 | Howl"
      "
    `);
    expect(
      text
        .split('\n')
        .map((line) => line.trim().replace('✗  ', ''))
        .join(' ')
        .trim(),
    ).toBe(words);
  });

  it('leaves out what nobody fills', () => {
    expect(table(columns, [['1', 'AK', '$1.00', '']], { width: 200 })).not.toContain('more');
    expect(table(columns, [['1', 'AK', '$1.00', 'x']], { width: 200 })).toContain('more');
    expect(table(columns, [['1', 'AK', '$1.00', 'x']], { width: 99 })).not.toContain('more');
  });
});

describe('progress', () => {
  async function watched(isTerminal: boolean, ms: number): Promise<string> {
    let err = '';
    const clock = new VirtualClock();
    const outlet = { isTerminal, columns: 80 };
    const io = createIo({
      stdout: { ...outlet, write: () => undefined },
      stderr: { ...outlet, write: (text) => void (err += text) },
      ...{ env: { NO_COLOR: '1' }, cwd: '/', clock, onSignal: () => () => undefined },
    });
    const work = withProgress(
      io,
      'Waiting',
      sleep(clock, ms).then(() => 'done'),
    );
    await clock.advance(ms + 1);
    expect(await work).toBe('done');
    await settle();
    expect(clock.pending).toBe(0);
    return err;
  }

  it('is silent for two seconds', async () => {
    expect(await watched(true, 1_900)).toBe('');
  });

  it('renews one line on a terminal and wipes it at the end; a log gets a line now and then', async () => {
    const terminal = await watched(true, 4_500);
    expect(stripVTControlCharacters(terminal)).toBe('\rWaiting (2 s)\rWaiting (3 s)\rWaiting (4 s)\r');
    expect(await watched(false, 23_000)).toBe('Waiting (2 s)\nWaiting (12 s)\nWaiting (22 s)\n');
  });
});

describe('the answer of a daemon', () => {
  it('is read with suspicion', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const reply = replyOf(value);
        expect(typeof (reply.ok ? reply.message : reply.error)).toBe('string');
      }),
    );
    expect(replyOf({ ok: true, message: 'looked', unknown: 2 })).toEqual({ ok: true, message: 'looked', unknown: 2 });
    expect(replyOf({ ok: false, error: 'halted', purchase: { id: 1 } })).toEqual({
      ok: false,
      error: 'halted',
      purchase: { id: 1 },
    });
    expect(replyOf(null).ok).toBe(false);
  });
});
