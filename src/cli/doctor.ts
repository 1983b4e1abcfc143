import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { daemonFindings } from '../app/doctor/daemon.ts';
import { diskFindings } from '../app/doctor/disk.ts';
import { type Finding, bad, doubt, good } from '../app/doctor/finding.ts';
import { permissionFindings } from '../app/doctor/permissions.ts';
import { ledgerFinding, versionFindings } from '../app/doctor/versions.ts';
import { counted, printable } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { type CheckReport, checkFiles } from '../settings/check.ts';
import { formatFault } from '../settings/file-fault.ts';
import { type SettingsRequest, loadLocalSettings, loadSettings } from '../settings/load.ts';
import type { Variables } from '../settings/variables.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { fileOf, oneAccountOf, requestOf } from './settings.ts';
import { variablesFor } from './variables.ts';
import { enginesOf, versionOf } from './version.ts';

interface DoctorOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addDoctor: AddCommand = (program, { io, run }) => {
  program
    .command('doctor')
    .summary('test key, clock, disk, rates and versions, and say what to do')
    .description(
      'Tests versions, configuration, permissions, disk, key, listings, market health, rates, clock and trade URL, and says what to do about each. It changes nothing and sends no purchase; beside a daemon it asks that and sends nothing at all. Exits 0 where nothing fails, 1 where something does, 2 where the configuration is wrong.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie doctor --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => doctor(io, command.optsWithGlobals<DoctorOptions>())));
};

async function doctor(io: Io, options: DoctorOptions): Promise<ExitCode> {
  const variables = variablesFor(io, options);
  const config = fileOf(io, options);
  const request = requestOf(io, options, {});
  const local = loadLocalSettings(request);
  if (local.ok) oneAccountOf(local.settings);
  const settings = local.ok ? local.settings : undefined;
  if (settings !== undefined) io.hide(settings.secrets);
  const isHeld = settings !== undefined && existsSync(settings.data) && isFolderHeld(settings.data);
  const report = checkFiles({ files: [], config, env: variables.env, local: isHeld, cwd: io.cwd });
  const installed = { version: versionOf(), engines: enginesOf(), node: process.versions.node };
  const findings = [
    ...versionFindings(installed),
    ...configurationFindings(report, variables),
    ...(settings === undefined ? [] : placeFindings(io, settings, config, variables.file)),
    ...(isHeld ? daemonFindings({ settings, version: installed.version, now: io.clock.now() }) : await ofService(io, request)),
  ];
  const failed = findings.some(({ status }) => status === 'fail');
  if (options.json === true) printJson(io, { ok: !failed, checks: findings.map((finding) => jsonOf(io, finding)) });
  else show(io, findings);
  if (report.faults.length + variables.faults.length > 0) return exits.wrong;
  return failed ? exits.failed : exits.done;
}

function placeFindings(
  { cwd, clock }: Io,
  { data, strategies, disk }: LocalSettings,
  config: string,
  envFile: string | undefined,
): readonly Finding[] {
  return [
    ...permissionFindings({ cwd, config, envFile, strategies, data, uid: process.geteuid?.() }),
    ...diskFindings({ data, minFreeBytes: disk.minFreeBytes, clock }),
    ledgerFinding(data),
  ];
}

/** Nothing where the configuration is too faulty to find the service by. */
async function ofService({ clock, env }: Io, request: SettingsRequest): Promise<readonly Finding[]> {
  const loaded = loadSettings(request);
  if (!loaded.ok) return [];
  const [{ serviceFindings }, { systemRandom: random }] = await Promise.all([
    import('../app/doctor/service.ts'),
    import('../app/system-random.ts'),
  ]);
  return serviceFindings({ settings: loaded.settings, clock, random, env });
}

function configurationFindings({ faults, warnings, counts }: CheckReport, variables: Variables): readonly Finding[] {
  const check = 'configuration';
  const wrong = [...variables.faults, ...faults].map((fault) =>
    bad(check, formatFault(fault), 'mend it; `magpie check` looks again'),
  );
  // A file that was read and is open to others is told of with the permissions.
  const unread = variables.file === undefined ? variables.warnings : [];
  const odd = [...unread, ...warnings].map((warning) =>
    doubt(check, formatFault(warning), 'look at it; `magpie check` shows it too'),
  );
  const sound = good(check, `it and ${counted(counts.strategies, 'strategy', 'strategies')} have no faults`);
  return wrong.length > 0 ? [...wrong, ...odd] : [sound, ...odd];
}

function jsonOf(io: Io, { check, status, message, next }: Finding): Record<string, unknown> {
  return { check, status, message, next: next === undefined ? null : io.hinted(next) };
}

const CHECK_WIDTH = 15;

function show({ out }: Io, findings: readonly Finding[]): void {
  const { good, warn, bad } = out.palette;
  const signs = { ok: good('ok  '), warn: warn('warn'), fail: bad('FAIL') };
  for (const { check, status, message, next } of findings) {
    out.line(`${signs[status]}  ${check.padEnd(CHECK_WIDTH)}${printable(message, 1_000)}`);
    for (const [index, line] of (next ?? '').split('\n').entries())
      if (line !== '') out.line(`${' '.repeat(6 + CHECK_WIDTH)}${index === 0 ? '→ ' : ''}${line}`);
  }
  const count = (status: Finding['status']): number => findings.filter((finding) => finding.status === status).length;
  out.line();
  if (count('fail') > 0)
    out.line(
      bad(
        `${counted(count('fail'), 'thing fails', 'things fail')}${count('warn') > 0 ? `, ${count('warn')} could be better` : ''}.`,
      ),
    );
  else if (count('warn') > 0)
    out.line(warn(`Nothing fails; ${counted(count('warn'), 'thing could be', 'things could be')} better.`));
  else out.line(good('All is well.'));
}
