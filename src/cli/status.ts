import type { Command } from 'commander';
import { sleep } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import { JournalFailure } from '../engine/journal.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { accountFolder } from '../settings/load.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { type Holder, asking, holderOf } from './folder.ts';
import { standingOf } from './in-force.ts';
import type { Io, Voice } from './io.ts';
import { leftOut, leftOutWords, tellLeftOut } from './left-out.ts';
import { printJson } from './json.ts';
import { Screen } from './screen.ts';
import { wholeLocalSettingsFor } from './settings.ts';
import { accountsJson, accountsLooked, showAccounts } from './status-accounts.ts';
import { type StatusFacts, statusFacts } from './status-facts.ts';
import { statusJson } from './status-json.ts';
import { showStatus } from './status-text.ts';
import { stopSignals } from './stop-signals.ts';
import { span } from './time.ts';

interface StatusOptions extends SharedOptions {
  readonly json?: boolean;
  readonly alive?: boolean;
  readonly watch?: boolean;
}

export const addStatus: AddCommand = (program, { io, run }) => {
  program
    .command('status')
    .summary('say whether it runs and buys, and how much of every cap is used')
    .description('Says whether it runs and buys, and if not why; health, balance, the use of every cap, purchases, alerts.')
    .option('--json', 'print one JSON document')
    .option('--watch', 'show it for as long as you look, drawn anew each second; Ctrl-C ends it')
    .option('--alive', 'only say whether a daemon is at work, for a supervisor: exit code 1 where none gives signs of life')
    .addHelpText('after', examples('magpie status --config live.yaml', 'magpie status --watch'))
    .action((_: unknown, command: Command) => run(() => status(io, command.optsWithGlobals<StatusOptions>())));
};

function status(io: Io, options: StatusOptions): ExitCode | Promise<ExitCode> {
  const { settings, each } = wholeLocalSettingsFor(io, options);
  if (options.alive === true) return alive(io, settings, each, options.json === true);
  const draw = (voice: Io): void => {
    if (each.length > 0) statusOfAll(voice, each);
    else showStatus(voice, factsOf(io, settings));
    const left = leftOutWords(settings);
    if (left !== undefined) voice.out.line(voice.out.palette.warn(left));
  };
  if (options.watch === true) return watch(io, draw, Math.max(WATCH_MS, each.length * WATCH_MS_EACH), options);
  if (options.json !== true) draw(io);
  else {
    const all = each.length > 0 ? accountsJson(accountsLooked(each, (own) => factsOf(io, own))) : undefined;
    printJson(io, all ?? statusJson(factsOf(io, settings)));
    tellLeftOut(io, settings);
  }
  return exits.done;
}

function statusOfAll(io: Io, each: readonly LocalSettings[]): void {
  showAccounts(
    io,
    accountsLooked(each, (settings) => factsOf(io, settings)),
  );
}

function factsOf({ clock }: Io, settings: LocalSettings): StatusFacts {
  return asking(settings.data, (reader) => {
    const holder = holderOf(settings.data, reader);
    return statusFacts(standingOf(settings, holder, reader), reader, holder, clock.now());
  });
}

const WATCH_MS = 1_000;
/** Very many accounts are looked at less often: each look takes milliseconds. */
const WATCH_MS_EACH = 50;

/** Shows the same again and again until it is asked to stop. What cannot be read for a moment is said in its place. */
async function watch(io: Io, draw: (voice: Io) => void, everyMs: number, { alive, json }: StatusOptions): Promise<ExitCode> {
  if (alive === true || json === true || !io.out.isTerminal) {
    const words = '--watch draws on a terminal, for a person. → for a program: `magpie status --json`, as often as it likes';
    throw new CommandFailure(exits.wrong, words);
  }
  const ending = new AbortController();
  const signals = stopSignals(io);
  void signals.first.then(() => ending.abort());
  const screen = new Screen(io.out);
  screen.begin();
  try {
    while (!ending.signal.aborted) {
      screen.draw(pictureOf(io, draw));
      await sleep(io.clock, everyMs, ending.signal);
    }
  } finally {
    screen.end();
    signals.off();
  }
  return exits.done;
}

function pictureOf(io: Io, draw: (voice: Io) => void): string {
  let text = '';
  const write = (more: string): void => void (text += more);
  const out: Voice = {
    ...io.out,
    width: io.out.width,
    height: io.out.height,
    write,
    line: (line = '') => write(`${io.hinted(line)}\n`),
  };
  try {
    draw({ ...io, out });
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof JournalFailure)) throw error;
    return io.out.palette.bad(printable(error.message, 1_000));
  }
  return text;
}

/** Within this a daemon has given thirty signs of life. */
const QUIET_MS = 30_000;

/**
 * What runs for all of them holds the folder that theirs lie in, and lives where it gives signs of life for any of them: one that is in
 * trouble is no reason to end the others. It may serve accounts that the file does not name any more.
 */
function alive(io: Io, settings: LocalSettings, each: readonly LocalSettings[], json: boolean): ExitCode {
  const own = each.length > 0 ? accountsLooked(each, (one) => beatIn(one.data)) : [{ name: '', facts: beatIn(settings.data) }];
  const others = accountsLooked(leftOutSettings(settings), ({ data }) => (isFolderHeld(data) ? beatIn(data) : undefined));
  const beats = [...own, ...others].flatMap((told) => ('facts' in told ? (told.facts ?? []) : []));
  return tellAlive(io, json, { running: isFolderHeld(settings.data), heartbeat: beats.toSorted((a, b) => b.at - a.at)[0] });
}

function leftOutSettings(settings: LocalSettings): readonly LocalSettings[] {
  return leftOut(settings).names.map((account) => ({
    ...settings,
    account,
    data: accountFolder(settings.recordingFolder, account),
  }));
}

function beatIn(folder: string): Holder['heartbeat'] {
  return asking(folder, (reader) => reader?.heartbeat());
}

function tellAlive(io: Io, json: boolean, { running, heartbeat }: Pick<Holder, 'running' | 'heartbeat'>): ExitCode {
  const quietMs = heartbeat === undefined ? undefined : Math.max(0, io.clock.now() - heartbeat.at);
  const isAlive = running && quietMs !== undefined && quietMs <= QUIET_MS;
  if (json)
    printJson(io, { ok: isAlive, running, lastSignAt: heartbeat === undefined ? null : new Date(heartbeat.at).toISOString() });
  else
    io.out.line(
      quietMs === undefined
        ? 'no daemon has run here yet'
        : `${running ? 'running' : 'not running'}, last sign of life ${span(quietMs)} ago`,
    );
  return isAlive ? exits.done : exits.failed;
}
