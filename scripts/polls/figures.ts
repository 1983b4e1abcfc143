import type { HttpRun } from './http-run.ts';
import { growth, slopeOf } from './memory.ts';
import type { VirtualRun } from './virtual-run.ts';

/** Bytes of the heap that a poll may leave behind. */
const BYTES_A_POLL_MAX = 1;

/** Files, sockets and timers that may be open more at the end than before: of what is open for a moment, more or less is luck. */
const OPEN_MORE_MAX = 3;

/** Slopes of the second half, in bytes a poll. */
interface Slopes {
  readonly heap: number;
  /** Without what the engine makes of our code. */
  readonly objects: number;
  readonly buffers: number;
}

export interface VirtualFigures {
  readonly polls: number;
  readonly bad: number;
  readonly minutes: number;
  readonly slopes: Slopes;
  /** Bytes in the middle and at the end. */
  readonly heap: readonly [middle: number, end: number];
  readonly moreTimers: number;
  readonly said: Readonly<Record<string, number>>;
  readonly flat: boolean;
}

export interface HttpFigures {
  readonly polls: number;
  readonly failed: number;
  readonly minutes: number;
  readonly slopes: Slopes;
  readonly moreFiles: number;
  readonly moreSockets: number;
  readonly moreTimers: number;
  readonly flat: boolean;
}

export function virtualFigures({ samples, polls, bad, said }: VirtualRun, ms: number): VirtualFigures {
  const slopes = slopesOf(samples);
  const moreTimers = growth(samples, ({ timers }) => timers);
  return {
    ...{ polls, bad, said, slopes, moreTimers, minutes: ms / 60_000 },
    heap: [samples[Math.floor(samples.length / 2)]?.heap ?? 0, samples.at(-1)?.heap ?? 0],
    flat: slopes.heap <= BYTES_A_POLL_MAX && slopes.buffers <= BYTES_A_POLL_MAX && moreTimers <= OPEN_MORE_MAX,
  };
}

/** So few polls say nothing of a byte a poll: the engine is still at work on our code. */
export function httpFigures({ samples, polls, failed }: HttpRun, ms: number): HttpFigures {
  const more = {
    moreFiles: growth(samples, ({ files }) => files),
    moreSockets: growth(samples, ({ sockets }) => sockets),
    moreTimers: growth(samples, ({ timers }) => timers),
  };
  const flat = Object.values(more).every((count) => count <= OPEN_MORE_MAX);
  return { polls, failed, minutes: ms / 60_000, slopes: slopesOf(samples), ...more, flat };
}

function slopesOf(samples: VirtualRun['samples'] | HttpRun['samples']): Slopes {
  return {
    heap: slopeOf(samples, ({ heap }) => heap),
    objects: slopeOf(samples, ({ heap, code }) => heap - code),
    buffers: slopeOf(samples, ({ buffers }) => buffers),
  };
}

export function virtualWords({ polls, bad, minutes, slopes, heap, moreTimers, said }: VirtualFigures): string {
  const [middle, end] = heap.map((bytes) => `${(bytes / 1e6).toFixed(2)} MB`);
  return [
    `${polls} polls on virtual time in ${minutes.toFixed(1)} minutes, ${bad} times an answer was bad`,
    `  heap    ${slopeWords(slopes)} (${middle} in the middle, ${end} in the end); goal ≤ ${BYTES_A_POLL_MAX}`,
    `  timers  ${signed(moreTimers)}`,
    `  said    ${Object.entries(said)
      .map(([event, count]) => `${event} ${count}`)
      .join(', ')}`,
  ].join('\n');
}

export function httpWords({ polls, failed, minutes, slopes, moreFiles, moreSockets, moreTimers }: HttpFigures): string {
  return [
    `${polls} polls over HTTP in ${minutes.toFixed(1)} minutes, ${failed} told as failed`,
    `  heap    ${slopeWords(slopes)}`,
    `  open    files ${signed(moreFiles)}, of them sockets ${signed(moreSockets)}, timers ${signed(moreTimers)}`,
  ].join('\n');
}

function slopeWords({ heap, objects, buffers }: Slopes): string {
  return `${signed(heap)} bytes a poll, ${signed(objects)} without compiled code; buffers ${signed(buffers)}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}
