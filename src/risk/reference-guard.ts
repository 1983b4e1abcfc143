import { type Micros, formatDollars, micros, shareFromNumber, withinShare } from '../domain/money.ts';
import { type ReferenceRecord, jumpText } from '../domain/reference.ts';
import { counted } from '../domain/text.ts';
import type { Refusal } from './caps.ts';

/** When a steamPrice is not believed beside our own record of it. */
export interface ReferencePolicy {
  /** Days on record below which nothing is said. */
  readonly minSamples: number;
  /** How far it may be off the median, either way, as a share of that. */
  readonly maxJump: number;
}

/** Why a steamPrice is not believed; undefined when it is, or when too little is on record to tell. */
export function jumpRefusal(
  steam: Micros,
  record: ReferenceRecord | undefined,
  { minSamples, maxJump }: ReferencePolicy,
): Refusal | undefined {
  const share = shareFromNumber(maxJump);
  if (record === undefined || share === undefined || record.samples < minSamples) return undefined;
  const { median, samples } = record;
  if (withinShare(share)(micros(Math.abs(steam - median)), median)) return undefined;
  return {
    reason: 'reference-jumped',
    detail: `a steamPrice of ${formatDollars(steam)} is ${jumpText(steam, record)} from ${formatDollars(median)}, the median of ${counted(samples, 'day')}`,
  };
}
