import { CommandFailure, exits } from './exit.ts';
import type { Io } from './io.ts';

/** What is about to move money. */
export interface MoneyMove {
  /** For a person: what is sent and where. One line or several. */
  readonly what: string;
  readonly isPlayMoney: boolean;
  /** They have said yes on the command line. */
  readonly yes: boolean | undefined;
}

/** Whoever moves money by hand sees what is sent, and says so. Throws CommandFailure where they do not. */
export async function agreedTo(io: Io, { what, isPlayMoney, yes = false }: MoneyMove): Promise<void> {
  if (yes) return;
  if (io.ask === undefined)
    throw new CommandFailure(exits.wrong, 'Nothing was sent: it moves money. → --yes sends it without asking');
  const real = isPlayMoney ? 'play money' : 'REAL MONEY';
  const answer = await io.ask(io.masked(`This moves ${real}:\n  ${what}\nType yes to send it: `));
  if (answer?.trim().toLowerCase() !== 'yes') throw new CommandFailure(exits.failed, 'Nothing was sent.');
}
