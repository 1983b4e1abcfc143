import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandLine, everyCommand, nameOf } from '../../scripts/command-reference.ts';
import { magpie, place } from './harness.ts';

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('docs/commands.md', () => {
  it('has a section for each command that --help shows, and each option that its help explains', async () => {
    const cwd = place();
    const listed = (await magpie(['--help'], { cwd })).out.matchAll(/^ {2}([a-z]\w*) .*$/gm);
    const names = [...listed].map(([, name]) => name).filter((name) => name !== 'help');
    expect(new Set(everyCommand().map((command) => nameOf(command).split(' ')[1]))).toEqual(new Set(names));
    for (const command of everyCommand()) {
      const words = nameOf(command).split(' ').slice(1);
      const { out } = await magpie([...words, '--help'], { cwd });
      const section = page.split(/^## /m).find((each) => each.startsWith(`${nameOf(command)}\n`)) ?? '';
      const own = out.split('Global Options:')[0] ?? '';
      const options = [...own.matchAll(/^ {2}((?:-\w, )?--[\w-]+)/gm)].map(([, option]) => option ?? '');
      for (const option of options.filter((each) => each !== '-h, --help')) expect(section).toContain(`| \`${option}`);
      for (const [example] of out.matchAll(/^ {2}magpie .*$/gm)) expect(section).toContain(`\n${example.trim()}\n`);
    }
  });

  it('says what each exit code means, as `magpie --help` does', async () => {
    const { out } = await magpie(['--help'], { cwd: place() });
    const codes = [...out.matchAll(/^ {2}(\d) {2}(.*)$/gm)];
    expect(codes.map(([, code]) => code)).toEqual(['0', '1', '2', '3']);
    for (const [, code, text] of codes) expect(page).toContain(`| ${code} | ${text} |`);
  });
});

describe('the table of commands in README.md', () => {
  const rows = readme.split('\n').filter((line) => line.startsWith('| `magpie '));
  const shown = rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`(magpie [^`]+)`/g)].map(([, words]) => words ?? ''));

  it('has every command', () => {
    const missing = everyCommand().filter((command) => !shown.some((words) => `${words} `.startsWith(`${nameOf(command)} `)));
    expect(missing.map(nameOf)).toEqual([]);
  });

  it('has no command that there is not', () => {
    const names = everyCommand().map(nameOf);
    expect(shown.filter((words) => !names.some((name) => `${words} `.startsWith(`${name} `)))).toEqual([]);
    expect(commandLine().commands.length).toBeGreaterThan(0);
  });
});
