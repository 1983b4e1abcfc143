import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dollarsFromMicros } from '../../src/domain/money.ts';
import { accountsOf } from '../../src/sandbox/accounts.ts';
import { loadLocalSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { micros } from '../../src/domain/money.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { magpie } from './harness.ts';

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What was written, as a start would take it. */
function taken(folder: string): { limits: unknown; health: unknown; mode: unknown; data: unknown; strategy: unknown } {
  const loaded = loadLocalSettings({ file: 'live.yaml', env: {}, cwd: folder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const { limits, feed, mode, data, strategies } = loaded.settings;
  const read = loadStrategies(strategies);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const { maxPrice, spend } = limits;
  const dollars = [maxPrice, spend.hour, spend.day, spend.total].map((amount) => amount && dollarsFromMicros(amount));
  return { limits: dollars, health: feed.health.require, mode, data, strategy: read.strategies.map(({ text }) => text).join() };
}

describe('init', () => {
  it('writes a configuration that buys nothing yet, .env for the owner alone, and a strategy, all of which are sound', async () => {
    const cwd = freshFolder();
    const { code, out, err } = await magpie(['init', 'mine', '--yes'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Wrote mine/live.yaml, mine/.env, mine/strategies/first.yaml and, for your editor, mine/schemas
      Checked: configuration and 1 strategy, no faults.

      Next:
      Put the address and your keys into mine/.env.
      Then see whether everything is as it should be, and what would be bought now:
          magpie doctor --config mine/live.yaml
          magpie run --once --config mine/live.yaml
      "
    `);
    const folder = join(cwd, 'mine');
    expect(mode(join(folder, '.env'))).toBe('600');
    expect(taken(folder)).toMatchObject({
      limits: [20, 40, 100, 500],
      health: 'ok',
      mode: 'dry-run',
      data: join(folder, 'data'),
    });
    const env = readFileSync(join(folder, '.env'), 'utf8');
    for (const name of ['MAGPIE_BASE_URL', 'MAGPIE_API_KEY', 'MAGPIE_PARTNER_KEY', 'MAGPIE_TRADE_URL'])
      expect(env).toContain(`\n${name}=\n`);
    const check = await magpie(['check', '--config', 'mine/live.yaml'], { cwd });
    expect(check.out, 'what is to be filled in is named').toContain('the environment variable MAGPIE_BASE_URL');
  });

  it('asks a few questions at a terminal, again where an answer cannot be right, and takes an empty one for the usual', async () => {
    const cwd = freshFolder();
    const answers = [
      'ftp://x',
      'https://market.example',
      'perhaps',
      'n',
      'much',
      '12.50',
      '$30',
      '200',
      'AWP | "Quoted" *',
      '0',
      '70 %',
    ];
    const { code, out } = await magpie(['init'], { cwd, answers });
    expect(code).toBe(0);
    expect(out.match(/That should be .*/g)).toEqual([
      'That should be an address such as https://host.',
      'That should be yes or no.',
      'That should be an amount in dollars above 0, such as 20 or 12.50.',
      'That should be a number above 0, at most 100.',
    ]);
    expect(taken(cwd)).toMatchObject({ limits: [12.5, 12.5, 30, 200], health: 'off' });
    expect(taken(cwd).strategy).toContain('name: "AWP | \\"Quoted\\" *"');
    expect(taken(cwd).strategy).toContain('maxOfSteam: 0.7 ');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toContain('MAGPIE_BASE_URL=https://market.example\n');
    const usual = freshFolder();
    expect(await magpie(['init'], { cwd: usual, answers: ['', '', '', '', '', '', ''] })).toMatchObject({ code: 0 });
    expect(taken(usual)).toMatchObject({ limits: [20, 40, 100, 500], health: 'ok' });
  });

  it('takes no bound that is tighter than another below it, and offers none', async () => {
    const cwd = freshFolder();
    const asked = await magpie(['init'], { cwd, answers: ['', '', '150', '100', '', '90', '600', '', ''] });
    expect(asked.out.match(/That should be .*/g)).toEqual([
      'That should be at least what one purchase may cost, $150.00.',
      'That should be at least what a day may cost, $150.00.',
    ]);
    expect(asked.out).toContain('in any 24 hours [150]: ');
    expect(taken(cwd).limits).toEqual([150, 150, 150, 600]);
    const wide = freshFolder();
    expect(await magpie(['init', '--yes', '--max-price', '700'], { cwd: wide })).toMatchObject({ code: 0 });
    expect(taken(wide).limits).toEqual([700, 700, 700, 700]);
    const refused = await magpie(['init', '--yes', '--max-price', '50', '--per-day', '40'], { cwd: freshFolder() });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('--per-day 40: should be at least what one purchase may cost, $50.00');
  });

  it('does not ask for what the options say', async () => {
    const cwd = freshFolder();
    const options = ['--service', 'https://market.example', '--no-health', '--max-price', '5', '--per-day', '6', '--in-all', '7'];
    const { code, out } = await magpie(['init', ...options, '--item', '*', '--data', 'state'], { cwd, answers: ['50'] });
    expect(code).toBe(0);
    expect(out.split('Wrote')[0]).toBe("At most for how many per cent of Steam's price [65]: ");
    expect(taken(cwd)).toMatchObject({ limits: [5, 5, 6, 7], health: 'off', data: join(cwd, 'state') });
  });

  it('writes nothing where whoever is asked goes away, an option is wrong, or nobody can be asked', async () => {
    const cwd = freshFolder();
    expect(await magpie(['init', 'a'], { cwd, answers: ['', ''] })).toMatchObject({ code: 1 });
    expect(await magpie(['init', 'a', '--yes', '--max-price', '-3'], { cwd })).toMatchObject({ code: 2 });
    expect(await magpie(['init', 'a', '--yes', '--config', 'x.yaml'], { cwd })).toMatchObject({ code: 2 });
    const { code, err } = await magpie(['init', 'a'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('`magpie init DIR --yes` takes what is usual');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each(['live.yaml', '.env', 'strategies/first.yaml'])(
    'never overwrites %s, and then writes nothing else either',
    async (name) => {
      const cwd = freshFolder();
      mkdirSync(join(cwd, 'strategies'));
      writeFileSync(join(cwd, name), 'mine');
      const { code, err } = await magpie(['init', '--yes'], { cwd });
      expect(code).toBe(2);
      expect(err).toContain(`${name}: there already, and nothing is ever overwritten. Nothing was written.`);
      expect(readFileSync(join(cwd, name), 'utf8')).toBe('mine');
      expect(['live.yaml', '.env', 'strategies/first.yaml', 'schemas'].filter((one) => existsSync(join(cwd, one)))).toEqual([
        name,
      ]);
    },
  );

  it('says why a folder cannot be written, and leaves nothing behind', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine', 'strategies'), 'a file');
    const { code, err } = await magpie(['init', 'mine', '--yes'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('mine/strategies/first.yaml: ');
    expect(err).toContain('Nothing was written.');
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['strategies']);
  });

  it('for the sandbox has the keys that `magpie sandbox` prints', async () => {
    const cwd = freshFolder();
    expect(await magpie(['init', '--sandbox', '--yes'], { cwd })).toMatchObject({ code: 0 });
    const [top, child] = accountsOf(7, 1, micros(0));
    const env = readFileSync(join(cwd, '.env'), 'utf8');
    for (const part of ['http://127.0.0.1:4010', top?.key, child?.key, child?.tradeUrl]) expect(env).toContain(`=${part}\n`);
    expect(await magpie(['check', '--config', 'live.yaml'], { cwd })).toMatchObject({ code: 0 });
  });
});
