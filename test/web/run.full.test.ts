import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { within } from '../app/stage.ts';
import { onPlayMoney, place } from '../cli/harness.ts';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

interface Daemon {
  readonly said: () => string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

function run(cwd: string, ...args: readonly string[]): Daemon {
  const child = spawn(process.execPath, [program, 'run', '--config', 'magpie.yaml', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => (said += piece.toString()));
  return { said: () => said, child, ended: new Promise((resolve) => child.once('close', resolve)) };
}

async function says(daemon: Daemon, words: RegExp, ms = 120_000): Promise<RegExpExecArray> {
  await within(() => words.test(daemon.said()), ms);
  const found = words.exec(daemon.said());
  if (found === null) throw new Error(`it did not say ${String(words)}:\n${daemon.said().slice(-3_000)}`);
  return found;
}

/** A folder whose strategy buys whatever is cheap, with a page. */
function withWeb(web = 'host: 127.0.0.1, port: 0'): string {
  const cheap = 'name: cheap\nwhen: { name: "*" }\nprice: { max: 30 }\n';
  return place({ 'magpie.yaml': `web: { ${web} }\n${onPlayMoney}`, 'strategies/redlines.yaml': cheap });
}

describe('magpie run with a page', () => {
  it('prints its address, serves it beside the purchases, obeys it, and ends with nothing left open', async () => {
    const cwd = withWeb();
    const daemon = run(cwd);
    const [, address = '', token = ''] = await says(daemon, /The page: (http:\/\/127\.0\.0\.1:\d+)\/#token=([0-9a-f]{48})/);
    const file = join(cwd, 'data', 'magpie.web-token');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${token}\n`, 0o600]);
    const headers = { authorization: `Bearer ${token}` };
    const status = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await (await fetch(`${address}/api/status`, { headers })).json()) as Readonly<Record<string, unknown>>;
    expect(await (await fetch(address)).text()).toContain('<div id="page">');
    // The page may be there before the daemon's first sign of life is.
    const alive = { mode: 'live', playMoney: true, halted: false, daemon: { pid: daemon.child.pid } };
    await expect.poll(status, { timeout: 120_000 }).toMatchObject(alive);
    await says(daemon, /bought /);
    const body = JSON.stringify({ reason: 'that is enough' });
    const post = (path: string): Promise<Response> =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { ...headers, origin: address, 'content-type': 'application/json' },
        body,
      });
    expect((await post('/api/halt')).status).toBe(200);
    await says(daemon, /HALTED {4}that is enough/);
    expect(await status()).toMatchObject({ halted: true, haltReason: 'that is enough' });
    expect((await post('/api/resume')).status).toBe(200);
    await says(daemon, /Resumed at the page: that is enough/);
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
    expect(daemon.said().split(token)).toHaveLength(2);
    expect(readdirSync(join(cwd, 'data')).filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  });

  it('serves one for several accounts: all of them and each, at one address and with one token', async () => {
    const cheap = 'name: cheap\nwhen: { name: "*" }\nprice: { max: 30 }\n';
    const cwd = place({
      'magpie.yaml': `accounts: { anna: {}, bert: {} }\nweb: { host: 127.0.0.1, port: 0 }\n${onPlayMoney}`,
      'strategies/redlines.yaml': cheap,
    });
    const daemon = run(cwd);
    const [, address = '', token = ''] = await says(daemon, /The page: (http:\/\/127\.0\.0\.1:\d+)\/#token=([0-9a-f]{48})/);
    expect(statSync(join(cwd, 'data', 'magpie.web-token')).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${token}` };
    const asked = async (path: string): Promise<unknown> => (await fetch(`${address}${path}`, { headers })).json();
    const post = (path: string): Promise<Response> =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { ...headers, origin: address, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'that is enough' }),
      });
    const states = async (): Promise<unknown> =>
      ((await asked('/api/status')) as { accounts: { name: string; state: string }[] }).accounts.map(({ state }) => state);
    await expect.poll(states, { timeout: 120_000 }).toEqual(['buying', 'buying']);
    await says(daemon, /\[anna\].*bought /);
    expect(await asked('/accounts/anna/api/status')).toMatchObject({ halted: false, daemon: { pid: daemon.child.pid } });
    expect((await post('/accounts/anna/api/halt')).status).toBe(200);
    await says(daemon, /\[anna\] HALTED {4}that is enough/);
    expect(await states()).toEqual(['halted', 'buying']);
    expect((await post('/api/halt')).status).toBe(200);
    await says(daemon, /\[bert\] HALTED {4}that is enough/);
    expect((await post('/accounts/bert/api/resume')).status).toBe(200);
    await says(daemon, /\[bert\] Resumed at the page: that is enough/);
    await expect.poll(states, { timeout: 120_000 }).toEqual(['halted', 'buying']);
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
    expect(daemon.said().split(token)).toHaveLength(2);
    const left = ['', 'accounts/anna', 'accounts/bert'].flatMap((folder) => readdirSync(join(cwd, 'data', folder)));
    expect(left.filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
  });

  it('prints no token that was configured', async () => {
    const cwd = withWeb('port: 0, token: "a-token-of-the-configuration"');
    const daemon = run(cwd);
    await says(daemon, /The page: http:\/\/127\.0\.0\.1:\d+ \(its token: web\.token\)/);
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
    expect(daemon.said()).not.toContain('a-token-of-the-configuration');
  });

  it('says so where another program has the port, and buys all the same', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const at = other.address();
    const daemon = run(withWeb(`port: ${typeof at === 'object' && at !== null ? at.port : 0}`));
    await says(daemon, /No page for now: another program listens there .* → stop that program, or set web\.port/);
    await says(daemon, /bought /);
    daemon.child.kill('SIGTERM');
    expect(await daemon.ended).toBe(0);
  });

  it('serves none for one poll', async () => {
    const daemon = run(withWeb(), '--once');
    expect(await daemon.ended).toBe(0);
    expect(daemon.said()).not.toContain('The page');
  });
});
