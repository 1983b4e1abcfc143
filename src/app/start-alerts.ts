import { createHash } from 'node:crypto';
import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Secret } from '../domain/secret.ts';
import type { StartFound } from '../ledger/starts.ts';

/** Starts after an end that was not in order, within ten minutes, that make a person look (fault catalogue, P11). */
const CRASHES_ODD = 3;

/** So few bits that many URLs share them: enough to notice another one, too few to find out which. */
const MARK_DIGITS = 6;

/** Tells one trade URL from another without giving it away. */
export function markOf(tradeUrl: Secret | undefined): string | undefined {
  return tradeUrl && createHash('sha256').update(tradeUrl.reveal()).digest('hex').slice(0, MARK_DIGITS);
}

/** What a person should know of the way in which this process found the data folder. */
export function startAlerts({ afterCrash, tradeUrlChanged }: StartFound, forgot: boolean, at: EpochMs): Alert[] {
  const about = { at, purchaseId: undefined };
  const alerts: Alert[] = [];
  if (forgot) {
    alerts.push({
      ...about,
      kind: 'disk',
      message: 'The ledger has lost what it wrote last: its write-ahead log was damaged',
      next: 'Buying stands halted. Check the disk and run `magpie audit`, then `magpie resume`: orders that the ledger no longer knows are adopted and count in the caps; halts and doubts that were lost do not come back.',
    });
  }
  if (tradeUrlChanged) {
    alerts.push({
      ...about,
      kind: 'trade-url',
      message: 'The trade URL is another than at the last start: goods go there from now on',
      next: 'Nothing, if you changed it; else stop Magpie and see who changed the configuration or its variables.',
    });
  }
  if (afterCrash >= CRASHES_ODD) {
    alerts.push({
      ...about,
      kind: 'restarts',
      message: `Magpie has ended ${afterCrash} times within ten minutes without having been asked to`,
      next: 'See in the log and at the supervisor what ends it: memory, a kill, the machine.',
    });
  }
  return alerts;
}
