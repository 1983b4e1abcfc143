import { InvalidArgumentError } from 'commander';
import { durationMeant, durationMs } from '../settings/units.ts';

/** A duration above 0 that an option was given, in milliseconds. */
export function durationGiven(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms > 0) return ms;
  const meant = durationMeant(text);
  throw new InvalidArgumentError(
    `A duration above 0 is needed, such as 30s, 15m or 8h.${meant === undefined || !durationMs(meant) ? '' : ` Did you mean ${meant}?`}`,
  );
}
