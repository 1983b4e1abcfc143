import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshPlace, within, written } from '../app/stage.ts';
import type { ScriptedService } from '../app/scripted-service.ts';
import { openEchoing, openRefusing, plantedAccount } from './support/echoing-service.ts';
import { type Answer, answersOfEvery, forgotten } from './support/every-command.ts';
import { everythingServed } from './support/everything-served.ts';
import { leaksBelow, leaksIn, planted } from './support/planted-secrets.ts';
import { environment, expectNoLeakThroughEverything, quick } from './support/run-through-faults.ts';

vi.setConfig({ testTimeout: 900_000 });

describe('our secrets', () => {
  it('are in no line of a log for programs, no file and no answer of a command after the same run [S1 S2 S3]', async () => {
    await expectNoLeakThroughEverything('json');
  });

  it('are neither on the screen nor on the disk after the program as it is installed was asked everything, keys in its environment [S1 S2 S5]', async () => {
    const service = await openEchoing();
    const { cwd, data } = home(service);
    let told = await program(cwd, ['run', '--for', '3s', '--config', 'magpie.yaml']);
    for (const command of [['status', '--json'], ['purchases'], ['run', '--once', `--api-key=${planted.apiKey}`]]) {
      told += await program(cwd, [...command, '--config', 'magpie.yaml']);
    }
    expect(told).toContain('Stopping');
    expect(leaksIn(told)).toEqual([]);
    expect(leaksBelow(data)).toEqual([]);
  });

  it('are looked for in every command of the table', () => {
    expect(forgotten()).toEqual([]);
  });

  it('are in nothing that a command, the page or the metrics say, and in no file: beside a daemon, alone, with a refused key, without a service [S1 S2 S3]', async () => {
    const service = await openEchoing();
    const { cwd } = home(service);
    const daemon = start(cwd, ['run', '--config', 'magpie.yaml']);
    const [page, metrics] = [await addressIn(daemon, 'page-at'), await addressIn(daemon, 'metrics-at')];
    await within(() => service.asked('live') >= 10 && service.asked('buy') >= 1, 60_000);
    const env = { ...environment, XDG_RUNTIME_DIR: cwd };
    expectNoLeak('beside a daemon', await answersOfEvery(cwd, env));
    for (const { what, said } of await everythingServed(page, metrics)) {
      expect({ what, leaks: leaksIn(said) }).toEqual({ what, leaks: [] });
    }
    daemon.child.kill('SIGTERM');
    await daemon.ended;
    expect(leaksIn(daemon.said())).toEqual([]);
    expectNoLeak('alone', await answersOfEvery(cwd, env, 'all'));
    const refusing = await openRefusing();
    expectNoLeak('with a key that is refused', await answersOfEvery(cwd, { ...env, WHERE: refusing.server.url }));
    // Nobody listens at the port of a protocol that throws everything away.
    expectNoLeak('without a service', await answersOfEvery(cwd, { ...env, WHERE: 'http://127.0.0.1:9' }));
    // Where a new key is written, since it comes once.
    rmSync(join(cwd, 'keys'), { recursive: true });
    expect(leaksBelow(cwd)).toEqual([]);
  });
});

/** A folder with configurations that name each secret by its variable, and nothing else of it. */
function home(service: ScriptedService): { readonly cwd: string; readonly data: string } {
  const cwd = freshPlace();
  const account = { apiKey: '${MAGPIE_API_KEY}', partnerKey: '${MAGPIE_PARTNER_KEY}', tradeUrl: '${MAGPIE_TRADE_URL}' };
  const { data } = written({ place: cwd, at: plantedAccount(service), config: quick });
  const file = join(cwd, 'magpie.yaml');
  const whole = JSON.parse(readFileSync(file, 'utf8')) as object;
  const at = { baseUrl: `\${WHERE:-${service.server.url}}` };
  const web = { ...quick.web, token: '${MAGPIE_WEB_TOKEN}' };
  const metrics = { port: 0 };
  writeFileSync(file, JSON.stringify({ ...whole, account, web, metrics, service: at, log: { format: 'json', level: 'debug' } }));
  const children = [{ name: 'shop', email: 'shop@example.com', key: '${MAGPIE_API_KEY}' }];
  const treasury = {
    ...{ mode: 'live', key: '${MAGPIE_PARTNER_KEY}', floor: 50, target: 200, reserve: 100, children },
    limits: { perTransfer: 200, childDay: 500, hour: 600, day: 2_000 },
  };
  writeFileSync(join(cwd, 'treasury.yaml'), JSON.stringify({ service: at, data: './treasury', treasury }));
  return { cwd, data };
}

function expectNoLeak(when: string, answers: readonly Answer[]): void {
  for (const { line, said } of answers) expect({ when, line, leaks: leaksIn(said) }).toEqual({ when, line, leaks: [] });
}

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<unknown>;
}

function start(cwd: string, args: readonly string[]): Running {
  const env = { ...environment, PATH: process.env['PATH'], TMPDIR: cwd, XDG_RUNTIME_DIR: cwd };
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => void (told += bytes.toString()));
  return { child, said: () => told, ended: once(child, 'close') };
}

/** All that a process of its own says. */
async function program(cwd: string, args: readonly string[]): Promise<string> {
  const { said, ended } = start(cwd, args);
  await ended;
  return said();
}

/** Where it says that it can be asked. */
async function addressIn({ said }: Running, event: string): Promise<string> {
  const words = new RegExp(`"${event}"[^\n]*"address":"(http:[^"]+)"`);
  await within(() => words.test(said()), 60_000);
  const [, address] = words.exec(said()) ?? [];
  if (address === undefined) throw new Error(`it did not say where: ${said().slice(-3_000)}`);
  return address;
}
