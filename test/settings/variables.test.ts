import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseEnvFile } from '../../src/settings/env-file.ts';
import { formatFault } from '../../src/settings/file-fault.ts';
import { readVariables } from '../../src/settings/variables.ts';

function folder(files: Readonly<Record<string, string>>): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-variables-')));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(made, name, '..'), { recursive: true });
    writeFileSync(join(made, name), text, { mode: 0o600 });
  }
  return made;
}

const parsed = (text: string): Record<string, string> => Object.fromEntries(parseEnvFile(text, '.env').values);
const faultsOf = (text: string): string[] => parseEnvFile(text, '.env').faults.map(formatFault);

describe('a file of variables', () => {
  it('gives what Docker and systemd read from it', () => {
    const text = `# keys
MAGPIE_API_KEY=abc=def#ghi
  export MAGPIE_PARTNER_KEY = "in quotes # no comment"   # a comment
MAGPIE_TRADE_URL='https://steamcommunity.com/tradeoffer/new/?partner=1&token=a$b'
EMPTY=
BARE=two words   # a comment
`;
    expect(parsed(text)).toEqual({
      MAGPIE_API_KEY: 'abc=def#ghi',
      MAGPIE_PARTNER_KEY: 'in quotes # no comment',
      MAGPIE_TRADE_URL: 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=a$b',
      EMPTY: '',
      BARE: 'two words',
    });
    expect(parsed(text.replaceAll('\n', '\r\n'))).toEqual(parsed(text));
    expect(faultsOf(text)).toEqual([]);
  });

  it('ends a value at its own quote, whatever its comment holds', () => {
    expect(parsed(`A="abc" # the "old" one is "x"\nB='d' # don't\nC='{"e":"f"}'\nD="g#h" # 'i'\n`)).toEqual({
      ...{ A: 'abc', B: 'd', C: '{"e":"f"}', D: 'g#h' },
    });
    expect(faultsOf('A="abc"def"\n')).toHaveLength(1);
  });

  it('is faulty where a line is none, a name comes twice or quotes have no end, and no value is shown', () => {
    expect(faultsOf('MAGPIE_API_KEY: s3cret\nA=1\nA=2\n2B=s3cret\nC="s3cret\nexport\n')).toEqual([
      '.env:1:1: is no variable → write NAME=value; a comment begins with #',
      '.env:3:1: A stands there twice → take one of them out',
      '.env:4:1: is no variable → write NAME=value; a comment begins with #',
      '.env:5:9: the value of C has no end to its quotes → close them on the same line',
      '.env:6:1: is no variable → write NAME=value; a comment begins with #',
    ]);
  });
});

describe('the variables of a configuration', () => {
  it('come from the environment first, then files it names, then credentials, then .env beside the configuration', () => {
    const cwd = folder({
      '.env': 'MAGPIE_A=dotenv\nMAGPIE_B=dotenv\nMAGPIE_C=dotenv\nMAGPIE_D=dotenv\nMAGPIE_E=dotenv\n',
      'secrets/b': 'file\n',
      'credentials/MAGPIE_B': 'credential\n',
      'credentials/MAGPIE_C': 'credential',
      'credentials/not-a-name': 'x',
    });
    const env = {
      ...{ MAGPIE_A: 'environment', MAGPIE_A_FILE: join(cwd, 'secrets/b'), MAGPIE_B_FILE: 'secrets/b', MAGPIE_E: '' },
      ...{ CREDENTIALS_DIRECTORY: join(cwd, 'credentials'), SSL_CERT_FILE: '/nowhere' },
    };
    const { env: all, faults, warnings, file } = readVariables({ env, cwd, config: join(cwd, 'live.yaml') });
    expect({ faults, warnings, file }).toEqual({ faults: [], warnings: [], file: join(cwd, '.env') });
    expect(all).toMatchObject({ MAGPIE_A: 'environment', MAGPIE_B: 'file', MAGPIE_C: 'credential', MAGPIE_D: 'dotenv' });
    expect(all['MAGPIE_E'], 'set but empty is unset').toBe('dotenv');
  });

  it('come from no .env for the configuration that comes with Magpie, nor from one where there is none', () => {
    const cwd = folder({ '.env': 'A=1\n', 'sub/live.yaml': '' });
    expect(readVariables({ env: {}, cwd, config: undefined })).toMatchObject({ file: undefined, faults: [], env: {} });
    expect(readVariables({ env: {}, cwd, config: join(cwd, 'sub/live.yaml') })).toMatchObject({ file: undefined, faults: [] });
  });

  it('come from another file where one is named, which must then be there', () => {
    const cwd = folder({ '.env': 'A=1\n', 'keys.env': 'B=2\n' });
    const named = readVariables({ env: {}, cwd, config: join(cwd, 'live.yaml'), envFile: 'keys.env' });
    expect(named.env).toEqual({ B: '2' });
    const { faults } = readVariables({ env: {}, cwd, config: undefined, envFile: 'none.env' });
    expect(faults.map(formatFault)).toEqual([
      'none.env:1:1: there is no such file → check the path: it is relative to the folder that you are in',
    ]);
  });

  it('are faulty where a file for one of them is missing, empty or has two lines', () => {
    const cwd = folder({ empty: '', two: 'a\nb\n' });
    const env = { MAGPIE_A_FILE: 'none', MAGPIE_B_FILE: 'empty', MAGPIE_C_FILE: 'two' };
    const { faults } = readVariables({ env, cwd, config: undefined });
    expect(faults.map(({ message }) => message)).toEqual([
      'the file that MAGPIE_A_FILE names: there is no such file',
      'the file that MAGPIE_B_FILE names: it is empty',
      'the file that MAGPIE_C_FILE names: it has more than one line',
    ]);
  });

  it('are shown in no fault where a variable that should name a file holds the value itself', () => {
    const cwd = folder({});
    const key = 'live-key-of-an-account-0123456789';
    for (const value of [key, `${key}/x`]) {
      const { faults } = readVariables({ env: { MAGPIE_API_KEY_FILE: value }, cwd, config: undefined });
      expect(faults.map(formatFault).join()).toContain('MAGPIE_API_KEY_FILE');
      expect(JSON.stringify(faults)).not.toContain(key);
    }
  });

  it('are warned of where others may read them', () => {
    const cwd = folder({ '.env': 'A=1\n' });
    chmodSync(join(cwd, '.env'), 0o644);
    const { warnings } = readVariables({ env: {}, cwd, config: join(cwd, 'live.yaml') });
    expect(warnings.map(formatFault)).toEqual([
      '.env:1:1: holds keys, and other users of this machine may read it → chmod 600 .env',
    ]);
  });

  it('named like what every object has are only names', () => {
    const cwd = folder({ '.env': '__proto__=x\nconstructor=y\n' });
    const { env } = readVariables({ env: {}, cwd, config: join(cwd, 'live.yaml') });
    expect(Object.keys(env).sort()).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(env)).toBeNull();
  });
});
