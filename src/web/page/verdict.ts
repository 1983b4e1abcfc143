import type { Status } from './answers.ts';
import { to } from './where.ts';
import { ago, counted, dollars, moment, plain, sentence } from './words.ts';

export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  /** A few words: the one thing that must be true. */
  readonly title: string;
  readonly words: string | undefined;
  /** What a person may do. */
  readonly next: string | undefined;
}

/** A sign of life older than this is none. */
const QUIET_MS = 15_000;

/** Whether it buys, and if not, why not and what to do. */
export function verdictOf(facts: Status, now: number): Verdict {
  const { halts, daemon, buying, mode } = facts;
  const [first] = halts;
  if (first !== undefined) {
    const by = first.by === 'person' ? 'a person' : 'Magpie itself';
    const since = `since ${moment(first.at, now)}, by ${by}: ${first.reason}`;
    return { tone: 'bad', title: 'Buying is stopped', words: since, next: 'Look into the reason, then allow buying again.' };
  }
  if (daemon === null || silent(daemon.signOfLifeAt, now))
    return {
      ...{ tone: 'bad', title: 'Magpie gives no sign of life' },
      words: `The last one came ${ago(daemon?.signOfLifeAt, now)}. Nothing is bought while it does not run.`,
      next: 'Look at the terminal or the service that runs it.',
    };
  const paper = mode !== 'live';
  const onlyOn = buying?.onlyOn ?? [];
  if (buying?.open === true && onlyOn.length === 0)
    return paper
      ? {
          tone: 'good',
          title: 'It watches, and buys on paper only',
          words: 'This is a dry-run: nothing is sent.',
          next: undefined,
        }
      : { tone: 'good', title: 'It watches and buys', words: undefined, next: undefined };
  const why = closedWords(buying);
  if (buying?.open === true)
    return { tone: 'warn', title: `It buys on ${onlyOn.join(' and ')} only`, words: why, next: undefined };
  return { tone: 'warn', title: 'It watches, and buys nothing right now', words: why, next: undefined };
}

function silent(signOfLifeAt: string | null, now: number): boolean {
  return signOfLifeAt === null || now - Date.parse(signOfLifeAt) > QUIET_MS;
}

export interface Awaited {
  readonly key: string;
  readonly words: string;
  readonly href?: string;
}

/** Everything that has to happen before something else can, in words. */
export function waitingFor({ daemon, buying, unknown, purchases, halts }: Status): readonly Awaited[] {
  const under = (purchases['bought'] ?? 0) + (purchases['intended'] ?? 0);
  const orders = purchases['bought'] ?? 0;
  const closed = closedWords(buying);
  const found: Awaited[] = [];
  if (halts.length > 0) found.push({ key: 'resume', words: 'A person who allows buying again.' });
  else if (unknown.length === 0 && closed !== undefined) found.push({ key: 'why', words: closed });
  for (const { reason, why } of buying?.also ?? [])
    // Each purchase in doubt has a row of its own below.
    if (reason !== 'unknown-pause') found.push({ key: `also ${reason} ${why}`, words: `Besides: ${plain(why)}` });
  for (const { id, marketHashName, priceWithFee } of unknown.slice(0, 4))
    found.push({
      key: `unknown ${id}`,
      words: `Proof whether ${marketHashName} for ${dollars(priceWithFee)} was bought`,
      href: to(`/purchase/${id}`),
    });
  if (under > 0)
    found.push({ key: 'orders', words: `The delivery of ${counted(orders, 'item')}`, href: to('/purchases?state=bought') });
  if (daemon !== null && halts.length === 0)
    found.push({
      key: 'next',
      words: `The next listing that a strategy wants: ${counted(daemon.listings, 'listing')} are on sale, ${daemon.matching} of them wanted.`,
    });
  return found.length === 0 ? [{ key: 'none', words: 'Nothing.' }] : found;
}

/** What keeps buying closed, for a person who looks in once a day. */
const closings: Readonly<Record<string, string>> = {
  starting: 'It has only just started, and checks first whether everything can be read.',
  'unknown-pause': 'Of a purchase it is not certain whether it was bought. Until that is proved, no other is made.',
  'health-unknown': 'Whether the markets are well is not known.',
  'snapshot-stale': 'The market has not been seen whole for a while.',
  'orders-unread': 'The orders of the account cannot be read right now.',
  slowed: 'The service has asked Magpie to slow down.',
  'journal-failed': 'Its records cannot be written: see whether the disk is full.',
};

function closedWords(buying: Status['buying']): string | undefined {
  if (buying === null || buying.why === null) return undefined;
  const known = buying.reason === null ? undefined : closings[buying.reason];
  return known === undefined ? sentence(buying.why) : `${known} (${plain(buying.why)})`;
}
