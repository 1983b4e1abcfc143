import { Argument } from 'commander';
import { type AddCommand, examples } from './command.ts';
import { commandTable } from './command-table.ts';
import { type Shell, completionScript, shells } from './completion-scripts.ts';
import { exits } from './exit.ts';

export const addCompletion: AddCommand = (program, { io, run }) => {
  program
    .command('completion')
    .summary('print what makes a shell complete commands and options')
    .description('Prints a script that makes a shell complete the commands, their options and the words that those take.')
    .addArgument(new Argument('<SHELL>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      examples('source <(magpie completion bash)', 'magpie completion fish > ~/.config/fish/completions/magpie.fish'),
    )
    .action((shell: Shell) =>
      run(() => {
        io.out.write(completionScript(shell, commandTable(program)));
        return exits.done;
      }),
    );
};
