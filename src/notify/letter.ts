import { type AlertKind, alertKinds } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import { counted } from '../domain/text.ts';

export type NewsKind = AlertKind | 'test';

/** One thing that a channel tells. Its texts may hold whatever strangers wrote. */
export interface News {
  /** The same for the same news, should it come again; undefined where nothing keeps it. */
  readonly id: string | undefined;
  readonly at: EpochMs;
  readonly message: string;
  readonly next: string | undefined;
  readonly purchaseId: number | undefined;
}

/** All the news of one kind that wait, of which some are shown. */
export interface NewsGroup {
  readonly kind: NewsKind;
  /** At least as many as are shown. */
  readonly count: number;
  /** The newest, oldest first. */
  readonly newest: readonly News[];
}

/** What goes out as one message. */
export interface Letter {
  /** Who speaks, in our own words. */
  readonly from: string;
  readonly at: EpochMs;
  /** At least one. */
  readonly groups: readonly NewsGroup[];
  /** Counts alone: for a channel that refused the whole. */
  readonly brief: boolean;
}

function newsCount({ groups }: Pick<Letter, 'groups'>): number {
  return groups.reduce((total, { count }) => total + count, 0);
}

/** News that waited longer says when it was. */
const LATE_MS = 5 * 60_000;

const CUT = '… more than fits in here: magpie status shows the newest';

/**
 * The text of a letter, at most `limit` characters of it, which must leave room for the counts of every kind. What a person must act
 * on comes first, in the order of the table of alerts; how many of each there are is always said.
 */
export function textOf(letter: Letter, harmless: (line: string) => string, limit: number): string {
  const head = harmless(headOf(letter));
  const lines = letter.brief
    ? [CUT]
    : byUrgency(letter.groups)
        .flatMap((group) => linesOf(group, letter.at))
        .map(harmless);
  const kept = [head];
  let left = limit - head.length - 1 - CUT.length;
  for (const line of lines) {
    if (line.length + 1 > left) return [...kept, CUT].join('\n');
    kept.push(line);
    left -= line.length + 1;
  }
  return kept.join('\n');
}

function headOf(letter: Letter): string {
  const total = newsCount(letter);
  const kinds = byUrgency(letter.groups).map(({ kind, count }) => (count === 1 ? kind : `${kind} × ${count}`));
  return total === 1 ? `${letter.from}: ${kinds.join()}` : `${letter.from}: ${counted(total, 'message')} (${kinds.join(', ')})`;
}

function byUrgency(groups: readonly NewsGroup[]): readonly NewsGroup[] {
  const order = Object.keys(alertKinds);
  return [...groups].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

function linesOf({ kind, count, newest }: NewsGroup, now: EpochMs): string[] {
  const head = count > newest.length ? [`${kind}: the newest ${newest.length} of ${count}`] : [];
  return [...head, ...newest.flatMap((news) => newsLines(news, now))];
}

function newsLines({ at, message, next }: News, now: EpochMs): string[] {
  const when = now - at > LATE_MS ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC: ` : '';
  return [`• ${when}${message}`, ...(next === undefined ? [] : [`→ ${next}`])];
}

/** The same for a program: the texts as they are, the counts of everything. */
export function letterJson(letter: Letter, text: string, sentAt: EpochMs): Readonly<Record<string, unknown>> {
  const iso = (at: EpochMs): string => new Date(at).toISOString();
  return {
    version: 1,
    from: letter.from,
    sentAt: iso(sentAt),
    text,
    total: newsCount(letter),
    counts: Object.fromEntries(letter.groups.map(({ kind, count }) => [kind, count])),
    alerts: letter.groups.flatMap(({ kind, newest }) =>
      newest.map(({ id, at, message, next, purchaseId }) => ({
        ...{ id: id ?? null, kind, at: iso(at), message, next: next ?? null, purchaseId: purchaseId ?? null },
      })),
    ),
  };
}
