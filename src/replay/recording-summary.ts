import { statSync } from 'node:fs';
import type { EpochMs } from '../domain/clock.ts';
import type { RecordedGap, RecordedSession } from './moment.ts';
import type { Recording } from './recordings.ts';
import { type Span, joined, within } from './span.ts';

/** A day in UTC, and how much of it was seen. */
export interface DayCovered {
  /** 2026-11-28. */
  readonly day: string;
  readonly coveredMs: number;
  /** Share of each of its hours, 0 to 1. */
  readonly hours: readonly number[];
}

/** A stretch between two that are covered, and why. */
export interface Hole extends Span {
  readonly reason: string;
}

export interface RecordingSummary {
  /** Of the first poll and the last; undefined where there is none. */
  readonly from: EpochMs | undefined;
  readonly to: EpochMs | undefined;
  readonly sessions: readonly RecordedSession[];
  readonly coverage: readonly Span[];
  readonly coveredMs: number;
  readonly days: readonly DayCovered[];
  readonly holes: readonly Hole[];
  /** Of the file and its write-ahead log. */
  readonly bytes: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A day is shown for each that a recording touches; a clock that went mad must not make a million of them. */
const DAYS_MAX = 3_660;

/** Which times a recording covers, day by day, and what is missing between. May throw SQLite's errors. */
export function summaryOf(recording: Recording): RecordingSummary {
  const coverage = joined(recording.coverage());
  const spans = recording.polled();
  const from = least(spans.map((span) => span.from));
  const to = spans.length === 0 ? undefined : Math.max(...spans.map((span) => span.to));
  return {
    ...{ from, to, coverage, sessions: recording.sessions() },
    coveredMs: lengthOf(coverage),
    days: daysOf(coverage, spans),
    holes: holesOf(coverage, recording.gaps()),
    bytes: bytesOf(recording.path) + bytesOf(`${recording.path}-wal`),
  };
}

function daysOf(coverage: readonly Span[], spans: readonly Span[]): DayCovered[] {
  const touched = new Set<number>();
  for (const { from, to } of spans) {
    for (let day = Math.floor(from / DAY_MS); day * DAY_MS <= to && touched.size < DAYS_MAX; day++) touched.add(day);
  }
  return [...touched].toSorted((a, b) => a - b).map((day) => dayOf(day * DAY_MS, coverage));
}

function dayOf(start: EpochMs, coverage: readonly Span[]): DayCovered {
  const own = inside(coverage, { from: start, to: start + DAY_MS });
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const from = start + hour * HOUR_MS;
    return lengthOf(inside(own, { from, to: from + HOUR_MS })) / HOUR_MS;
  });
  return { day: new Date(start).toISOString().slice(0, 10), coveredMs: lengthOf(own), hours };
}

/** What lies between two covered stretches: a gap that was noted, or nobody who recorded. */
function holesOf(coverage: readonly Span[], gaps: readonly RecordedGap[]): Hole[] {
  return coverage.slice(1).flatMap((span, index) => {
    const hole = { from: coverage[index]?.to ?? span.from, to: span.from };
    if (hole.from >= hole.to) return [];
    const noted = gaps.find((gap) => gap.to > hole.from && gap.from < hole.to);
    return [{ ...hole, reason: noted?.reason ?? 'nobody recorded' }];
  });
}

function inside(spans: readonly Span[], range: Span): Span[] {
  return spans.map((span) => within(span, range)).filter((span) => span !== undefined);
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((total, { from, to }) => total + to - from, 0);
}

function least(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
