import { describe, expect, it } from 'vitest';
import { magpie, place } from '../cli/harness.ts';

/** Ten names for ten names for ten names …: a thousand million of them for whoever follows. */
function laughs(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, level) =>
      `a${level}: &a${level} [${Array(10)
        .fill(level === 0 ? 'ha' : `*a${level - 1}`)
        .join(', ')}]`,
  );
  return `${lines.join('\n')}\n`;
}

const bombs: Readonly<Record<string, string>> = {
  'a thousand million laughs': laughs(9),
  'laughs by merging': `${Array.from({ length: 9 }, (_, n) => `m${n}: &m${n} { a: { <<: *m${n - 1} }, b: { <<: *m${n - 1} } }`).join('\n')}\n`,
  'an alias of itself': 'a: &a [*a, *a]\n',
  'a long text named many times': `a: &a "${'x'.repeat(100_000)}"\nb: [${'*a, '.repeat(8_000)}*a]\n`,
  'lists 100,000 deep': `a: ${'['.repeat(100_000)}\n`,
  'maps 100,000 deep': `${'{a: '.repeat(60_000)}\n`,
  'list marks 40,000 deep': `a: ${'- '.repeat(40_000)}x\n`,
  'blocks 1,000 deep': `${Array.from({ length: 700 }, (_, depth) => `${' '.repeat(Math.min(depth, 300))}k:`).join('\n')}\n`,
  'almost twenty thousand keys': `${Array.from({ length: 19_000 }, (_, n) => `k${n}: 1`).join('\n')}\n`,
  'a key of a quarter of a megabyte': `${'k'.repeat(250_000)}: 1\n`,
  'many documents': '--- {}\n'.repeat(8_000),
  'tags and anchors': `${Array.from({ length: 9_000 }, (_, n) => `t${n}: !!binary &b${n} "eA=="`).join('\n')}\n`,
  'an integer of 200,000 digits': `a: ${'9'.repeat(200_000)}\n`,
  'ten megabytes': `a: "${'x'.repeat(10_000_000)}"\n`,
};

const LIMIT = { cpuMs: 5_000, bytes: 300_000_000 };

describe('YAML made to explode', () => {
  it.each(Object.entries(bombs))('is refused, with its place, in a moment and in little memory: %s [C8 S24]', async (_, text) => {
    for (const name of ['bomb.yaml', 'strategies/bomb.yaml']) {
      const cwd = place({ [name]: text });
      const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss];
      const { code, out } = await magpie(['check', name, '--json'], { cwd });
      const { user, system } = process.cpuUsage(cpu);
      expect({ name, code }).toEqual({ name, code: 2 });
      const { faults } = JSON.parse(out) as { faults: { file: string; line: number }[] };
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.every(({ file, line }) => file === name && line >= 1)).toBe(true);
      expect(faults.length).toBeLessThanOrEqual(200);
      expect((user + system) / 1_000).toBeLessThan(LIMIT.cpuMs);
      expect(process.memoryUsage().rss - memory).toBeLessThan(LIMIT.bytes);
    }
  });
});
