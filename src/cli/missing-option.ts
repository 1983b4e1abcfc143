import { EventEmitter } from 'node:events';
import type { Command, CommanderError, Option } from 'commander';

/** What may stand behind an option that a command needs and was not given, and a line that has it; nothing for any other error. */
export function wordsOfMissing({ code, message }: CommanderError, program: Command, args: readonly string[]): readonly string[] {
  if (code !== 'commander.missingMandatoryOptionValue') return [];
  const command = commandOf(program, args);
  const option = command.options.find(({ flags }) => message.includes(`'${flags}'`));
  if (option === undefined) return [];
  const example = exampleOf(command);
  return [describedIn(option), ...(example === undefined ? [] : [`→ ${example}`])];
}

function describedIn({ long, argChoices, description }: Option): string {
  return `${long ?? 'it'}: ${description}${argChoices === undefined ? '' : `. Allowed choices are ${argChoices.join(', ')}.`}`;
}

/** The command, or the one below it, that the words name. */
function commandOf(program: Command, args: readonly string[]): Command {
  return args.reduce((at, word) => at.commands.find((below) => below.name() === word) ?? at, program);
}

/** The first example of a command's help: the text behind it is handed out only as the help is written. */
function exampleOf(command: Command): string | undefined {
  let help = '';
  if (command instanceof EventEmitter)
    command.emit('afterHelp', { error: true, command, write: (text: string) => (help += text) });
  return /^Examples?:\n {2}(.+)$/m.exec(help)?.[1];
}
