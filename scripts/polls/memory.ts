import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is held after so many polls, in bytes. */
export interface Sample {
  readonly polls: number;
  /** Everything on the heap that something still refers to. */
  readonly heap: number;
  /** Of that, what the engine has made of our code: it grows for as long as it finds something to make faster. */
  readonly code: number;
  /** Outside the heap: buffers and what native parts hold for objects. */
  readonly buffers: number;
  /** The process in memory. */
  readonly resident: number;
}

/** Everything that nothing refers to is given back first. */
export function sampleAfter(polls: number): Sample {
  // What the first round lets go of may have held more.
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { code_and_metadata_size: compiled, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return { polls, heap: heapUsed, code: compiled + bytecode, buffers: external, resident: rss };
}

/** The slope of the least squares line through the second half of the samples: in the first one caches fill. */
export function slopeOf<S extends { readonly polls: number }>(samples: readonly S[], of: (sample: S) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, level] = [mean(half.map(({ polls }) => polls)), mean(half.map(of))];
  const across = half.reduce((sum, sample) => sum + (sample.polls - middle) * (of(sample) - level), 0);
  return across / half.reduce((sum, { polls }) => sum + (polls - middle) ** 2, 0);
}

/** By how much the mean of the last quarter is above that of the quarter before it. */
export function growth<S>(samples: readonly S[], of: (sample: S) => number): number {
  const quarter = Math.floor(samples.length / 4);
  const mean = (some: readonly S[]): number => some.reduce((sum, sample) => sum + of(sample), 0) / some.length;
  return mean(samples.slice(-quarter)) - mean(samples.slice(-2 * quarter, -quarter));
}
