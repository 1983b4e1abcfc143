import { type Argument, type Command, Help, type Option } from 'commander';
import { createIo } from '../src/cli/io.ts';
import { createProgram } from '../src/cli/program.ts';
import { exitTexts } from '../src/cli/exit.ts';
import { SystemClock } from '../src/app/system-clock.ts';

/** The command line that `--help` explains; its commands do nothing when they are called. */
export function commandLine(): Command {
  return createProgram({ io: silent(() => undefined), run: () => Promise.resolve() });
}

/** Every command that a person can type, `notify test` among them, in the order of `--help`. */
export function everyCommand(): Command[] {
  return leaves(commandLine());
}

function leaves(command: Command): Command[] {
  const shown = command.createHelp().visibleCommands(command);
  const below = command.commands.filter((each) => shown.includes(each));
  return command.commands.length === 0 ? [command] : below.flatMap(leaves);
}

/** Words of an option or argument, with its choices and its default, as `--help` has them. */
const help = new Help();

/** What is typed to call it: `magpie notify test`. */
export function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

const head = (note: string): string => `# Commands

${note}

What \`magpie --help\` and \`magpie COMMAND --help\` say, on one page. In \`[ ]\` stands what may be left out, in \`< >\` what you fill in.
What a message means: [troubleshooting.md](troubleshooting.md).

## For every command

`;

/** docs/commands.md: usage, arguments, options, notes and examples of every command, and the exit codes. */
export function commandsPage(note: string): string {
  const program = commandLine();
  const shared = optionTable(program.options);
  const codes = Object.entries(exitTexts).map(([code, text]) => `| ${code} | ${text} |`);
  const exitTable = ['| exit code | what it says |', '| --- | --- |', ...codes].join('\n');
  const json = 'Every command that reads takes `--json`: one JSON document on the standard output, and nothing else there.';
  const sections = everyCommand().map(section);
  return `${head(note)}${shared}\n\n${json}\n\n${exitTable}\n\n${sections.join('\n\n')}\n`;
}

function section(command: Command): string {
  const { notes, examples } = afterHelp(command);
  const parts = [
    `## ${nameOf(command)}`,
    command.description(),
    block(`${nameOf(command)} ${command.usage()}`.trim()),
    argumentTable(command.registeredArguments),
    optionTable(command.options),
    ...notes,
    examples.length === 0 ? '' : `${examples.length === 1 ? 'Example' : 'Examples'}:\n\n${block(examples.join('\n'))}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Text to read and not to run: examples name files and purchases that only their reader has. */
function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function argumentTable(args: readonly Argument[]): string {
  return table(
    'argument',
    args.map((each) => [
      each.required ? `<${each.name()}>` : `[${each.name()}${each.variadic ? '...' : ''}]`,
      help.argumentDescription(each),
    ]),
  );
}

function optionTable(options: readonly Option[]): string {
  return table(
    'option',
    options.map((each) => [each.flags, `${help.optionDescription(each)}${each.mandatory ? ' (required)' : ''}`]),
  );
}

function table(head: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const lines = rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`);
  return [`| ${head} | what it does |`, '| --- | --- |', ...lines].join('\n');
}

interface AfterHelp {
  readonly notes: readonly string[];
  readonly examples: readonly string[];
}

/** What stands in the help of a command behind its options: commander prints it, and keeps it nowhere else. */
function afterHelp(command: Command): AfterHelp {
  let told = '';
  command.configureOutput({ writeOut: (text) => void (told += text) });
  command.outputHelp();
  const own = told.slice(command.helpInformation().length);
  const [notes = '', examples = ''] = own.split(/^Examples?:\n/m);
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return { notes: lines(notes), examples: lines(examples) };
}

/** An outside for a command line that only explains itself. */
function silent(write: (text: string) => void): Parameters<typeof createProgram>[0]['io'] {
  const outlet = { write, isTerminal: false, columns: undefined };
  return createIo({
    ...{ stdout: outlet, stderr: outlet, env: {}, cwd: '.', clock: new SystemClock() },
    onSignal: () => () => undefined,
  });
}
