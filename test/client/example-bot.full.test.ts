import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { createClient } from '../../src/client/client.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { calm } from '../sandbox/harness.ts';

const bot = fileURLToPath(new URL('../../docs/example-bot.mjs', import.meta.url));

/** The program as a reader starts it, on the library as it was built. */
function started(cwd: string, { baseUrl, childKey, tradeUrl }: RunningSandbox): Promise<string> {
  const env = { ...process.env, MAGPIE_BASE_URL: baseUrl, MAGPIE_API_KEY: childKey, MAGPIE_TRADE_URL: tradeUrl };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [bot, '1'], { cwd, env, timeout: 60_000 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });
}

interface Line {
  readonly id: string;
  readonly state: string;
  readonly serviceOrderId?: string;
  readonly priceWithFee?: number;
}

const linesOf = (cwd: string): Line[] =>
  readFileSync(join(cwd, 'bot.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('the bot of the documentation', () => {
  it('buys on the sandbox within its budget, writes each down first, and buys none of them again', async () => {
    const sandbox = await startSandbox({ seed: 7, listings: 400, clock: new SystemClock(), faults: calm });
    const client = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.childKey });
    onTestFinished(async () => {
      await client.close();
      await sandbox.close();
    });
    const cwd = freshFolder();
    expect(existsSync(join(cwd, 'bot.jsonl'))).toBe(false);
    expect(await started(cwd, sandbox)).toMatch(/^bought .+ for \$[\d.]+$/m);
    expect(await started(cwd, sandbox)).toMatch(/^\d+ orders; at most \$[\d.]+ of \$40 spent$/m);
    const lines = linesOf(cwd);
    const sent = lines.filter(({ state }) => state === 'sent');
    const bought = lines.flatMap(({ state, serviceOrderId }) => (state === 'bought' ? [serviceOrderId] : []));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
    const { orders } = (await client.orders()).data;
    expect(new Set(orders.map(({ id }) => id))).toEqual(new Set(bought));
    expect(bought).toHaveLength(orders.length);
    const spent = orders.reduce((sum, { amount }) => sum + amount, 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(40);
  });
});
