import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerAt, magpie, place } from './harness.ts';

const remote = `service: { baseUrl: "\${MAGPIE_BASE_URL}" }
account: { apiKey: "\${MAGPIE_API_KEY}" }
strategies: ./strategies
`;
const keys = 'MAGPIE_BASE_URL=http://127.0.0.1:9\nMAGPIE_API_KEY=key-of-the-file-0123456789\n';

describe('variables from files', () => {
  it('are read by every command from .env beside the configuration, or from the file that --env-file names', async () => {
    const cwd = place({
      'live/live.yaml': remote,
      'live/strategies/x.yaml': 'name: x\nwhen: { name: "*" }\nprice: { max: 1 }\n',
    });
    const config = ['--config', 'live/live.yaml'];
    expect(await magpie(['check', ...config], { cwd })).toMatchObject({ code: 2 });
    writeFileSync(join(cwd, 'live', '.env'), keys, { mode: 0o600 });
    expect(await magpie(['check', ...config], { cwd })).toMatchObject({ code: 0 });
    expect(await magpie(['check', 'live/live.yaml'], { cwd })).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, 'other.env'), '', { mode: 0o600 });
    expect(await magpie(['check', ...config, '--env-file', 'other.env'], { cwd })).toMatchObject({ code: 2 });
  });

  it('that others may read are warned of, and their keys are shown nowhere', async () => {
    const cwd = place({ 'magpie.yaml': remote, '.env': `${keys}KEY OF\n` });
    chmodSync(join(cwd, '.env'), 0o644);
    const { code, out } = await magpie(['check', '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('.env:3:1: is no variable → write NAME=value');
    expect(out).toContain('.env:1:1: holds keys, and other users of this machine may read it → chmod 600 .env');
    expect(out).not.toContain('key-of-the-file');
  });

  it('that this user may not read, where nobody asked for them, are as if they were not there, and are told of', async () => {
    const cwd = place({ 'strategies/x.yaml': 'name: x\nwhen: { name: "*" }\nprice: { max: 1 }\n' });
    mkdirSync(join(cwd, '.env'));
    const { code, out } = await magpie(['check', '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('warning .env:1:1: is a folder, not a file');
    expect((await magpie(['doctor', '--config', 'magpie.yaml'], { cwd })).out).toContain(
      'warn  configuration  .env:1:1: is a folder',
    );
    expect(await magpie(['check', '--config', 'magpie.yaml', '--env-file', '.env'], { cwd })).toMatchObject({ code: 2 });
  });

  it('that are faulty keep nobody from halting', async () => {
    const cwd = place({ '.env': 'no variable\n' });
    ledgerAt(cwd).close();
    const halted = await magpie(['halt', '--reason', 'stop', '--config', 'magpie.yaml'], { cwd });
    expect(halted.err).toContain('.env:1:1: is no variable');
    writeFileSync(join(cwd, '.env'), '');
    expect(JSON.parse((await magpie(['status', '--json', '--config', 'magpie.yaml'], { cwd })).out)).toMatchObject({
      halted: true,
    });
  });
});
