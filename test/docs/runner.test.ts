import { describe, expect, it } from 'vitest';
import { commandsOf, readPage } from './page.ts';
import { hasCommands, runPage } from './run-page.ts';
import { misunderstood } from './understood.ts';

const page = (...lines: string[]): string => lines.join('\n');
const sh = (...lines: string[]): string[] => ['```sh', ...lines, '```'];
const faultsOf = (...lines: string[]): readonly string[] => readPage('README.md', page(...lines)).faults;
const wrongIn = async (...lines: string[]): Promise<string> =>
  (await runPage(readPage('README.md', page(...lines)))).join('\n').split('\n').slice(0, 2).join(' | ');

describe('a page that is marked wrongly', () => {
  it('is faulty where a block is left out without a reason', () => {
    expect(faultsOf('<!-- not run -->', ...sh('false'), '<!-- not run: -->', ...sh('false'))).toEqual([
      'README.md:1 says not why the block is not run: "not run"',
      'README.md:5 says not why the block is not run: "not run:"',
    ]);
  });

  it('is faulty with a mark that nobody knows, or that stands before no block', () => {
    expect(
      faultsOf('<!-- skip: later -->', ...sh('true'), '<!-- background -->', 'Some words.', '<!-- session: mine -->'),
    ).toEqual([
      'README.md:1 is no mark that is known: "skip: later"',
      'README.md:5 marks no block: "background" must stand right before one',
      'README.md:7 begins a session of no known kind: mine',
    ]);
  });

  it('is faulty where commands would pass for something else', () => {
    expect(faultsOf('    magpie status', '```bash', 'false', '```', '```', 'false', '```', '```sh', 'never ended')).toEqual([
      'README.md:1 shows a command by its indent: put it between ```sh and ```',
      'README.md:2 opens a block without saying what it is: `sh` for commands, `text` for what is read',
      'README.md:5 opens a block without saying what it is: `sh` for commands, `text` for what is read',
      'README.md:8 opens a block that never ends',
    ]);
  });

  it('is found to show what there is not, whether or not it is run', () => {
    const text = page(
      'First `magpie statsu`, then `magpie status --jsno`, `npm run nothing`; `magpie purchases [--state S]` is there.',
      '<!-- not run: only read -->',
      ...sh(
        'cd x && magpie notify test --chanel discord   # --not-this',
        'magpie halt --reason "of --late"',
        'sudo -u magpie magpie statsu',
        'journalctl -u magpie -f',
      ),
    );
    expect(misunderstood(readPage('README.md', text), text)).toEqual([
      'README.md:1 there is no command statsu: magpie statsu',
      'README.md:1 there is no option --jsno: magpie status --jsno',
      'README.md:1 there is no script nothing in package.json: npm run nothing',
      'README.md:3 there is no option --chanel: magpie notify test --chanel discord',
      'README.md:3 there is no command statsu: magpie statsu',
    ]);
  });
});

describe('a page that does not do as it says', () => {
  it.each([
    ['a command fails', 'README.md:1 ended with 1, not 0: | false', sh('false', 'true')],
    ['a command fails at the head of a pipe', 'README.md:1 ended with 1, not 0: | false | cat', sh('false | cat')],
    ['a later block fails', 'README.md:4 ended with 3, not 0: | exit 3', [...sh('true'), ...sh('exit 3')]],
    ['a block in a list fails', 'README.md:2 ended with 1, not 0: | false', ['1. So:', '   ```sh', '   false', '   ```']],
    ['typed lines of a console fail', 'README.md:1 ended with 1, not 0: | false', ['```console', '$ false', 'said', '```']],
    ['what is run unseen fails', 'README.md:1 ended with 1, not 0: | false', ['<!-- run:', 'false', '-->']],
    [
      'it ends with 0 where it was to end otherwise',
      'README.md:2 ended with 0, not 2: | true',
      ['<!-- ends with: 2, it is faulty on purpose -->', ...sh('true')],
    ],
    [
      'what was to go on ends',
      'README.md:2 it was to go on, and ended with 0: | gone',
      ['<!-- background until: here -->', ...sh('echo gone')],
    ],
    [
      'what goes on ends badly',
      'README.md at its end: what ran in the background ended with 7: | here',
      ['<!-- background until: here -->', ...sh("trap 'exit 7' INT", 'echo here', 'while :; do sleep 0.1; done')],
    ],
    [
      'a word stands for nothing',
      'README.md:2 nothing of the kind that a word stands for has been made yet',
      ['<!-- with: ID = newest purchase -->', ...sh('echo ID')],
    ],
  ] as const)('is found where %s', async (_, told, lines) => {
    expect(await wrongIn(...lines)).toBe(told);
  });
});

describe('a page that does as it says', () => {
  it('is one session: folder, variables, files and words go on, and its service answers', async () => {
    const told = await wrongIn(
      '<!-- session: account -->',
      '<!-- with: PORT = a free port; /mnt/elsewhere = a folder -->',
      ...sh('mkdir sub && cd sub', 'export GIVEN=PORT', 'test -d /mnt/elsewhere'),
      '<!-- file: some.yaml -->',
      ...['```yaml', 'a: 1', '```'],
      '<!-- appended to: some.yaml -->',
      ...['```yaml', 'b: 2', '```'],
      '<!-- not run: it would fail -->',
      ...sh('false'),
      '<!-- ends with: 1, there is no c -->',
      ...['```console', '$ grep \\', '    c some.yaml', 'nothing', '```'],
      ...sh(
        'test "$GIVEN" = PORT && test "$GIVEN" -gt 0',
        'test "$(cat some.yaml)" = "$(printf "a: 1\\nb: 2")"',
        'test -f ../live.yaml',
      ),
      ...sh(
        `node -e 'fetch(process.argv[1]).then(({ status }) => process.exit(status === 401 ? 0 : 1))' "$MAGPIE_BASE_URL/v1/user"`,
      ),
      '<!-- background until: here -->',
      ...sh("trap 'touch ended; exit 0' INT", 'echo here', 'while :; do sleep 0.1; done'),
      '<!-- stop first -->',
      ...sh('test -f ended'),
    );
    expect(told).toBe('');
  });

  it('begins with nothing where it says so', async () => {
    expect(
      await wrongIn('<!-- session: bare -->', ...sh('test -z "$(ls)"', 'test -z "${MAGPIE_BASE_URL:-}${MAGPIE_API_KEY:-}"')),
    ).toBe('');
  });

  it('is one only if it has something that is run', () => {
    expect(hasCommands(readPage('README.md', page('<!-- not run: only read -->', ...sh('x'), '```text', 'y', '```')))).toBe(
      false,
    );
    expect(hasCommands(readPage('README.md', page(...sh('x'))))).toBe(true);
    expect(commandsOf({ line: 1, language: 'yaml', text: 'x', marks: {} })).toBeUndefined();
  });
});
