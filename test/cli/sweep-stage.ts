import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { changingMarket } from '../replay/sweep/market.ts';
import { magpie, onPlayMoney, place } from './harness.ts';

/** Caps that are met make a replay judge what stands again and again: here they would only cost time. */
const roomy = onPlayMoney.replace(/limits: .*/, 'limits: { maxPrice: 150, spend: { day: 10000 } }');

/** A folder with a recording of so many looks, and a strategy that takes half of steamPrice. */
export function sweepFolder(files: Record<string, string> = {}, recording = changingMarket(30)): string {
  const half = 'name: half\nprice: { maxOfSteam: 0.5 }\n';
  const cwd = place({ 'magpie.yaml': roomy, 'strategies/half.yaml': half, ...files });
  mkdirSync(join(cwd, 'data'), { recursive: true });
  copyFileSync(recording, join(cwd, 'data', 'recording.db'));
  return cwd;
}

export const sweep = ['sweep', '--config', 'magpie.yaml', '--latency', '200ms'];
export const over = (...vary: readonly string[]): string[] => [
  ...['--strategy', 'strategies/half.yaml'],
  ...vary.flatMap((each) => ['--vary', each]),
];

interface Figures {
  readonly matched: number;
  readonly profit: number;
}

interface Variant {
  readonly values: Record<string, unknown>;
  readonly isBase: boolean;
  readonly train: Figures;
  readonly test: Figures;
}

/** What is read of it. */
export interface Document {
  readonly variants: readonly Variant[];
  readonly base: Variant;
  readonly best: Variant;
  readonly train: { readonly from: string; readonly to: string };
  readonly test: { readonly from: string; readonly to: string };
  readonly luck: Record<string, number>;
  readonly computed: number;
  readonly kept: number;
}

/** What a sweep prints for a program. */
export async function document(cwd: string, ...args: string[]): Promise<Document> {
  const { code, out, err } = await magpie([...sweep, '--json', ...args], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Document;
}
