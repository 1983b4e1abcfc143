import type { Listing } from '../domain/listing.ts';
import type { Item } from './item.ts';
import { type Ladder, type Ladders, LadderWork, type Sample, unwanted } from './ladders.ts';
import { netOfSteam } from './steam-fee.ts';
import type { LooksAround, Strategy } from './strategy.ts';
import { type Surroundings, nothingAround } from './surroundings.ts';

/** How much may be remembered. */
interface Room {
  readonly items: number;
  /** Steps of all ladders together: pairs of an item and a strategy that may want it. */
  readonly steps: number;
}

/**
 * There are some 20,000 items, each wanted by a few dozen strategies of a thousand. What is remembered stays below 100 MB,
 * whatever names a feed invents.
 */
const ordinary: Room = { items: 30_000, steps: 2_000_000 };
/** All texts of an item together. What is longer is no item, and is judged without being remembered. */
const ITEM_LENGTH_MAX = 256;
/** Two markets may describe one name in words of their own. */
const VARIANTS_MAX = 4;

/** Items worked out together. The more, the sooner all are; but each takes longer. */
const WORKED_OUT_AT_ONCE = 32;

/** An item with the strategies that may want it. */
interface KnownItem {
  readonly sample: Sample;
  readonly ladders: Ladders;
}

const nobody: readonly Strategy[] = [];

/**
 * Finds the strategies that want a listing without asking each of them. What is remembered of an item only says whom to ask:
 * every strategy that is found has said so itself, so that nothing depends on what happens to be remembered. An item that is
 * seen for the first time is not worked out while its listing waits: all strategies are asked, and `prepare` catches up.
 */
export class StrategyIndex {
  /** In the order in which they get a listing. */
  readonly all: readonly Strategy[];
  /** Some of them ask for more than the listing itself says. */
  readonly looksAround: Readonly<Record<LooksAround, boolean>>;
  readonly #known = new Map<string, readonly KnownItem[]>();
  readonly #unprepared = new Map<string, Sample>();
  readonly #room: Room;
  #handedOn: Iterator<Sample> | undefined;
  /** What is being worked out. */
  #work: LadderWork | undefined;
  #items = 0;
  #steps = 0;

  constructor(strategies: readonly Strategy[], room: Room = ordinary) {
    this.all = strategies;
    const looks = (what: LooksAround): boolean => strategies.some(({ looksAround }) => looksAround === what);
    this.looksAround = { record: looks('record') || looks('floor'), floor: looks('floor') };
    this.#room = room;
  }

  /** How much is remembered, and how many items were seen that `prepare` has still to work out. */
  get held(): Room & { readonly unprepared: number } {
    return { items: this.#items, steps: this.#steps, unprepared: this.#unprepared.size };
  }

  /** The strategies that want a listing, in their order. */
  wanting(listing: Listing, around: Surroundings = nothingAround): readonly Strategy[] {
    const ladders = this.#laddersFor(listing);
    if (ladders === undefined) {
      this.#note(listing);
      return askAll(this.all, listing, around);
    }
    const { cost, steam } = listing;
    const found: number[] = [];
    this.#ask(ladders.cost, cost, listing, around, found);
    if (steam !== undefined) {
      this.#ask(ladders.share, cost / steam, listing, around, found);
      if (ladders.loss.limits.length > 0) this.#ask(ladders.loss, cost - netOfSteam(steam), listing, around, found);
    }
    if (found.length === 0) return nobody;
    return found.sort((a, b) => a - b).map((position) => this.#at(position));
  }

  /**
   * Works out items, with about so many questions to strategies: for when nothing waits. Those that were seen come before those
   * that only the index before this one knew.
   */
  prepare(questions: number): void {
    let left = questions;
    while (left > 0) {
      this.#work ??= this.#nextWork();
      if (this.#work === undefined) return;
      left -= Math.max(this.#work.samples.length, this.#work.askOn(left));
      this.#take(this.#work);
    }
  }

  /** An index of other strategies, which will prepare for the items that this one knows; this one is not to be used again. */
  renewed(strategies: readonly Strategy[]): StrategyIndex {
    const next = new StrategyIndex(strategies, this.#room);
    next.#handedOn = samplesIn(this.#known, this.#unprepared);
    return next;
  }

  #nextWork(): LadderWork | undefined {
    const samples: Sample[] = [];
    for (const sample of this.#unprepared.values()) if (samples.push(sample) === WORKED_OUT_AT_ONCE) break;
    while (samples.length < WORKED_OUT_AT_ONCE) {
      const next = this.#handedOn?.next();
      if (next === undefined || next.done === true) {
        this.#handedOn = undefined;
        break;
      }
      if (this.#laddersFor(next.value) === undefined && !this.#isNoted(next.value)) samples.push(next.value);
    }
    return samples.length === 0 ? undefined : new LadderWork(this.all, samples);
  }

  /** Remembers what has been worked out, once all have been asked. */
  #take(work: LadderWork): void {
    const { samples, ladders } = work;
    if (ladders === undefined) return;
    this.#work = undefined;
    for (const [at, sample] of samples.entries()) {
      if (this.#isNoted(sample)) this.#unprepared.delete(sample.nameFolded);
      this.#remember(sample, ladders[at] as Ladders);
    }
  }

  #isNoted(item: Item): boolean {
    const noted = this.#unprepared.get(item.nameFolded);
    return noted !== undefined && areSame(item, noted);
  }

  #laddersFor(item: Item): Ladders | undefined {
    const variants = this.#known.get(item.nameFolded);
    if (variants === undefined) return undefined;
    for (const { sample, ladders } of variants) if (areSame(item, sample)) return ladders;
    return undefined;
  }

  /** Asks those whose limit is not exceeded. */
  #ask({ limits, positions }: Ladder, value: number, listing: Listing, around: Surroundings, found: number[]): void {
    for (let step = 0; step < limits.length; step++) {
      if ((limits[step] as number) < value) return;
      const position = positions[step] as number;
      if (this.#at(position).matches(listing, around)) found.push(position);
    }
  }

  #at(position: number): Strategy {
    return this.all[position] as Strategy;
  }

  /** Keeps no listing, only what its item is. */
  #note(listing: Listing): void {
    const { nameFolded, type, exterior, rarity, collection, color } = listing;
    if (this.#unprepared.size >= this.#room.items || this.#unprepared.has(nameFolded)) return;
    const words = [nameFolded, type, exterior, rarity, collection, color];
    if (words.reduce((sum, word) => sum + (word?.length ?? 0), 0) > ITEM_LENGTH_MAX) return;
    this.#unprepared.set(nameFolded, sampleOf(listing));
  }

  #remember(sample: Sample, ladders: Ladders): void {
    if (this.#laddersFor(sample) !== undefined) return;
    const steps = ladders.cost.limits.length + ladders.share.limits.length + ladders.loss.limits.length;
    if (this.#items >= this.#room.items || this.#steps + steps > this.#room.steps) this.#forget();
    const variants = this.#known.get(sample.nameFolded);
    const kept = variants === undefined ? only(sample, ladders) : [{ sample, ladders }, ...variants].slice(0, VARIANTS_MAX);
    this.#known.set(sample.nameFolded, kept);
    this.#items += 1;
    this.#steps += steps;
  }

  #forget(): void {
    this.#known.clear();
    this.#items = 0;
    this.#steps = 0;
  }
}

const samples = new WeakMap<Listing, Sample>();

/** What a listing tells of its item: one for all accounts that are shown it. */
function sampleOf(listing: Listing): Sample {
  const before = samples.get(listing);
  if (before !== undefined) return before;
  const { nameFolded, type, exterior, rarity, collection, color, steam } = listing;
  const sample = { nameFolded, type, exterior, rarity, collection, color, steam };
  samples.set(listing, sample);
  return sample;
}

const unwantedOnes = new WeakMap<Sample, readonly KnownItem[]>();

/** An item that is known by one description: one for all accounts none of whose strategies can want it, as is so of most. */
function only(sample: Sample, ladders: Ladders): readonly KnownItem[] {
  if (ladders !== unwanted) return [{ sample, ladders }];
  const before = unwantedOnes.get(sample);
  if (before !== undefined) return before;
  const kept = [{ sample, ladders }];
  unwantedOnes.set(sample, kept);
  return kept;
}

/** One after the other when it is asked for: to copy thousands at once would be a pause. */
function* samplesIn(
  known: ReadonlyMap<string, readonly KnownItem[]>,
  unprepared: ReadonlyMap<string, Sample>,
): Generator<Sample, undefined> {
  for (const variants of known.values()) for (const { sample } of variants) yield sample;
  yield* unprepared.values();
  return undefined;
}

function askAll(strategies: readonly Strategy[], listing: Listing, around: Surroundings): readonly Strategy[] {
  const found: Strategy[] = [];
  for (const strategy of strategies) if (strategy.matches(listing, around)) found.push(strategy);
  return found;
}

/** Whether two items of one name are the same. */
function areSame(a: Item, b: Item): boolean {
  return (
    a.type === b.type &&
    a.exterior === b.exterior &&
    a.rarity === b.rarity &&
    a.collection === b.collection &&
    a.color === b.color
  );
}
