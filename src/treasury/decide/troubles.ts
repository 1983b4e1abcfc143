import type { EpochMs } from '../../domain/clock.ts';
import { formatDollars } from '../../domain/money.ts';
import type { TreasuryPolicy } from './policy.ts';
import { reasonTexts } from './reasons.ts';
import type { Verdict, VerdictReason } from './step.ts';
import type { TransferRow } from './transfer.ts';

/** Something about the treasury that a person should know, for as long as it stands. */
export interface Trouble {
  /** The same for the same trouble, from one round to the next. */
  readonly mark: string;
  /** Since when. */
  readonly at: EpochMs;
  readonly message: string;
  readonly next: string;
}

/** A reason that a child gets nothing for, and since when. */
export interface Standing {
  readonly reason: VerdictReason;
  readonly since: EpochMs;
}

export interface TroubleBooks {
  readonly policy: Pick<TreasuryPolicy, 'children'>;
  /** All that stand. */
  readonly halts: readonly { readonly reason: string; readonly by: string; readonly at: EpochMs }[];
  readonly open: readonly (TransferRow & { readonly said: string | undefined })[];
  readonly verdicts: readonly Verdict[];
  readonly standing: ReadonlyMap<string, Standing>;
  /** An open transfer is repeated by itself for so long, milliseconds. */
  readonly repeatForMs: number;
}

/** What passes by itself most of the time is told of when it has not, milliseconds. */
const PATIENCE_MS = 600_000;
/** A transfer that stays open so long is told of, milliseconds: by then it has been repeated six times. */
const OPEN_MS = 3_600_000;

/** Reasons that leave a child without money: what a person can do, and whether it may pass by itself. */
const shortages: Partial<Record<VerdictReason, { readonly next: string; readonly passes: boolean }>> = {
  reserve: { next: 'add to the top-level balance, or lower `treasury.reserve`', passes: false },
  'cap-perTransfer': { next: 'raise `treasury.limits.perTransfer`, if so much is meant to go', passes: false },
  'cap-child-day': { next: 'wait, or raise `treasury.limits.childDay`, if so much is meant to go', passes: false },
  'cap-hour': { next: 'wait, or raise `treasury.limits.hour`, if so much is meant to go', passes: true },
  'cap-day': { next: 'wait, or raise `treasury.limits.day`, if so much is meant to go', passes: false },
  unread: { next: 'see whether its key still works: `magpie partner users EMAIL` tells its status', passes: true },
  'top-unread': { next: 'see whether the top-level key still works, and the service is up', passes: true },
  resting: { next: '`magpie treasury transfers` shows what the service says', passes: true },
  clock: {
    next: 'set the clock of this machine where it is wrong, and start the treasury again: a run reads it once',
    passes: true,
  },
};

/** Since when each child has had the reason that it has now. What changes only between reasons begins anew. */
export function standingSince(
  before: ReadonlyMap<string, Standing>,
  verdicts: readonly Verdict[],
  at: EpochMs,
): ReadonlyMap<string, Standing> {
  return new Map(
    verdicts.map(({ child, reason }) => {
      const known = before.get(child);
      // One that a wrong clock has dated ahead would stand for no time at all until then.
      return [child, known?.reason === reason && known.since <= at ? known : { reason, since: at }];
    }),
  );
}

/** What a person should know now. A halt that a person asked for is none of it. */
export function troublesOf(books: TroubleBooks, now: EpochMs): readonly Trouble[] {
  const { halts, open, verdicts } = books;
  const halted = halts
    .filter(({ by }) => by !== 'person')
    .map(({ reason, at }) => ({
      ...{ mark: `halt ${at} ${reason}`, at, message: `the treasury has halted itself: ${reason}` },
      next: '`magpie treasury status`, then `magpie treasury resume` once you know why',
    }));
  return [
    ...halted,
    ...open.flatMap((transfer) => openTrouble(transfer, books.repeatForMs, now) ?? []),
    ...verdicts.flatMap((verdict) => shortage(verdict, books, now) ?? []),
  ];
}

function openTrouble(transfer: TroubleBooks['open'][number], repeatForMs: number, now: EpochMs): Trouble | undefined {
  const { id, child, amount, createdAt, said } = transfer;
  const age = now - createdAt;
  if (age < OPEN_MS) return undefined;
  const isOver = age > repeatForMs;
  const what = `transfer ${id}, ${formatDollars(amount)} to ${child}, is not settled (${said ?? 'no answer yet'})`;
  return {
    mark: isOver ? `left ${id}` : `open ${id}`,
    at: createdAt,
    message: isOver ? `${what}, and is not asked again by itself any more` : `${what}; it is asked again with the same key`,
    next: `see on the site what became of it, then \`magpie treasury settle ${id} --as made|not-made --reason TEXT\``,
  };
}

function shortage({ child, reason, balance }: Verdict, { policy, standing }: TroubleBooks, now: EpochMs): Trouble | undefined {
  const kind = shortages[reason];
  const since = standing.get(child)?.since ?? now;
  if (kind === undefined || (kind.passes && now - since < PATIENCE_MS)) return undefined;
  const floor = policy.children.find(({ name }) => name === child)?.floor;
  const has =
    balance === undefined || floor === undefined
      ? child
      : `${child} has ${formatDollars(balance)}, less than its floor of ${formatDollars(floor)},`;
  return { mark: `${reason} ${child}`, at: since, message: `${has} gets nothing: ${reasonTexts[reason]}`, next: kind.next };
}
