import type { Command } from 'commander';
import { requestFaultText } from '../api/request.ts';
import { type OnceReply, transferOnce } from '../app/transfers/once.ts';
import type { TransferBody } from '../app/transfers/kept.ts';
import { printable } from '../domain/text.ts';
import { agreedTo } from './agreed.ts';
import { keysOf } from './api-call.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { centsGiven, centsText } from './dollars.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { refusal, withService } from './service.ts';
import { placesOf } from './settings.ts';

interface TransferOptions extends SharedOptions {
  readonly to?: string;
  readonly toKey?: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly idempotencyKey?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `magpie partner transfer`: money to a child, once for what it is for. */
export const addPartnerTransfer: AddCommand = (partner, { io, run }) => {
  partner
    .command('transfer')
    .summary('move money from the top-level account to a child, once for what it is for')
    .description(
      'Moves money from the top-level account to a child. Its idempotency key is on disk before it is sent, so the same command again sends the same key, or nothing where the transfer is known to have been made: money moves once for one purpose, whatever became of the first attempt.',
    )
    .option('--to <EMAIL>', "the merchant's address")
    .option('--to-key <ID>', "or the id of the merchant's key: 24 hex characters")
    .requiredOption('--amount <DOLLARS>', 'such as 250 or 19.90', centsGiven)
    .option('--purpose <TEXT>', 'what it is for, in words of this transfer alone: the idempotency key is made from them')
    .option('--idempotency-key <KEY>', 'a key of your own instead, at most 128 characters')
    .option('--yes', 'send it without asking')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples(
        'magpie partner transfer --to merchant@example.com --amount 250 --purpose funding-2026-11-28',
        'magpie partner transfer --to-key 0123456789abcdef01234567 --amount 19.90 --purpose goodwill-8812 --yes --json',
      ),
    )
    .action((_: unknown, command: Command) => run(() => transfer(io, command.optsWithGlobals<TransferOptions>())));
};

async function transfer(io: Io, options: TransferOptions): Promise<ExitCode> {
  const { idempotencyKey, amount } = options;
  const purpose = options.purpose ?? idempotencyKey;
  if (purpose === undefined || (options.purpose !== undefined && idempotencyKey !== undefined))
    throw wrong(
      'Nothing was sent: exactly one of --purpose and --idempotency-key is needed: it is what keeps money from moving twice',
    );
  if ((options.to === undefined) === (options.toKey === undefined))
    throw wrong('Nothing was sent: exactly one of --to and --to-key is needed');
  const body: TransferBody = {
    ...(options.to !== undefined && { toEmail: options.to }),
    ...(options.toKey !== undefined && { toApiKeyId: options.toKey }),
    amountCents: amount,
  };
  return withService(io, options, async ({ hand, settings, isPlayMoney }) => {
    // Before anybody is asked: the key of this check is of no account.
    const broken = hand.brokenRule('transfer', { body: { ...body, idempotencyKey: idempotencyKey ?? 'k' } });
    if (broken !== undefined) throw wrong(`Nothing was sent: ${requestFaultText(broken)}`);
    io.err.line(placesOf(io, settings));
    if (settings.treasury?.dedicated === true)
      io.err.line(
        io.err.palette.warn(
          'The treasury of this configuration is `dedicated`: it takes what is moved by hand for somebody else’s doing, and halts. → `magpie treasury resume` after this one',
        ),
      );
    await agreedTo(io, { what: `${moveText(options)}, for "${printable(purpose, 500)}"`, isPlayMoney, yes: options.yes });
    const reply = await transferOnce(hand, keysOf(settings), { purpose, body, idempotencyKey });
    return told(io, options, reply);
  });
}

function wrong(message: string): CommandFailure {
  return new CommandFailure(exits.wrong, message);
}

function moveText({ to, toKey = '', amount }: TransferOptions): string {
  return `${centsText(amount)} to ${printable(to ?? `child key ${toKey}`)}`;
}

function told(io: Io, options: TransferOptions, reply: OnceReply): ExitCode {
  if (!reply.ok) throw notMade(reply);
  const { data, requestId, odd, wasDone, notNoted } = reply;
  const said: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {};
  if (options.json === true) {
    const asked = { toEmail: options.to ?? null, toApiKeyId: options.toKey ?? null, amountCents: options.amount };
    printJson(io, {
      ...{ ok: odd === undefined, sent: !wasDone, ...asked },
      ...{ answer: said, requestId: requestId ?? null, odd: odd ?? null, notNoted: notNoted ?? null },
    });
  } else if (odd === undefined) {
    io.out.line(
      wasDone
        ? `Nothing was sent: ${moveText(options)} was moved for this purpose before (requestId ${printable(requestId ?? 'none')}).`
        : `Moved: ${moveText(options)} (requestId ${printable(requestId ?? 'none')}).`,
    );
  }
  if (notNoted !== undefined)
    io.err.line(
      io.err.palette.bad(`It was made, but could not be noted: ${notNoted}. The same command again sends the same key.`),
    );
  if (odd !== undefined) io.err.line(io.err.palette.bad(`The answer is not as it should be: ${printable(odd)}`));
  return odd === undefined && notNoted === undefined ? exits.done : exits.failed;
}

function notMade(reply: Extract<OnceReply, { readonly ok: false }>): CommandFailure {
  const { fault } = reply;
  if (fault.class !== 'unknown') return refusal(fault);
  const named = fault.requestId === undefined ? '' : ` (requestId ${printable(fault.requestId)})`;
  return new CommandFailure(
    exits.failed,
    `Nobody knows whether it was moved: ${fault.message}${named}. → the same command again asks with the same key: it moves once, whatever became of this one`,
  );
}
