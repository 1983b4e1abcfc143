import type { EpochMs } from './clock.ts';

/** Shorter than this we never wait when told to, and longer than this we never believe (reliability catalogue, N16). */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 15 * 60_000;

const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = '\\d\\d:\\d\\d:\\d\\d';
const withZone = new RegExp(`^${day}[a-z]*, \\d\\d[ -]${month}[ -]\\d{2,4} ${time} GMT$`);
const withoutZone = new RegExp(`^${day} ${month} [ \\d]\\d ${time} \\d{4}$`);

/**
 * A date as HTTP writes it (its three forms), in epoch milliseconds; undefined for anything else. Stricter than Date.parse, which
 * takes "-5" for a day in May.
 */
export function httpDate(text: string | undefined): EpochMs | undefined {
  const trimmed = text?.trim() ?? '';
  const dated = withZone.test(trimmed) ? trimmed : withoutZone.test(trimmed) ? `${trimmed} GMT` : undefined;
  if (dated === undefined) return undefined;
  const at = Date.parse(dated);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * How long a Retry-After header asks us to wait, in milliseconds between one second and a quarter of an hour; undefined when there
 * is no header. Seconds (a fraction too) or a date, told from `now`; what is neither still asks to wait, so it is the shortest wait.
 */
export function retryAfterMs(header: string | undefined, now: EpochMs): number | undefined {
  if (header === undefined) return undefined;
  return Math.min(Math.max(asked(header.trim(), now), RETRY_MIN_MS), RETRY_MAX_MS);
}

function asked(text: string, now: EpochMs): number {
  if (/^[+-]?\d+(?:\.\d*)?(?:e\+?\d+)?$/i.test(text)) return Number(text) * 1_000;
  const at = httpDate(text);
  return at === undefined ? RETRY_MIN_MS : at - now;
}
