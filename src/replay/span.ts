import type { EpochMs } from '../domain/clock.ts';

/** A stretch of time; its end belongs to what follows. */
export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** A span without its gaps; the gaps in the order of time. */
export function without(span: Span, gaps: readonly Span[]): Span[] {
  const left: Span[] = [];
  let from = span.from;
  for (const gap of gaps) {
    if (gap.from >= span.to) break;
    if (gap.from > from) left.push({ from, to: gap.from });
    from = Math.max(from, gap.to);
  }
  if (from < span.to) left.push({ from, to: span.to });
  return left;
}

/** What of a span lies within a range; undefined where nothing does. */
export function within(span: Span, range: Span): Span | undefined {
  const from = Math.max(span.from, range.from);
  const to = Math.min(span.to, range.to);
  return from < to ? { from, to } : undefined;
}

/** Spans that touch or overlap as one, in the order of time. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && span.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else all.push(span);
  }
  return all;
}

/** All of time. */
export const always: Span = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
