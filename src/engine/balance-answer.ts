import type { DataOf } from '../api/endpoints.ts';
import type { EpochMs } from '../domain/clock.ts';
import { microsFromDollars } from '../domain/money.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Reply } from './ports.ts';

/** More dollars than any account of this trade holds: a figure beyond it is in another unit or broken. */
const BALANCE_MAX_DOLLARS = 100_000_000;

/** What one question about the account came to. */
export type BalanceAnswer =
  | {
      readonly ok: true;
      readonly reading: BalanceReading;
      /** Whose balance it is: a data folder belongs to one account. */
      readonly profileId: string;
      /** The answer's Date header, epoch milliseconds: what the machine's clock is compared with. */
      readonly serviceDate: EpochMs | undefined;
    }
  | { readonly ok: false; readonly message: string; readonly at: EpochMs; readonly forbidden: boolean };

/**
 * Reads profile and balance. A negative, absurd or unreadable balance is no reading rather than a small one: without a reading
 * nothing is bought. Fractions of a micro-dollar are dropped, since what we have is never rounded up.
 */
export function readBalance(reply: Reply<DataOf<'user'>>): BalanceAnswer {
  const at = reply.endedAt;
  if (!reply.ok) {
    const forbidden = reply.fault.cause === 'key' || reply.fault.status === 401;
    return { ok: false, message: reply.fault.message, at, forbidden };
  }
  const { id, balance } = reply.data.profile;
  const amount = balance >= 0 && balance <= BALANCE_MAX_DOLLARS ? microsFromDollars(balance, 'down') : undefined;
  if (amount === undefined) return { ok: false, message: `the balance cannot be right: ${balance}`, at, forbidden: false };
  return {
    ok: true,
    reading: { amount, beganAt: reply.beganAt, endedAt: reply.endedAt },
    profileId: id,
    serviceDate: reply.serviceDate,
  };
}

/** The asking itself failed: there is no reading. */
export function balanceBroken(error: unknown, at: EpochMs): BalanceAnswer {
  return { ok: false, message: error instanceof Error ? error.message : String(error), at, forbidden: false };
}
