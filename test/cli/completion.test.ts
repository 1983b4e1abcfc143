import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/api/endpoints.ts';
import { purchaseStates } from '../../src/domain/purchase.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { isInstalled, ran } from '../support/programs.ts';
import { magpie } from './harness.ts';

async function script(shell: string): Promise<string> {
  const { code, out, err } = await magpie(['completion', shell], { cwd: '/' });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

async function commands(): Promise<string[]> {
  const { out } = await magpie(['--help'], { cwd: '/' });
  const listed = out.slice(out.indexOf('Commands:')).match(/^ {2}([a-z]+)/gm) ?? [];
  return listed.map((line) => line.trim()).filter((name) => name !== 'help');
}

/** A folder with a configuration, a folder of strategies, and a name that needs care. */
function scene(): string {
  const cwd = freshFolder();
  mkdirSync(join(cwd, 'live folder'));
  for (const name of ['live.yaml', 'other.txt']) writeFileSync(join(cwd, name), '');
  return cwd;
}

type Complete = (line: string) => Promise<string[]>;

/** Words are parted by blanks; what is being typed is the last one, empty behind a blank. */
const inBash: Complete = async (line) => {
  const words = line.split(' ');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const program = `${await script('bash')}
set -u
complete -p magpie >/dev/null
COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1} COMPREPLY=()
_magpie
((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(ran('bash', ['--norc', '--noprofile', '-c', program], scene()));
};

/** The script as it is, with the functions of zsh's completion that would draw on a screen taken for printing. */
const inZsh: Complete = async (line) => {
  const words = line.split(' ');
  const stubs = `compdef() { : }
_describe() { [[ $1 == -o ]] && shift; print -l -- \${\${(P)2}%%:*} }
_files() { [[ $1 == -/ ]] && print -l -- *(/N) || print -l -- *(N) }
compadd() { shift; print -l -- $@ }
`;
  const typed = `words=(${words.map((word) => `'${word}'`).join(' ')}) CURRENT=${words.length} PREFIX='${words.at(-1)}'\n_magpie\n`;
  const all = lines(ran('zsh', ['-f', '-c', `${stubs}${await script('zsh')}${typed}`], scene()));
  return all.filter((word) => word.startsWith(words.at(-1) ?? ''));
};

const inFish: Complete = async (line) => {
  const program = `${await script('fish')}\ncomplete -C '${line}'`;
  return lines(ran('fish', ['--no-config', '-c', program], scene())).map((found) => found.split('\t')[0] ?? '');
};

function lines({ code, out, err }: ReturnType<typeof ran>): string[] {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').filter((found) => found !== '');
}

describe.each([
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
] as const)('completion in %s', (shell, complete) => {
  it.runIf(isInstalled(shell))('offers every command that --help shows', async () => {
    expect((await complete('magpie ')).sort()).toEqual((await commands()).sort());
    expect((await complete('magpie res')).sort()).toEqual(['resolve', 'restore', 'resume']);
  });

  it.runIf(isInstalled(shell))(
    'offers a command’s own options and those that all share, behind whatever came before',
    async () => {
      for (const before of ['magpie', 'magpie --config run']) {
        const options = await complete(`${before} run --`);
        expect(options).toEqual(
          expect.arrayContaining(['--dry-run', '--once', '--for', '--strategies', '--config', '--data', '--env-file', '--help']),
        );
        expect(options).not.toContain('--state');
      }
      expect(await complete('magpie notify ')).toEqual(['test']);
      expect(await complete('magpie notify test --chan')).toEqual(['--channel']);
    },
  );

  it.runIf(isInstalled(shell))('offers the words that an option or an argument takes', async () => {
    expect((await complete('magpie purchases --state ')).sort()).toEqual(Object.keys(purchaseStates).sort());
    expect(await complete('magpie purchases --state un')).toEqual(['unknown']);
    expect((await complete('magpie resolve 12 --as ')).sort()).toEqual(['bought', 'not-bought']);
    expect((await complete('magpie notify test --channel ')).sort()).toEqual(['command', 'discord', 'telegram', 'webhook']);
    expect(await complete('magpie export ')).toEqual(['purchases']);
    expect((await complete('magpie completion ')).sort()).toEqual(['bash', 'fish', 'zsh']);
  });

  it.runIf(isInstalled(shell))('offers the methods and the paths of the partner API, each path behind its method', async () => {
    expect((await complete('magpie api ')).sort()).toEqual(['GET', 'POST']);
    const posts = Object.values(endpoints).filter(({ method }) => method === 'POST');
    expect((await complete('magpie --config live.yaml api --yes POST ')).sort()).toEqual(posts.map(({ path }) => path).sort());
    expect((await complete('magpie api get /v1/market/item')).sort()).toEqual([
      '/v1/market/item/{id}',
      '/v1/market/item/{id}/overview',
      '/v1/market/items',
    ]);
    expect(await complete('magpie api GET --query q=redline /v2/market/search/')).toEqual(['/v2/market/search/suggestions']);
    expect(await complete('magpie api GET /v1/user ')).toEqual([]);
  });

  it.runIf(isInstalled(shell))('offers files where one is asked for, and folders alone where a folder is', async () => {
    const names = (found: string[]): string[] => found.map((name) => name.replace(/\/$/, '')).sort();
    expect(names(await complete('magpie run --config '))).toEqual(['live folder', 'live.yaml', 'other.txt']);
    expect(names(await complete('magpie run --data '))).toEqual(['live folder']);
    expect(await complete('magpie run --for ')).toEqual([]);
  });
});

describe('completion', () => {
  it('is for shells that it knows', async () => {
    expect(await magpie(['completion', 'tcsh'], { cwd: '/' })).toMatchObject({ code: 2 });
  });
});
