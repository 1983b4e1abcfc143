import { Tinypool } from 'tinypool';
import type { VariantResult } from '../../replay/sweep/part.ts';
import { type SweepWork, VariantStudies, type VariantTask } from './variant-study.ts';

// What a thread of a sweep runs: the histories come once, as memory that all threads share, then one variant after the other.

const studies = new VariantStudies(Tinypool.workerData as SweepWork);

export function tried(task: VariantTask): VariantResult {
  return studies.of(task);
}
