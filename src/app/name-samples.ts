import type { EpochMs } from '../domain/clock.ts';
import { type Micros, ZERO, micros } from '../domain/money.ts';
import { type DaySample, type ReferenceRecord, dayOf, medianOf, recordOf } from '../domain/reference.ts';
import type { NamedDay, NamedSamples } from '../ledger/references.ts';
import type { PriceMove } from '../risk/market-fall.ts';

/** Names followed at most; there are some 30,000. */
const NAMES_MAX = 40_000;
/** A longer one is no item's. */
const NAME_LENGTH_MAX = 128;
const HOUR_MS = 3_600_000;

/** What one look at the live listings shows of a name. */
export interface Seen {
  /** Of each of its listings that bears one. */
  readonly steams: Micros[];
  floor: Micros;
  nextFloor: Micros | undefined;
}

interface Kept {
  /** Day, steamPrice (0: none) of past days, flat and oldest first: there are tens of thousands of these. */
  past: number[];
  /** Of the newest of those days. */
  floorBefore: Micros | undefined;
  day: number;
  /** A reading an hour. */
  steams: Micros[];
  floors: Micros[];
  hour: number;
}

/** What is known of every name's prices: past days, and the readings of today. In memory; whoever has it keeps it on disk. */
export class NameSamples {
  readonly #days: number;
  readonly #names = new Map<string, Kept>();

  /** So many past days count. */
  constructor(days: number) {
    this.#days = days;
  }

  get size(): number {
    return this.#names.size;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** A copy, since names come and go while it is gone through. */
  get names(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** Takes what was kept of a name on disk. */
  load({ name, reading, samples }: NamedSamples, today: number): void {
    const kept: Kept = { past: [], floorBefore: undefined, day: today, steams: [], floors: [], hour: -1 };
    for (const sample of samples) {
      if (sample.day < today) pushDay(kept, sample);
      if (sample.day !== today) continue;
      // Its readings are gone, their middle is not.
      for (let n = 0; n < sample.readings; n++) {
        if (sample.steam !== undefined) kept.steams.push(sample.steam);
        kept.floors.push(sample.floor);
      }
      kept.hour = Math.floor(reading.at / HOUR_MS);
    }
    this.#names.set(name, kept);
  }

  /** Takes a reading of a name; undefined when this hour has one, or there is no room for the name. */
  read(name: string, seen: Seen, at: EpochMs): NamedDay | undefined {
    const today = dayOf(at);
    const kept = this.#at(name, today);
    const hour = Math.floor(at / HOUR_MS);
    if (kept === undefined || kept.hour === hour || today < kept.day) return undefined;
    if (kept.day !== today) this.#close(kept, today);
    kept.hour = hour;
    const steam = medianOf(seen.steams);
    // Two dozen a day at most: a list that is as long as what it holds, of tens of thousands, is worth the copy.
    if (steam !== undefined) kept.steams = [...kept.steams, steam];
    kept.floors = [...kept.floors, seen.floor];
    const sample = sampleOf(kept);
    return sample && { name, sample, reading: { at, floor: seen.floor, nextFloor: seen.nextFloor } };
  }

  /** How a name stands against the day before today; undefined when it was not seen then. */
  moveOf(name: string, seen: Seen, today: number): PriceMove | undefined {
    const kept = this.#names.get(name);
    if (kept?.floorBefore === undefined || kept.past.at(-2) !== today - 1) return undefined;
    const steamBefore = micros(kept.past.at(-1) ?? 0);
    return {
      floor: seen.floor,
      floorBefore: kept.floorBefore,
      steam: medianOf(seen.steams),
      steamBefore: steamBefore > 0 ? steamBefore : undefined,
    };
  }

  /** The record of a name by the days before today; a name of which nothing is left is forgotten. */
  recordOf(name: string, today: number): ReferenceRecord | undefined {
    const kept = this.#names.get(name);
    if (kept === undefined) return undefined;
    if (kept.day < today) this.#close(kept, today);
    if (kept.past.length === 0 && kept.floors.length === 0) this.#names.delete(name);
    return recordOf(samplesOf(kept.past), today, this.#days);
  }

  #at(name: string, today: number): Kept | undefined {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    if (this.#names.size >= NAMES_MAX || name.length > NAME_LENGTH_MAX) return undefined;
    const fresh: Kept = { past: [], floorBefore: undefined, day: today, steams: [], floors: [], hour: -1 };
    this.#names.set(name, fresh);
    return fresh;
  }

  /** The day is over: it counts from now on, and what is too old counts no more. */
  #close(kept: Kept, today: number): void {
    const sample = sampleOf(kept);
    if (sample !== undefined) pushDay(kept, sample);
    while (kept.past.length > 0 && (kept.past[0] as number) < today - this.#days) kept.past.splice(0, 2);
    kept.day = today;
    kept.steams = [];
    kept.floors = [];
  }
}

function sampleOf({ day, steams, floors }: Kept): DaySample | undefined {
  const floor = medianOf(floors);
  return floor === undefined ? undefined : { day, readings: floors.length, steam: medianOf(steams), floor };
}

function pushDay(kept: Kept, { day, steam, floor }: DaySample): void {
  kept.past.push(day, steam ?? 0);
  kept.floorBefore = floor;
}

function samplesOf(past: readonly number[]): readonly DaySample[] {
  const samples: DaySample[] = [];
  for (let at = 0; at < past.length; at += 2) {
    const steam = micros(past[at + 1] ?? 0);
    samples.push({ day: past[at] as number, readings: 1, steam: steam > 0 ? steam : undefined, floor: ZERO });
  }
  return samples;
}
