import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshPlace, written } from '../app/stage.ts';
import { openEchoing, plantedAccount } from './support/echoing-service.ts';
import { leaksBelow, leaksIn, planted } from './support/planted-secrets.ts';
import { environment, expectNoLeakThroughEverything, quick } from './support/run-through-faults.ts';

vi.setConfig({ testTimeout: 120_000 });

describe('our secrets', () => {
  it('are in no line of a log for programs, no file and no answer of a command after the same run [S1 S2 S3]', async () => {
    await expectNoLeakThroughEverything('json');
  });

  it('are neither on the screen nor on the disk after the program as it is installed was asked everything, keys in its environment [S1 S2 S5]', async () => {
    const service = await openEchoing();
    const place = freshPlace();
    const account = { apiKey: '${MAGPIE_API_KEY}', partnerKey: '${MAGPIE_PARTNER_KEY}', tradeUrl: '${MAGPIE_TRADE_URL}' };
    const { data } = written({ place, at: plantedAccount(service), config: quick });
    const file = join(place, 'magpie.yaml');
    writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), account, web: undefined }));
    let told = await program(place, ['run', '--for', '3s', '--config', 'magpie.yaml']);
    for (const command of [['status', '--json'], ['purchases'], ['run', '--once', `--api-key=${planted.apiKey}`]]) {
      told += await program(place, [...command, '--config', 'magpie.yaml']);
    }
    expect(told).toContain('Stopping');
    expect(leaksIn(told)).toEqual([]);
    expect(leaksBelow(data)).toEqual([]);
  });
});

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** All that a process of its own says. */
async function program(cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...environment, PATH: process.env['PATH'], TMPDIR: cwd };
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => void (told += bytes.toString()));
  await once(child, 'close');
  return told;
}
