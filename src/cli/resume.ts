import type { Command } from 'commander';
import type { EpochMs } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Halt } from '../engine/journal.ts';
import type { Beside } from '../ledger/ledger.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { holderOf, openToChange } from './folder.ts';
import type { Io } from './io.ts';
import { leftOutWords } from './left-out.ts';
import { localSettingsFor, placesOf } from './settings.ts';
import { utc } from './time.ts';

export const addResume: AddCommand = (program, { io, run }) => {
  program
    .command('resume')
    .summary('allow buying again')
    .description(
      'Allows buying again after a halt, whoever or whatever halted it, and after a fall of the market. A running daemon goes on within a second.',
    )
    .addHelpText('after', examples('magpie resume --config live.yaml'))
    .action((_: unknown, command: Command) => run(() => resume(io, command.optsWithGlobals<SharedOptions>())));
};

/** Ends every halt that stands, and the pause after a fall of the market. What had stood is returned. */
export function resumeBuying(
  ledger: Beside,
  now: EpochMs,
): { readonly halts: readonly Halt[]; readonly fall: ReturnType<Beside['marketFall']> } {
  const halts = ledger.standingHalts();
  const fall = ledger.marketFall();
  if (halts.length > 0) ledger.resume(now);
  if (fall?.resumed !== false) return { halts, fall: undefined };
  ledger.saveMarketFall({ ...fall, resumed: true });
  return { halts, fall };
}

function resume(io: Io, options: SharedOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const { out, clock } = io;
  const ledger = openToChange(settings.data);
  try {
    const { halts, fall } = resumeBuying(ledger, clock.now());
    const resumes = halts.length > 0 || fall !== undefined;
    out.line(resumes ? `${out.palette.good('Resumed.')} It had been halted for:` : 'Buying was not halted; nothing has changed.');
    if (fall !== undefined) out.line(`  a fall of the market: ${printable(fall.why, 1_000)} (${utc(fall.since)})`);
    for (const { reason, at, by } of halts) {
      out.line(`  ${printable(reason, 1_000)} (${by === 'person' ? 'by a person' : printable(by, 60)}, ${utc(at)})`);
    }
    out.line(placesOf(io, settings));
    const left = leftOutWords(settings);
    if (left !== undefined) out.line(out.palette.warn(`${left}. Their halts stand.`));
    const { running } = holderOf(settings.data, ledger);
    if (!running) out.line('No daemon is at work with that folder. → `magpie run`');
    else if (resumes) out.line('The daemon buys again within a second. → `magpie status`');
    return exits.done;
  } finally {
    ledger.close();
  }
}
