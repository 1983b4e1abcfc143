import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * What is tried, in a word: the hash of the tree of the commit, whatever its message and history; the version, where git cannot tell.
 * The same tree draws the same cases everywhere, and every change draws its own.
 */
export function changeTried(): string {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', 'HEAD^{tree}'], { encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
}

/** What laws are drawn from, and the order of tests: `LAWS_SEED`, a number or `fresh`, or else what the change chooses. */
export function seedOfLaws(asked: string | undefined): number {
  if (asked === 'fresh') return Date.now() % 2 ** 31;
  if (asked === undefined) return createHash('sha256').update(changeTried()).digest().readUInt32BE() >>> 1;
  const seed = Number(asked);
  if (!Number.isSafeInteger(seed)) throw new Error(`LAWS_SEED is "${asked}": a whole number or "fresh" is allowed.`);
  return seed;
}
