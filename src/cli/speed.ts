import type { EpochMs } from '../domain/clock.ts';
import { type Leg, type LatencyFigures, type LegFigures, formatMs, latencyFigures, legMs, legs } from '../domain/latency.ts';
import { windowMs } from '../domain/limits.ts';
import type { Timings } from '../domain/outcome.ts';
import { counted } from '../domain/text.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { Voice } from './io.ts';
import { table } from './table.ts';

/** How long purchases took lately, from the bytes that show a listing to the answer to its buy. */
export interface Speed extends LatencyFigures {
  /** Those sent since then; undefined where they are the newest of any time. */
  readonly since: EpochMs | undefined;
  readonly purchases: number;
}

/** As many at most are looked at. */
const NEWEST = 1_000;

/** Where the last day has fewer than this, the newest so many are looked at, however old. */
const FEW = 20;

const INDENT = 12;

/** What each leg is spent on. */
const spentOn: Readonly<Record<string, string>> = {
  'seen → decided': 'read, judged, its turn waited for',
  'decided → committed': 'written, on the disk',
  'committed → sent': 'handed to its connection',
  'sent → answered': 'network and service',
  'seen → answered': 'all of it',
};

/** Undefined where no request has left yet. */
export function speedOf(reader: Reader | undefined, now: EpochMs): Speed | undefined {
  const newest = reader?.newestTimings(NEWEST) ?? [];
  const since = now - windowMs.day;
  const ofTheDay = newest.filter(({ sentAt }) => sentAt !== undefined && sentAt >= since);
  const enough = ofTheDay.length >= Math.min(FEW, newest.length);
  const chosen = enough ? ofTheDay : newest.slice(0, FEW);
  if (chosen.length === 0) return undefined;
  return { since: enough ? since : undefined, purchases: chosen.length, ...latencyFigures(chosen) };
}

/** A few lines and a table for a person. */
export function showSpeed(out: Voice, speed: Speed): void {
  const { since, purchases } = speed;
  const which =
    since === undefined
      ? `the newest ${counted(purchases, 'purchase')} sent`
      : `${counted(purchases, 'purchase')} sent in the last 24 h`;
  out.line(`${'speed'.padEnd(INDENT)}${which}, in milliseconds`);
  const columns = [
    { title: '' },
    ...['p50', 'p90', 'p99', 'count'].map((title) => ({ title, align: 'right' as const })),
    { title: '', grows: true },
  ];
  out.write(table(columns, speed.legs.map(rowOf), { width: out.width, wrap: true, indent: INDENT }));
  const words = lostWords(speed);
  if (words !== undefined) out.line(`${' '.repeat(INDENT)}${words}`);
}

function rowOf(leg: LegFigures): string[] {
  const figure = (ms: number | undefined): string => (ms === undefined ? '–' : formatMs(ms));
  return [nameOf(leg), figure(leg.p50Ms), figure(leg.p90Ms), figure(leg.p99Ms), String(leg.count), spentOn[nameOf(leg)] ?? ''];
}

function lostWords({ ownShare, slowestOwn }: Speed): string | undefined {
  if (ownShare === undefined) return undefined;
  const most = slowestOwn === undefined ? '' : `, most of that ${nameOf(slowestOwn)}`;
  return `${percent(1 - ownShare)} of the time is network and service, ${percent(ownShare)} Magpie${most}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function nameOf({ from, to }: Leg): string {
  return `${from} → ${to}`;
}

/** The same for `--json`: milliseconds; each histogram's bucket counts what is above the bucket before it. */
export function speedJson(speed: Speed | undefined): unknown {
  if (speed === undefined) return null;
  const { since, purchases, ownShare, slowestOwn } = speed;
  return {
    since: since === undefined ? null : new Date(since).toISOString(),
    purchases,
    steps: speed.legs.map(({ from, to, count, p50Ms, p90Ms, p99Ms, maxMs, buckets }) => ({
      ...{ from, to, count, p50Ms: rounded(p50Ms), p90Ms: rounded(p90Ms), p99Ms: rounded(p99Ms), maxMs: rounded(maxMs) },
      histogram: buckets.map(({ upToMs, count: inIt }) => ({ upToMs: upToMs ?? null, count: inIt })),
    })),
    ownShare: ownShare === undefined ? null : Number(ownShare.toFixed(4)),
    slowestOwn: slowestOwn ?? null,
  };
}

/** How long the legs of one purchase took, for a person; undefined where none is known. */
export function stepsWords(timings: Timings): string | undefined {
  const words = legs.flatMap((leg) => {
    const ms = legMs(timings, leg);
    return ms === undefined ? [] : [`${nameOf(leg)} ${formatMs(ms)}`];
  });
  return words.length === 0 ? undefined : `${words.join(', ')} ms`;
}

export function stepsJson(timings: Timings | undefined): unknown {
  return legs.map((leg) => ({ from: leg.from, to: leg.to, ms: (timings && rounded(legMs(timings, leg))) ?? null }));
}

/** Microseconds are as much as the clock tells. */
function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Number(ms.toFixed(3));
}
