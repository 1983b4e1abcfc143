import type { Command } from 'commander';
import type { EpochMs } from '../domain/clock.ts';
import { counted, printable } from '../domain/text.ts';
import { shownPath } from '../settings/text-file.ts';
import { type Circumstances, circumstances } from './admission.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { asking, holderOf } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { localSettingsFor, strategiesFor } from './settings.ts';
import { type Standing, driftWords, standingOf } from './in-force.ts';
import { type Explanation, explain } from './why-facts.ts';
import { utc } from './time.ts';
import { explanationJson } from './why-json.ts';
import { type Offer, offersOfFile, offersOnTape, textOf } from './why-offers.ts';
import { showExplanation } from './why-text.ts';

interface WhyOptions extends SharedOptions {
  readonly listing?: string;
  readonly id?: string;
  readonly market?: string;
  readonly strategies?: string;
  readonly json?: boolean;
}

export const addWhy: AddCommand = (program, { io, run }) => {
  program
    .command('why')
    .summary('explain why a listing was bought or not')
    .description(
      'Holds a listing against every condition of every strategy, and tells what admission said of it and what became of it.',
    )
    .argument('[LISTING_ID]', 'one that Magpie has seen; it is looked up in the recording')
    .option('--listing <FILE>', 'a JSON file instead: one listing, a list of them, or a saved answer of the live listings')
    .option('--id <LISTING_ID>', 'only this one of the file')
    .option('--market <MARKET>', 'only on this market, where ids of several markets collide')
    .option('--strategies <DIR>', "a folder in place of the configuration's")
    .option('--json', 'print one JSON document: an object for one listing, an array for a list of them')
    .addHelpText('after', examples('magpie why 800000037', 'magpie why --listing snapshot.json --id 800000037'))
    .action((id: string | undefined, _: unknown, command: Command) =>
      run(() => why(io, id, command.optsWithGlobals<WhyOptions>())),
    );
};

function why(io: Io, given: string | undefined, options: WhyOptions): ExitCode {
  const id = given ?? options.id;
  if (id === undefined && options.listing === undefined) {
    throw new CommandFailure(exits.wrong, 'Which listing? → `magpie why LISTING_ID`, or `magpie why --listing FILE.json`');
  }
  const settings = localSettingsFor(io, options, options.strategies);
  const now = io.clock.now();
  return asking(settings.data, (reader) => {
    const holder = holderOf(settings.data, reader);
    const standing = standingOf(settings, holder, reader);
    // What is given by hand is what is asked about; else what the daemon goes by, and the files where none runs.
    const byFiles = options.strategies !== undefined || standing.strategies === undefined;
    const strategies = byFiles ? strategiesFor(io, settings) : (standing.strategies ?? []);
    const where = circumstances(standing.settings, reader, holder, now);
    const asked = { id, market: options.market };
    const { offers, single } = options.listing === undefined ? seen(asked, where) : ofFile(io, options.listing, asked);
    const explanations = offers.map((offer) => explain(offer, asked, strategies, where));
    if (options.json === true) printJson(io, single ? explanationJson(one(explanations)) : explanations.map(explanationJson));
    else {
      if (!byFiles) showDrift(io, standing);
      for (const { sightAt } of offers) if (sightAt !== undefined) io.out.line(sightWords(sightAt));
      show(io, explanations, where.holder.running);
    }
    return exits.done;
  });
}

function sightWords(at: EpochMs): string {
  return `The live listings have not shown it: it was seen by looks at its item (\`watch.items\`), this way since ${utc(at)}.\n`;
}

function showDrift({ out, cwd }: Io, { drift, settings }: Standing): void {
  if (drift === undefined) return;
  out.line(out.palette.warn('Judged by what the running daemon goes by; the files say something else:'));
  for (const words of driftWords(drift, shownPath(settings.file, cwd))) out.line(`  ${words}`);
  out.line('  → `--strategies DIR` judges by the files of a folder instead\n');
}

interface Asked {
  readonly id: string | undefined;
  readonly market: string | undefined;
}

interface Offers {
  readonly offers: readonly Offer[];
  readonly single: boolean;
}

/** From the recording, or, where that has forgotten it, what the ledger still says. */
function seen({ id = '', market }: Asked, where: Circumstances): Offers {
  const offers = offersOnTape(where.settings.recordingFolder, id, market);
  if (offers.length > 0) return { offers, single: offers.length === 1 };
  const bought = where.purchases.get(id)?.some((purchase) => market === undefined || purchase.market === market) ?? false;
  if (bought || (where.reader?.decisionsOf(id, { market, limit: 1 }).length ?? 0) > 0) {
    return { offers: [{ raw: undefined, history: undefined }], single: true };
  }
  throw new CommandFailure(exits.failed, unseen(id, market, where));
}

function unseen(id: string, market: string | undefined, { settings, reader }: Circumstances): string {
  const on = market === undefined ? '' : ` on ${printable(market, 60)}`;
  const lines = [
    `Listing ${printable(id, 60)}${on} was never seen here, or the recording has forgotten it (data folder ${settings.data}).`,
  ];
  if (reader === undefined) lines.push('→ nothing has run with this data folder: is it the right --config or --data?');
  if (settings.recording === undefined)
    lines.push('→ this configuration keeps nothing of what is seen (`recording: { off: true }`)');
  lines.push('→ if you have the listing as JSON: `magpie why --listing FILE.json`');
  return lines.join('\n');
}

function ofFile(io: Io, file: string, { id, market }: Asked): Offers {
  const { offers, single } = offersOfFile(file, io.cwd);
  const chosen = offers.filter(
    ({ raw }) => (id === undefined || textOf(raw, 'id') === id) && (market === undefined || textOf(raw, 'market') === market),
  );
  if (chosen.length > 0 || (id === undefined && market === undefined))
    return { offers: chosen, single: single || (id !== undefined && chosen.length === 1) };
  throw new CommandFailure(
    exits.failed,
    `${printable(file, 300)} holds ${counted(offers.length, 'listing')}, none with that id and market.`,
  );
}

function one(explanations: readonly Explanation[]): Explanation {
  const [only] = explanations;
  if (only === undefined) throw new Error('one listing was promised');
  return only;
}

function show(io: Io, explanations: readonly Explanation[], running: boolean): void {
  const { out } = io;
  if (explanations.length === 0) out.line('There is no listing in it.');
  for (const [index, explanation] of explanations.entries()) {
    if (index > 0) out.line(out.palette.dim(`\n${'─'.repeat(Math.min(out.width, 80))}\n`));
    showExplanation(out, explanation, running);
  }
  if (explanations.length > 1) {
    const wanted = explanations.filter(({ strategies }) => strategies.some(({ wants }) => wants)).length;
    const bad = explanations.filter((each) => each.bad !== undefined).length;
    out.line();
    out.line(
      `${explanations.length} listings: ${wanted} wanted by a strategy, ${bad} that cannot be judged. \`--id\` shows one of them.`,
    );
  }
}
