import { Command, CommanderError } from 'commander';
import { printable } from '../domain/text.ts';
import { JournalFailure } from '../engine/journal.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import { addApi } from './api.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { addBacktest } from './backtest.ts';
import { addCalibrate } from './calibrate.ts';
import { addBuy } from './buy.ts';
import { addCheck } from './check.ts';
import { addCompletion } from './completion.ts';
import { addConformance } from './conformance.ts';
import type { AddCommand, Context, SharedOptions } from './command.ts';
import { addDoctor } from './doctor.ts';
import { addRun } from './run.ts';
import { addSandbox } from './sandbox.ts';
import { addStatus } from './status.ts';
import { versionOf } from './version.ts';
import { addWhy } from './why.ts';
import { addExport } from './export.ts';
import { CommandFailure, type ExitCode, exitTexts, exits } from './exit.ts';
import { addHalt } from './halt.ts';
import { addInit } from './init.ts';
import type { Io, Voice } from './io.ts';
import { addNotify } from './notify.ts';
import { addFees, addLedger, addTransactions, addWallet } from './account-pages.ts';
import { addSearch } from './search.ts';
import { type Failing, printFailure } from './json.ts';
import { wordsOfMissing } from './missing-option.ts';
import { addPartner } from './partner.ts';
import { addPurchases } from './purchases.ts';
import { addRecord } from './record.ts';
import { addRecording } from './recording.ts';
import { addReconcile } from './reconcile.ts';
import { addResolve } from './resolve.ts';
import { addRestore } from './restore.ts';
import { addResume } from './resume.ts';
import { addTreasury } from './treasury.ts';
import { addSweep } from './sweep.ts';
import { hideEnvironment } from './variables.ts';

/** Every command, in the order in which `--help` shows them. */
const commands: readonly AddCommand[] = [
  addInit,
  addRun,
  addSandbox,
  addCheck,
  addDoctor,
  addWhy,
  addStatus,
  addPurchases,
  addBacktest,
  addSweep,
  addCalibrate,
  addBuy,
  addReconcile,
  addAudit,
  addResolve,
  addHalt,
  addResume,
  addNotify,
  addBackup,
  addRestore,
  addExport,
  addRecord,
  addRecording,
  addSearch,
  addWallet,
  addLedger,
  addTransactions,
  addFees,
  addPartner,
  addTreasury,
  addApi,
  addConformance,
  addCompletion,
];

/** Runs one command line, without the program's own name. Returns the exit code; never rejects. */
export async function runProgram(args: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exits.done;
  const run: Context['run'] = async (work) => {
    code = await work();
  };
  // Before a word is said of what was typed.
  hideEnvironment(io);
  const program = createProgram({ io, run });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    const more = error instanceof CommanderError ? wordsOfMissing(error, program, args) : [];
    const failing = failed(error, io, more);
    if (failing.code !== exits.done && wantsJson(args)) printFailure(io, failing);
    return failing.code;
  }
}

/** Told by the words themselves: a command line that is wrong is not understood, and its reader waits for a document all the same. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** The whole command line, each command with its options and its help. Nothing runs but what `context.run` is handed. */
export function createProgram(context: Context): Command {
  const { out, err } = context.io;
  const program = new Command('magpie')
    .description('Buys CS2 item skins by your strategies, at exactly the listed price, within your caps, and records why.')
    .version(versionOf(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .option('--config <FILE>', 'the configuration (default: the play money that comes with Magpie)')
    .option('--data <DIR>', "the data folder (default: the configuration's)")
    .option('--env-file <FILE>', 'variables for the configuration (default: `.env` beside it)')
    .option('--account <NAME>', 'one of the `accounts` of the configuration')
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => Math.min(out.width, 100),
      getErrHelpWidth: () => Math.min(err.width, 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(err.palette.bad(printableLines(withoutValue(text)))),
    })
    .hook('preAction', (_, action) => {
      // The exchange's own --data is no folder that another command would act on.
      if (action.name() !== 'sandbox') context.io.follow(action.optsWithGlobals<SharedOptions>());
    })
    .exitOverride();
  program.addHelpText('after', `\nExit codes:\n${exitLines().join('\n')}`);
  for (const add of commands) add(program, context);
  return program;
}

function exitLines(): string[] {
  return Object.entries(exitTexts).map(([code, text]) => `  ${code}  ${text}`);
}

/** An option that there is none of may well have been meant to hold a key. */
function withoutValue(text: string): string {
  return text.replace(/(unknown option '[^'=]*=)[^\n]*'/, "$1…'");
}

/** What the user typed stands in commander's own messages. */
function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line, 1_000))
    .join('\n');
}

/** Says what went wrong, for a person. */
function failed(error: unknown, { err }: Io, more: readonly string[]): Failing {
  if (error instanceof CommandFailure) {
    err.line(err.palette.bad(printableLines(error.message)));
    return error;
  }
  // Not only opening finds damage: each read may, of the one page that it needs.
  if (error instanceof JournalFailure) {
    const message = withSteps(faultOfFailure(error));
    err.line(err.palette.bad(printableLines(message)));
    return { code: exits.failed, message };
  }
  // Its message has been printed already. What was asked for and shown (help, version) has exit code 0.
  if (error instanceof CommanderError) {
    if (error.code === 'commander.unknownCommand') err.line('→ `magpie --help` lists the commands');
    for (const line of more) err.line(line);
    const message = [withoutValue(error.message).replace(/^error: /, ''), ...more].join('\n');
    return { code: error.exitCode === 0 ? exits.done : exits.wrong, message };
  }
  return { code: tellDefect(error, err), message: 'a defect in Magpie: see the lines on stderr' };
}

/** A defect of ours, in words that can be reported: no secret, no raw text. */
export function tellDefect(error: unknown, err: Voice): ExitCode {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  err.line(
    err.palette.bad('A defect in Magpie. Whatever was in flight is settled by the next start; please report these lines:'),
  );
  err.line(printableLines(stack));
  return exits.failed;
}
