import type { EpochMs } from '../domain/clock.ts';
import { durationMs } from '../settings/units.ts';
import { CommandFailure, exits } from './exit.ts';

/** `2026-11-28 10:00:05 UTC`. */
export function utc(at: EpochMs): string {
  return `${withoutZone(at)} UTC`;
}

/** `2026-11-28 10:00:05`, for a table whose head names the zone. */
export function withoutZone(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

const steps = [
  { ms: 86_400_000, unit: 'd' },
  { ms: 3_600_000, unit: 'h' },
  { ms: 60_000, unit: 'min' },
  { ms: 1_000, unit: 's' },
] as const;

/** `40 s`, `3 min`, `2 h 5 min`, `3 d 4 h`: the two largest units that count. */
export function span(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1_000)) * 1_000;
  const parts: string[] = [];
  for (const { ms: size, unit } of steps) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** Seconds matter only near now. */
export function ago(at: EpochMs, now: EpochMs): string {
  return at > now + 1_000 ? `in ${span(at - now)}` : `${span(now - at)} ago`;
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** A moment as a person writes it: ISO 8601 (UTC where no zone is given), or a duration before now. Undefined for anything else. */
export function momentOf(text: string, now: EpochMs): EpochMs | undefined {
  const back = durationMs(text);
  if (back !== undefined) return now - back;
  const [, day, time = '00:00', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  // A day that no month has is taken for one of the next month.
  return Number.isNaN(at) || new Date(`${day}T00:00Z`).toISOString().slice(0, 10) !== day ? undefined : at;
}

/** The moment that an option names; undefined where it was not given. Ends the command where it is no time. */
export function momentGiven(option: string, text: string | undefined, now: EpochMs): EpochMs | undefined {
  if (text === undefined) return undefined;
  const at = momentOf(text, now);
  if (at !== undefined) return at;
  throw new CommandFailure(
    exits.wrong,
    `${option} "${text}" is no time: write 2026-11-28, 2026-11-28T10:00Z, or a duration such as 90m, 24h, 7d.`,
  );
}
