import type { Command } from 'commander';
import { counted, printable } from '../domain/text.ts';
import { type CheckReport, checkFiles } from '../settings/check.ts';
import { defaultsJson, defaultsYaml } from '../settings/defaults.ts';
import { faultJson } from '../settings/file-fault.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { hideEnvironment } from './settings.ts';

interface CheckOptions extends SharedOptions {
  readonly json?: boolean;
  readonly defaults?: boolean;
  readonly strategies?: string;
}

export const addCheck: AddCommand = (program, { io, run }) => {
  program
    .command('check')
    .summary('look for faults in the configuration and the strategies')
    .description(
      'Looks for faults in the configuration and its strategies, or in the given files and folders. Exits 2 when there is one.',
    )
    .argument('[FILE...]', 'configurations, strategies or folders of strategies')
    .option('--strategies <DIR>', "a folder in place of the configuration's")
    .option('--defaults', 'print every key of a configuration with its default and its meaning')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie check --config live.yaml', 'magpie check strategies/redline-below-70.yaml'))
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
  hideEnvironment(io);
  const { config, strategies } = options;
  const report = checkFiles({ files, config, strategies, env: io.env, cwd: io.cwd });
  if (options.json === true) printJson(io, jsonOf(report));
  else show(io, report);
  return report.ok ? exits.done : exits.wrong;
}

function jsonOf({ ok, faults, warnings, notices, checked }: CheckReport): unknown {
  return { ok, faults: faults.map(faultJson), warnings: warnings.map(faultJson), notices, checked };
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

function lookedAt({ configurations, strategies }: CheckReport['counts']): string {
  const config = configurations === 1 ? 'configuration' : counted(configurations, 'configuration');
  const both = [...(configurations > 0 ? [config] : []), counted(strategies, 'strategy', 'strategies')];
  return both.join(' and ');
}
