import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { magpie, place } from '../../cli/harness.ts';
import { bargain, recorded } from './stage.ts';

const VICTIM = '7';

/** A recording in which one offer says something else than any service was heard to say. */
function poisoned(text: string): string {
  const path = recorded([
    [bargain('1')],
    [bargain('1'), bargain(VICTIM)],
    [bargain('1'), bargain(VICTIM)],
    [bargain('1'), bargain(VICTIM)],
  ]);
  const db = new Database(path);
  try {
    const { changes } = db.prepare('UPDATE text SET text = ? WHERE text LIKE ?').run(text, `%"id":"${VICTIM}"%`);
    expect(changes).toBe(1);
  } finally {
    db.close();
  }
  return path;
}

/** What a backtest buys of it. */
async function bought(recording: string): Promise<readonly string[]> {
  const cwd = place({ 'strategies/all.yaml': 'name: all\nprice: { maxOfSteam: 0.99 }\n' });
  mkdirSync(join(cwd, 'data'), { recursive: true });
  copyFileSync(recording, join(cwd, 'data', 'recording.db'));
  const { code, out } = await magpie(['backtest', '--config', 'magpie.yaml', '--json'], { cwd });
  expect(code).toBe(0);
  return (JSON.parse(out) as { purchases: { listingId: string }[] }).purchases.map(({ listingId }) => listingId);
}

const as = (fields: Record<string, unknown>): string => JSON.stringify(bargain(VICTIM, fields));

describe('a recording that was tampered with', () => {
  it('is sound where nobody has', async () => {
    expect(await bought(poisoned(as({})))).toEqual(['1', VICTIM]);
  });

  it.each([
    ['a negative price', as({ price: -10, priceWithFee: -9 })],
    ['a fee that is less than nothing', as({ price: 10, priceWithFee: 5 })],
    ['a price that is no number', as({ price: '10', priceWithFee: '10.5' })],
    ['a price beyond all numbers', as({}).replace('"price":10,', '"price":1e999,')],
    ['a wear that there is not', as({ wear: 7 })],
    ['no name', as({ marketHashName: '' })],
    ['a market of its own', as({ market: '../../etc' })],
    ['no JSON at all', '{"id":"7","price":'],
    ['a list', '[]'],
    ['nothing', 'null'],
  ])('buys nothing of an offer with %s, as live would, and all else as before [S34]', async (_, text) => {
    expect(await bought(poisoned(text))).toEqual(['1']);
  });

  it('adds nothing to what all objects have [S34]', async () => {
    await bought(poisoned(as({}).replace('{', '{"__proto__":{"poisoned":true},"constructor":{"prototype":{"poisoned":true}},')));
    expect(({} as { poisoned?: unknown }).poisoned).toBeUndefined();
  });
});
