import type { Command } from 'commander';
import { counted, printable } from '../domain/text.ts';
import { type CheckReport, checkFiles } from '../settings/check.ts';
import { defaultsJson, defaultsYaml } from '../settings/defaults.ts';
import { faultJson } from '../settings/file-fault.ts';
import type { Variables } from '../settings/variables.ts';
import type { ReplayedChange } from '../app/replay-change.ts';
import { replayedChange } from './check-replay.ts';
import { replayedChangeJson, showReplayedChange } from './check-replay-text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { variablesFor } from './variables.ts';

interface CheckOptions extends SharedOptions {
  readonly json?: boolean;
  readonly defaults?: boolean;
  readonly strategies?: string;
  readonly replay?: string;
}

export const addCheck: AddCommand = (program, { io, run }) => {
  program
    .command('check')
    .summary('look for faults in the configuration and the strategies')
    .description(
      'Looks for faults in the configuration and its strategies, or in the given files and folders, those for `magpie sweep` among them. Exits 2 when there is one.',
    )
    .argument('[FILE...]', 'configurations, strategies, sweeps or folders of strategies')
    .option('--strategies <DIR>', "a folder in place of the configuration's")
    .option('--defaults', 'print every key of a configuration with its default and its meaning')
    .option('--replay <DURATION>', 'show which purchases a change adds and removes over the last 24h, 7d, … of the recording')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('magpie check --config live.yaml', 'magpie check strategies/redline-below-70.yaml', 'magpie check --replay 24h'),
    )
    .action((files: string[], _: unknown, command: Command) =>
      run(() => check(io, files, command.optsWithGlobals<CheckOptions>())),
    );
};

function check(io: Io, files: readonly string[], options: CheckOptions): ExitCode {
  if (options.defaults === true) {
    if (options.json === true) printJson(io, { ok: true, faults: [], defaults: defaultsJson() });
    else io.out.write(defaultsYaml());
    return exits.done;
  }
  const { config, strategies } = options;
  const variables = variablesFor(io, { ...options, config: config ?? files[0] });
  const report = withVariables(checkFiles({ files, config, strategies, env: variables.env, cwd: io.cwd }), variables);
  const replayed = replayAsked(io, files, options, report);
  if (options.json === true) printJson(io, jsonOf(report, replayed));
  else {
    show(io, report);
    if (replayed !== undefined) showReplayedChange(io.out, replayed);
  }
  return report.ok ? exits.done : exits.wrong;
}

/** What is faulty cannot be replayed: its faults are all that is shown. */
function replayAsked(io: Io, files: readonly string[], options: CheckOptions, { ok }: CheckReport): ReplayedChange | undefined {
  if (options.replay === undefined) return undefined;
  if (files.length > 0)
    throw new CommandFailure(
      exits.wrong,
      '--replay replays the strategies of a configuration: name it by --config, and another folder by --strategies.',
    );
  return ok ? replayedChange(io, options, options.replay) : undefined;
}

function withVariables(report: CheckReport, { faults, warnings }: Variables): CheckReport {
  const all = [...faults, ...report.faults];
  return { ...report, ok: all.length === 0, faults: all, warnings: [...warnings, ...report.warnings] };
}

function jsonOf({ ok, faults, warnings, notices, checked }: CheckReport, replayed: ReplayedChange | undefined): unknown {
  const replay = replayed === undefined ? {} : { replay: replayedChangeJson(replayed) };
  return { ok, faults: faults.map(faultJson), warnings: warnings.map(faultJson), notices, checked, ...replay };
}

function show(io: Io, { ok, faults, warnings, notices, counts }: CheckReport): void {
  const { palette } = io.out;
  showFaults(io.out, faults, 'fault');
  showFaults(io.out, warnings, 'warning');
  for (const notice of notices) io.out.line(`${palette.dim('note')} ${printable(notice, 1_000)}`);
  if (faults.length + warnings.length + notices.length > 0) io.out.line();
  const looked = `${lookedAt(counts)} checked`;
  const oddities = warnings.length === 0 ? '' : `, ${counted(warnings.length, 'warning', 'warnings')}`;
  io.out.line(
    ok
      ? `${palette.good('Good:')} ${looked}, no faults${oddities}.`
      : `${palette.bad('Faulty:')} ${looked}, ${counted(faults.length, 'fault', 'faults')}${oddities}. Mend them and check again.`,
  );
}

function lookedAt({ configurations, strategies, sweeps }: CheckReport['counts']): string {
  const config = configurations === 1 ? 'configuration' : counted(configurations, 'configuration');
  const all = [
    ...(configurations > 0 ? [config] : []),
    ...(strategies > 0 || sweeps === 0 ? [counted(strategies, 'strategy', 'strategies')] : []),
    ...(sweeps > 0 ? [counted(sweeps, 'sweep')] : []),
  ];
  return all.join(' and ');
}
