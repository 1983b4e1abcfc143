import { formatDollars } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { reasonTexts } from '../treasury/decide/reasons.ts';
import type { Verdict } from '../treasury/decide/step.ts';
import type { KeptTransfer } from '../treasury/journal.ts';
import type { TreasuryEvent } from '../treasury/event.ts';

/** `$180.00 to shop`. */
export function transferText({ amount, child }: Pick<KeptTransfer, 'amount' | 'child'>): string {
  return `${formatDollars(amount)} to ${printable(child)}`;
}

/** One line of what was decided of a child; `moves` false: on paper. */
export function verdictLine({ child, reason, amount, cutBy, balance }: Verdict, moves: boolean): string {
  const has = balance === undefined ? '' : ` (has ${formatDollars(balance)})`;
  if (reason !== 'transfer') return `${printable(child)}${has}: ${reasonTexts[reason]}`;
  const cut = cutBy === undefined ? '' : `, less than it needs because of ${cutBy}`;
  return `${printable(child)}${has}: ${moves ? 'moving' : 'dry-run, would move'} ${formatDollars(amount)}${cut}`;
}

/** One line of what happened. */
export function eventLine(event: TreasuryEvent): string {
  switch (event.kind) {
    case 'made':
      return `Moved ${transferText(event.transfer)} (transfer ${event.transfer.id})`;
    case 'refused':
      return `Refused: ${transferText(event.transfer)} (transfer ${event.transfer.id}): ${printable(event.why ?? '')}`;
    case 'open':
      return `Not settled: ${transferText(event.transfer)} (transfer ${event.transfer.id}): ${printable(event.why ?? '')}; it is asked again with the same key`;
    case 'kept-back':
      return `Kept back: ${transferText(event.transfer)} (transfer ${event.transfer.id}): ${printable(event.why ?? '')}`;
    case 'not-written':
      return `Not sent to ${printable(event.child)}: ${event.why}`;
    case 'unread':
      return `The balance of ${printable(event.who)} could not be read: ${printable(event.why)}`;
    case 'clock-wrong':
      return `Nothing is sent: ${event.why}. → set the clock of this machine, and start the treasury again`;
    case 'halted':
      return `HALTED: ${printable(event.why, 1_000)}. → \`magpie treasury status\`, then \`magpie treasury resume\``;
  }
}
