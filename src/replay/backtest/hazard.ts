/** Ages at which the rate of going may become another, milliseconds. */
export const AGE_EDGES_MS = [0, 500, 1_000, 2_000, 4_000, 10_000, 30_000, 120_000, 600_000] as const;
export const AGES = AGE_EDGES_MS.length;

/** A rate of going for each age, per millisecond. */
export type Hazard = readonly number[];

/** The rate of going summed up over ages. A plain loop: it is asked millions of times. */
function cumulated(hazard: Hazard, from: number, to: number): number {
  let total = 0;
  for (let age = 0; age < AGES; age++) {
    const begin = Math.max(from, AGE_EDGES_MS[age] as number);
    const end = Math.min(to, age + 1 < AGES ? (AGE_EDGES_MS[age + 1] as number) : to);
    if (end > begin) total += (hazard[age] as number) * (end - begin);
  }
  return total;
}

/** The chance to stand at age `to` for what stood at age `from`, 0 to 1. */
export function survival(hazard: Hazard, from: number, to: number): number {
  return Math.exp(-cumulated(hazard, from, to));
}

/** One that was watched: from an age on, known to stand until another, gone by a third (never seen gone: undefined). */
export interface Life {
  readonly entered: number;
  readonly stood: number;
  readonly missed: number | undefined;
}

/** What lives come to, for each age: how many ended there and how long all were watched there, milliseconds. */
export interface Tally {
  readonly ended: Float64Array;
  readonly watched: Float64Array;
}

export function emptyTally(): Tally {
  return { ended: new Float64Array(AGES), watched: new Float64Array(AGES) };
}

/**
 * Adds a life. When within its last stretch it ended nobody saw: each age gets the share that the hazard so far makes likely
 * (an EM step; with several rounds it converges to the likeliest hazard).
 */
export function addLife(tally: Tally, { entered, stood, missed }: Life, hazard: Hazard): void {
  const { ended, watched } = tally;
  const begin = Math.max(entered, stood);
  for (let age = ageAt(entered); age < AGES && edge(age) < begin; age++)
    add(watched, age, Math.min(begin, edge(age + 1)) - Math.max(entered, edge(age)));
  if (missed === undefined) return;
  const dies = 1 - survival(hazard, begin, missed);
  if (!(dies > 0)) return;
  let alive = 1;
  for (let age = ageAt(begin); age < AGES && edge(age) < missed; age++) {
    const rate = hazard[age] as number;
    const width = Math.min(missed, edge(age + 1)) - Math.max(begin, edge(age));
    const after = alive * Math.exp(-rate * width);
    const here = (alive - after) / dies;
    add(ended, age, here);
    // Of those that end here, the mean time until then; those that end later were here throughout.
    const mean = rate * width < 1e-6 ? width / 2 : 1 / rate - width / Math.expm1(rate * width);
    const later = Math.max(0, (after - (1 - dies)) / dies);
    add(watched, age, here * mean + later * width);
    alive = after;
  }
}

/** The first stretch of ages that does not end before a time, or with it; AGES where none is left, as a recording may claim. */
function ageAt(time: number): number {
  let age = 0;
  while (age < AGES && edge(age + 1) <= time) age++;
  return age;
}

/** Where a stretch of ages begins; the last one never ends. */
function edge(age: number): number {
  return age < AGES ? (AGE_EDGES_MS[age] as number) : Number.POSITIVE_INFINITY;
}

function add(values: Float64Array, age: number, by: number): void {
  values[age] = (values[age] as number) + by;
}
