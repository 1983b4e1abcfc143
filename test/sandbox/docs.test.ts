import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exchangeFaults } from '../../src/domain/exchange-fault.ts';

describe('docs/sandbox.md', () => {
  it('lists the faults as they are defined', () => {
    const page = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
    const rows = Object.entries(exchangeFaults).map(
      ([name, { area, rate, doc }]) => `| \`${name}\` | ${area} | ${rate} | ${doc} |`,
    );
    expect(page.split('\n').filter((line) => /^\| `\w+` \| \w+ \| [\d.]+ \|/.test(line))).toEqual(rows);
  });
});
