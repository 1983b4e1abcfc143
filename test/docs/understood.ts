import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../scripts/command-reference.ts';
import { type Page, commandsOf } from './page.ts';

interface Shown {
  readonly line: number;
  /** From `magpie` or `npm run` on. */
  readonly words: string;
}

const program = commandLine();
const { scripts } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** What a page shows of commands, options and scripts that there is not, run or not, in blocks and in sentences. */
export function misunderstood(page: Page, text: string): string[] {
  return shownIn(page, text).flatMap(({ line, words }) =>
    wrongWith(words).map((wrong) => `${page.path}:${line} ${wrong}: ${words}`),
  );
}

function wrongWith(words: string): string[] {
  const script = /^npm run ([\w:-]+)/.exec(words)?.[1];
  if (script !== undefined) return script in scripts ? [] : [`there is no script ${script} in package.json`];
  const [, first = ''] = words.split(/\s+/);
  if (first === '' || first.startsWith('-')) return strangeOptions(words, program);
  const command = called(program, words.split(/\s+/).slice(1));
  if (command === program) return /^[a-z][a-z-]*$/.test(first) ? [`there is no command ${first}`] : [];
  return strangeOptions(words, command);
}

/** The command that words call: each word goes one deeper while there is a command of that name. */
function called(from: Command, words: readonly string[]): Command {
  const next = from.commands.find((each) => each.name() === words[0]);
  return next === undefined ? from : called(next, words.slice(1));
}

function strangeOptions(words: string, command: Command): string[] {
  const known = new Set(
    [...command.options, ...program.options].flatMap(({ long, short }) => [long, short]).concat('--help', '-h'),
  );
  // What stands in quotes is said, not asked for.
  const given = words.replace(/"[^"]*"|'[^']*'/g, '').match(/(?<=[\s[(|])--?[a-z][\w-]*/g) ?? [];
  return given.filter((option) => !known.has(option)).map((option) => `there is no option ${option}`);
}

const inSentence = /`(?:npx )?(magpie [^`]+|npm run [^`]+)`/g;
/** A user, a unit or a container of that name is no command: `sudo -u magpie magpie status`, `journalctl -u magpie -f`. */
const inBlock = /(?:^|[\s;&|(])(?<!-u )((?:magpie(?! magpie)|npm run) [^\n#;&>]*?)(?=$|[#;>]|&&| \| )/gm;

function shownIn({ blocks }: Page, text: string): Shown[] {
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const sentences = [...text.matchAll(inSentence)].map((match) => ({ line: lineAt(match.index), words: match[1] ?? '' }));
  const typed = blocks.flatMap((block) =>
    [...(commandsOf(block) ?? '').matchAll(inBlock)].map((match) => ({ line: block.line, words: (match[1] ?? '').trim() })),
  );
  return [...sentences, ...typed];
}
