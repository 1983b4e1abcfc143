import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KeptResults } from '../../../src/replay/sweep/kept-results.ts';
import type { VariantResult } from '../../../src/replay/sweep/part.ts';

function path(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-kept-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sweeps', 'a.jsonl');
}

function result(profit: number): VariantResult {
  const part = { figures: { matched: profit } as never, halt: null, blocks: Float64Array.of(profit, 0.1, -3) };
  return { train: part, test: part };
}

function keep(file: string, ...variants: readonly string[]): void {
  const kept = new KeptResults(file);
  for (const [index, variant] of variants.entries()) kept.add(variant, result(index + 0.25));
  kept.close();
}

function found(file: string): ReadonlyMap<string, VariantResult> {
  const kept = new KeptResults(file);
  kept.close();
  return kept.found;
}

describe('results that are kept', () => {
  it('are found again as they were', () => {
    const file = path();
    keep(file, 'one', 'two');
    expect([...found(file)]).toEqual([
      ['one', result(0.25)],
      ['two', result(1.25)],
    ]);
  });

  it('are all there but the one that was broken off, wherever it broke', () => {
    const file = path();
    keep(file, 'one', 'two');
    const whole = readFileSync(file);
    const first = whole.indexOf('\n') + 1;
    for (let length = first; length < whole.length - 1; length += 13) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      keep(file, 'three');
      expect([...found(file).keys()]).toEqual(['one', 'three']);
    }
  });

  it('are not taken from lines that something else has written or changed', () => {
    const file = path();
    keep(file, 'one');
    const line = readFileSync(file, 'utf8');
    appendFileSync(file, `${line.replace('one', 'two')}{"variant":"three"}\n\n12 {}\n`);
    expect([...found(file).keys()]).toEqual(['one']);
  });
});
