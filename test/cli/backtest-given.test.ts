import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bargain, recorded } from '../replay/backtest/stage.ts';
import { START } from '../support/feed-entries.ts';
import { magpie, place } from './harness.ts';

const wantsHalf = 'name: half\nprice: { maxOfSteam: 0.5 }\n';

function folder(files: Readonly<Record<string, string>> = {}): string {
  const cwd = place({ 'strategies/redlines.yaml': wantsHalf, ...files });
  mkdirSync(join(cwd, 'data'), { recursive: true });
  copyFileSync(recorded(Array.from({ length: 10 }, () => [bargain('1')])), join(cwd, 'data', 'recording.db'));
  return cwd;
}

async function refused(cwd: string, ...args: string[]): Promise<{ readonly code: number; readonly err: string }> {
  const { code, err } = await magpie(['backtest', '--config', 'magpie.yaml', ...args], { cwd });
  return { code, err };
}

/** The recording begins and ends within these. */
const [before, middle, after] = [START - 60_000, START + 5_000, START + 3_600_000].map((at) => new Date(at).toISOString()) as [
  string,
  string,
  string,
];
const reaches = 'the recording reaches from 2026-01-05T12:00:0';

describe('what a backtest is given', () => {
  it('is told from a time that only one side of was given: where the recording ends or begins', async () => {
    const cwd = folder();
    for (const [args, words] of [
      [['--from', after], `The recording ends before --from (${after}): ${reaches}`],
      [['--from', after, '--to', '2027-01-01T00:00:00Z'], `The recording ends before --from (${after}): ${reaches}`],
      [['--to', before], `The recording begins after --to (${before}): ${reaches}`],
      [['--from', middle, '--to', middle], `--from is not before --to: ${reaches}`],
    ] as const)
      expect(await refused(cwd, ...args)).toEqual({ code: 1, err: expect.stringContaining(words) as unknown });
  });

  it('is no folder twice, however its path is written: it would stand in the table as two', async () => {
    const cwd = folder({ 'b/half.yaml': wantsHalf });
    for (const again of ['b', './b/', 'strategies/../b'])
      expect(await refused(cwd, '--strategies', 'b', '--strategies', 'strategies', '--strategies', again)).toEqual({
        code: 2,
        err: `--strategies "${again}" names a folder that was given before: give each once.\n`,
      });
  });
});
