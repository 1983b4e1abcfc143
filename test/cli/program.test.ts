import { describe, expect, it } from 'vitest';
import { buyableMarkets } from '../../src/domain/readings.ts';
import { magpie, place } from './harness.ts';

const commands = ['run', 'sandbox', 'check', 'why', 'status', 'purchases', 'buy', 'reconcile', 'resolve', 'halt', 'resume'];

describe('the command line', () => {
  it('lists every command, and explains each with an example and the options that all share', async () => {
    const cwd = place();
    const { code, out, err } = await magpie(['--help'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const name of commands) {
      expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
      const help = await magpie([name, '--help'], { cwd });
      expect(help.code).toBe(0);
      expect(help.out).toMatch(/^Examples?:\n  magpie /m);
      expect(help.out).toContain('--config <FILE>');
      expect(help.out).toContain('--data <DIR>');
    }
  });

  it('takes the shared options before and after the command', async () => {
    const cwd = place();
    const before = await magpie(['--config', 'magpie.yaml', '--data', 'elsewhere', 'status', '--json'], { cwd });
    const after = await magpie(['status', '--json', '--config', 'magpie.yaml', '--data', 'elsewhere'], { cwd });
    expect(before).toEqual(after);
    expect(JSON.parse(after.out)).toMatchObject({ config: `${cwd}/magpie.yaml`, data: `${cwd}/elsewhere` });
  });

  it('prints the version of the package', async () => {
    const { code, out } = await magpie(['--version'], { cwd: place() });
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('answers what it does not know with exit 2, and the nearest that it knows', async () => {
    const cwd = place();
    const wrong = [
      ['statsu'],
      ['status', '--jsno'],
      ['purchases', '--state', 'bougt'],
      ['run', '--for', '30 sec'],
      ['run', '--for', '0s'],
      ['buy', '1'],
      ['halt'],
      [],
    ];
    const said = [];
    for (const args of wrong) {
      const { code, out, err } = await magpie(args, { cwd });
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      said.push(err.split('\n').slice(0, 2).join(' | '));
    }
    expect(said.join('\n')).toMatchInlineSnapshot(`
      "error: unknown command 'statsu' | (Did you mean status?)
      error: unknown option '--jsno' | (Did you mean --json?)
      error: option '--state <STATE>' argument 'bougt' is invalid. It is none of intended, unknown, bought, completed, refunded, rejected, expired, simulated. Did you mean bought? | 
      error: option '--for <DURATION>' argument '30 sec' is invalid. A duration above 0 is needed, such as 30s, 15m or 8h. Did you mean 30s? | 
      error: option '--for <DURATION>' argument '0s' is invalid. A duration above 0 is needed, such as 30s, 15m or 8h. | 
      error: required option '--market <MARKET>' not specified | --market: where it is offered. Allowed choices are c5game, ecosteam.
      error: required option '--reason <TEXT>' not specified | --reason: why; shown until buying is resumed
      Usage: magpie [options] [command] | "
    `);
  });

  it('shows a line that has what a command lacks, also of a command below another', async () => {
    const cwd = place();
    const { err } = await magpie(['buy', '1'], { cwd });
    expect(err.split('\n').slice(1)).toEqual([
      `--market: where it is offered. Allowed choices are ${[...buyableMarkets].join(', ')}.`,
      '→ magpie buy 800000037 --market c5game --config live.yaml',
      '',
    ]);
    expect((await magpie(['halt'], { cwd })).err).toContain('\n→ magpie halt --config live.yaml --reason "prices look odd"\n');
    expect((await magpie(['treasury', 'halt'], { cwd })).err).toMatch(/\n→ magpie treasury halt .*--reason /);
    const { out } = await magpie(['buy', '1', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ ok: false, message: expect.stringContaining('Allowed choices are') as string });
  });

  it('points from a command that there is none of to those that there are', async () => {
    const { err } = await magpie(['frobnicate'], { cwd: place() });
    expect(err).toBe("error: unknown command 'frobnicate'\n→ `magpie --help` lists the commands\n");
  });

  it('says in words that a file given to it is not there', async () => {
    const cwd = place();
    const why = await magpie(['why', '--listing', 'nosuch.json', '--config', 'magpie.yaml'], { cwd });
    const sandbox = await magpie(['sandbox', '--snapshot', 'nosuch.json'], { cwd });
    expect([why.code, sandbox.code]).toEqual([2, 2]);
    expect(why.err + sandbox.err).toMatchInlineSnapshot(`
      "--listing nosuch.json cannot be read: there is no such file → check the path: it is relative to the folder that you are in
      --snapshot nosuch.json: there is no such file → check the path: it is relative to the folder that you are in
      "
    `);
  });

  it('shows nothing raw of what was typed [S18]', async () => {
    const { err, out } = await magpie(['\u001b[2Jstatus\u202e'], { cwd: place() });
    for (const raw of ['\u001b', '\u202e']) expect(out + err).not.toContain(raw);
    expect(err).toContain('\\u001b[2Jstatus\\u202e');
  });

  it('is coloured on a terminal only, and not there where NO_COLOR is set', async () => {
    const cwd = place();
    const colour = '\u001b[';
    const check = async (given: { columns?: number; env?: Record<string, string> }): Promise<string> =>
      (await magpie(['check', 'magpie.yaml'], { cwd, ...given })).out;
    expect(await check({ columns: 80 })).toContain(colour);
    expect(await check({})).not.toContain(colour);
    expect(await check({ columns: 80, env: { NO_COLOR: '1' } })).not.toContain(colour);
    expect(await check({ columns: 80, env: { NO_COLOR: '' } })).toContain(colour);
    expect(await check({ columns: 80, env: { TERM: 'dumb' } })).not.toContain(colour);
  });
});

describe('secrets', () => {
  const env = {
    MAGPIE_API_KEY: 'canary-api-key-1',
    MAGPIE_PARTNER_KEY: 'canary-partner-key-2',
    MAGPIE_TRADE_URL: 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=canary3',
    MAGPIE_WEB_TOKEN: 'canary-web-token-0123456789',
  };
  const live = `service: { baseUrl: "http://127.0.0.1:9" }
account: { apiKey: "\${MAGPIE_API_KEY}", partnerKey: "\${MAGPIE_PARTNER_KEY}", tradeUrl: "\${MAGPIE_TRADE_URL}" }
limits: { maxPrice: 5, spend: { day: 20 } }
web: { host: 127.0.0.1, port: 8787, token: "\${MAGPIE_WEB_TOKEN}" }
mode: live
`;

  it('appear in no output, whatever brought them there [S1 S3]', async () => {
    const cwd = place({ 'live.yaml': live, 'canary-api-key-1/magpie.yaml': live });
    const lines = [
      ['status', '--config', 'live.yaml'],
      ['status', '--config', 'canary-api-key-1/magpie.yaml', '--json'],
      ['status', '--config', 'live.yaml', '--data', 'canary-partner-key-2'],
      ['halt', '--config', 'live.yaml', '--reason', 'canary-api-key-1 and canary3 leaked'],
      ['check', 'live.yaml', 'canary-web-token-0123456789.yaml'],
      ['why', 'canary-partner-key-2', '--config', 'live.yaml'],
    ];
    for (const args of lines) {
      const { out, err } = await magpie(args, { cwd, env });
      expect({ args, told: out + err !== '', leaked: (out + err).includes('canary') }).toEqual({
        args,
        told: true,
        leaked: false,
      });
    }
  });
});
