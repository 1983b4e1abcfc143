import type { Command } from 'commander';
import type { AuditedAlone } from '../app/audit-alone.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { type AuditReport, agrees } from '../risk/audit/report.ts';
import type { Settings } from '../settings/settings.ts';
import { askDaemon } from './ask.ts';
import { auditJson } from './audit-json.ts';
import { showAudit } from './audit-text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking, nothingYet, openToChange } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { withProgress } from './progress.ts';
import { placesOf, requestSettingsFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';

interface AuditOptions extends SharedOptions {
  readonly json?: boolean;
}

export const addAudit: AddCommand = (program, { io, run }) => {
  program
    .command('audit')
    .summary('hold our rows against everything the service shows')
    .description(
      'Reads the orders, the transactions, the ledger and the balance of the account, holds our rows against them, and prints every difference in money. It changes nothing. Exits 1 if there is any, and if any of it could not be read: then not everything was compared.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie audit --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => audit(io, command.optsWithGlobals<AuditOptions>())));
};

async function audit(io: Io, options: AuditOptions): Promise<ExitCode> {
  const { settings, own } = requestSettingsFor(io, options);
  const { data } = settings;
  asking(data, (reader) => {
    if (reader === undefined) throw nothingYet(data);
  });
  const outcome = own === undefined || isFolderHeld(data) ? await byDaemon(io, data) : await alone(io, own.settings);
  if (!outcome.ok) throw failure(outcome);
  const { report } = outcome;
  if (options.json === true) printJson(io, auditJson(report));
  else showAudit(io, report, placesOf(io, settings));
  return agrees(report) ? exits.done : exits.failed;
}

function failure(outcome: Extract<AuditedAlone, { ok: false }>): CommandFailure {
  const code = 'held' in outcome ? exits.held : outcome.foreign ? exits.wrong : exits.failed;
  return new CommandFailure(code, `Nothing was compared: ${outcome.message}`);
}

/** By the daemon, so that the rates of the account hold; the request is the one thing that is written. */
async function byDaemon(io: Io, folder: string): Promise<AuditedAlone> {
  const ledger = openToChange(folder);
  try {
    return outcomeOf(await askDaemon(io, ledger, folder, 'audit', {}));
  } finally {
    ledger.close();
  }
}

/** The answer of a daemon; one of another version may say anything. */
function outcomeOf(answer: unknown): AuditedAlone {
  const { ok, error, report } = fieldsOf(answer);
  const failure = (message: string): AuditedAlone => ({ ok: false, message, foreign: false });
  if (ok !== true)
    return failure(typeof error === 'string' ? error : 'the daemon gave an answer that this version does not know');
  if (!isReport(report)) return failure('the daemon is of another version: restart it');
  return { ok: true, report };
}

function isReport(value: unknown): value is AuditReport {
  const { differences, unread, awaited, notes, others, compared, total } = fieldsOf(value);
  const lists = [differences, unread, awaited, notes, fieldsOf(others)['adopted']];
  return lists.every(Array.isArray) && typeof total === 'number' && typeof compared === 'object';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

async function alone(io: Io, settings: Settings): Promise<AuditedAlone> {
  const [{ auditAlone }, { createLog }, { systemRandom: random }] = await Promise.all([
    import('../app/audit-alone.ts'),
    import('../app/log.ts'),
    import('../app/system-random.ts'),
  ]);
  const { env, clock, err } = io;
  const write = (line: string): void => err.write(line);
  const log = createLog({ format: 'human', level: 'warn', scrub: (text) => text, palette: err.palette, write });
  const stopping = new AbortController();
  const signals = stopSignals(io);
  void signals.first.then(() => stopping.abort());
  try {
    const work = auditAlone({ settings, clock, random, env, log, signal: stopping.signal });
    return await withProgress(io, 'Reading what the service shows', work);
  } finally {
    signals.off();
  }
}
