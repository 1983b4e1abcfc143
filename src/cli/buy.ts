import { type Command, Option } from 'commander';
import { buyableMarkets } from '../domain/readings.ts';
import { printable } from '../domain/text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { purchaseLine } from './purchase-table.ts';
import { request } from './request.ts';
import { placesOf, requestSettingsFor } from './settings.ts';

interface BuyOptions extends SharedOptions {
  readonly market: string;
  readonly json?: boolean;
}

export const addBuy: AddCommand = (program, { io, run }) => {
  program
    .command('buy')
    .summary('buy one listing by hand, at the price seen now')
    .description(
      'Buys one listing by hand, at the price seen now, through the same journal, caps and states as any other. In dry-run it is simulated.',
    )
    .argument('<LISTING_ID>', 'as the live listings name it')
    .addOption(new Option('--market <MARKET>', 'where it is offered').choices([...buyableMarkets]).makeOptionMandatory())
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie buy 800000037 --market c5game --config live.yaml'))
    .action((id: string, _: unknown, command: Command) => run(() => buy(io, id, command.optsWithGlobals<BuyOptions>())));
};

async function buy(io: Io, listingId: string, options: BuyOptions): Promise<ExitCode> {
  const loaded = requestSettingsFor(io, options);
  const { settings } = loaded;
  const { out, err } = io;
  const json = options.json === true;
  const mode = settings.mode === 'live' ? 'live' : 'dry-run';
  (json ? err : out).line(`${placesOf(io, settings)}, ${mode}`);
  const reply = await request(io, loaded, 'buy', { listingId, market: options.market, mode });
  if (json) printJson(io, { ok: reply.ok, message: reply.ok ? reply.message : reply.error, purchase: reply.purchase ?? null });
  else show(io, reply, settings.data);
  return reply.ok ? exits.done : exits.failed;
}

function show({ out, err }: Io, reply: Awaited<ReturnType<typeof request>>, folder: string): void {
  const id = reply.purchase?.['id'];
  const purchase =
    typeof id === 'number'
      ? asking(folder, (reader) => reader?.purchases({ limit: 1_000 }).find((each) => each.id === id))
      : undefined;
  if (purchase !== undefined)
    out.line(`${purchaseLine(purchase)}${purchase.reason === undefined ? '' : ` (${printable(purchase.reason, 300)})`}`);
  if (!reply.ok) return err.line(err.palette.bad(printable(reply.error, 500)));
  out.line(
    purchase?.lane === 'paper'
      ? 'On paper only: nothing was sent.'
      : 'It is followed until its order is final. → `magpie purchases`',
  );
}
