import type { Clock, EpochMs } from '../domain/clock.ts';
import { type ReferenceRecord, dayOf, sameRecord } from '../domain/reference.ts';
import type { StandingListing } from '../engine/event.ts';
import type { NamedRecord } from '../engine/references.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NamedDay, NamedSamples } from '../ledger/references.ts';
import { type FallPolicy, MarketMeasure } from '../risk/market-fall.ts';
import { NameSamples, type Seen } from './name-samples.ts';

export interface ReferenceBookOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly ledger: Pick<Ledger, 'everyReference' | 'keepReferences' | 'pruneReferences'>;
  /** Does something with the ledger unless it refuses; undefined then. */
  readonly attempt: <T>(work: () => T) => T | undefined;
  /** Tells of records that are others from now on; null: there is none any more. */
  readonly tell: (records: readonly NamedRecord[]) => void;
  /** The listings as the newest answers show them. */
  readonly shelf: () => Iterable<StandingListing>;
  /** When the last complete answer ended; undefined before the first. */
  readonly lastCompleteAt: () => EpochMs | undefined;
  /** The clock is right as far as anybody knows: by a wrong one, readings would be of other days, and good ones forgotten as too old. */
  readonly isTimeKnown: () => boolean;
  /** So many past days count, and are kept. */
  readonly days: number;
  /** How a fall of the market is measured; undefined: it is not. */
  readonly fall: FallPolicy | undefined;
  /** Returns true when the next answer is to be measured too. */
  readonly onMeasured: (worst: MarketMeasure['worst'], at: EpochMs) => boolean;
}

const HOUR_MS = 3_600_000;
/** What a step goes over: a millisecond or two, between which everything else has its turn; and what one row of the recording holds. */
const LISTINGS_PER_STEP = 1_000;
const NAMES_PER_STEP = 100;

/**
 * Keeps what each name's steamPrice and cheapest listing have been: a reading of all live listings an hour, a sample a day, and each
 * day the records that follow from them, told to the engine. Step by step at ticks; nothing that watches or buys waits for it.
 */
export class ReferenceBook {
  readonly #options: ReferenceBookOptions;
  readonly #samples: NameSamples;
  readonly #told = new Map<string, ReferenceRecord>();
  #toldDay = -1;
  #readHour = -1;
  #readAnswer: EpochMs | undefined;
  #work: Generator<void, void> | undefined;

  constructor(options: ReferenceBookOptions) {
    this.#options = options;
    this.#samples = new NameSamples(options.days);
  }

  /** Every record that was told of, by name: the very same value all along. */
  get records(): ReadonlyMap<string, ReferenceRecord> {
    return this.#told;
  }

  /** Takes what is on disk and tells the engine, before it judges anything. */
  start(): void {
    const { ledger, clock, attempt, days } = this.#options;
    const today = dayOf(clock.now());
    attempt(() => {
      for (const named of ledger.everyReference(today - days, today)) this.#samples.load(named, today);
    });
    for (const _ of this.#tellAll(today));
  }

  /** Takes what was kept elsewhere of names that are not known here, keeps it, and tells of it. */
  takeOver(kept: Iterable<NamedSamples>): void {
    const today = dayOf(this.#options.clock.now());
    const before = this.#samples.size;
    let days: NamedDay[] = [];
    for (const named of kept) {
      if (this.#samples.has(named.name)) continue;
      this.#samples.load(named, today);
      for (const sample of named.samples) days.push({ name: named.name, reading: named.reading, sample });
      if (days.length < LISTINGS_PER_STEP) continue;
      this.#keep(days, today);
      days = [];
    }
    this.#keep(days, today);
    if (this.#samples.size > before) for (const _ of this.#tellAll(today));
  }

  /** The next answer is read and measured, whatever was read in this hour. */
  again(): void {
    this.#readHour = -1;
  }

  /** One step of what there is to do. A reading is taken in each hour, of an answer that has not been read before. */
  tick(): void {
    this.#work ??= this.#due();
    if (this.#work?.next().done === true) this.#work = undefined;
  }

  #due(): Generator<void, void> | undefined {
    const { clock, lastCompleteAt, shelf, isTimeKnown } = this.#options;
    const now = clock.now();
    const answer = lastCompleteAt();
    const hour = Math.floor(now / HOUR_MS);
    // An answer of the hour before shows what was, not what is.
    if (answer === undefined || answer === this.#readAnswer || !isTimeKnown()) return undefined;
    if (hour === this.#readHour || Math.floor(answer / HOUR_MS) !== hour) return undefined;
    this.#readHour = hour;
    this.#readAnswer = answer;
    return this.#reading([...shelf()], now);
  }

  *#reading(listings: readonly StandingListing[], at: EpochMs): Generator<void, void> {
    const today = dayOf(at);
    const names = new Map<string, Seen>();
    for (const [index, { listing }] of listings.entries()) {
      see(names, listing);
      if (index % LISTINGS_PER_STEP === LISTINGS_PER_STEP - 1) yield;
    }
    const { fall } = this.#options;
    const measure = fall && new MarketMeasure(fall);
    let days: NamedDay[] = [];
    for (const [index, [name, seen]] of [...names].entries()) {
      const day = this.#samples.read(name, seen, at);
      if (day !== undefined) days.push(day);
      const move = measure && this.#samples.moveOf(name, seen, today);
      if (move) measure?.add(move);
      if (index % NAMES_PER_STEP !== NAMES_PER_STEP - 1) continue;
      this.#keep(days, today);
      days = [];
      yield;
    }
    this.#keep(days, today);
    if (measure !== undefined && this.#options.onMeasured(measure.worst, at)) this.#readHour = -1;
    if (this.#toldDay !== today) yield* this.#tellAll(today);
    yield* this.#prune(today);
  }

  #keep(days: readonly NamedDay[], today: number): void {
    const { ledger, attempt, days: kept } = this.#options;
    attempt(() => ledger.keepReferences(days, today - kept));
  }

  /** Tells the engine of every record that is another than it was told, some at a time. */
  *#tellAll(today: number): Generator<void, void> {
    this.#toldDay = today;
    let records: NamedRecord[] = [];
    for (const [index, name] of this.#samples.names.entries()) {
      const record = this.#samples.recordOf(name, today);
      if (!sameRecord(record, this.#told.get(name))) {
        if (record === undefined) this.#told.delete(name);
        else this.#told.set(name, record);
        records.push({ name, record: record ?? null });
      }
      if (index % NAMES_PER_STEP !== NAMES_PER_STEP - 1) continue;
      this.#tell(records);
      records = [];
      yield;
    }
    this.#tell(records);
  }

  #tell(records: readonly NamedRecord[]): void {
    if (records.length > 0) this.#options.tell(records);
  }

  *#prune(today: number): Generator<void, void> {
    const { ledger, attempt, days } = this.#options;
    const prune = (): number => attempt(() => ledger.pruneReferences(today - days, today, NAMES_PER_STEP)) ?? 0;
    while (prune() === NAMES_PER_STEP) yield;
  }
}

function see(names: Map<string, Seen>, { nameFolded, cost, steam }: StandingListing['listing']): void {
  const seen = names.get(nameFolded);
  if (seen === undefined) {
    names.set(nameFolded, { steams: steam === undefined ? [] : [steam], floor: cost, nextFloor: undefined });
    return;
  }
  if (steam !== undefined) seen.steams.push(steam);
  if (cost < seen.floor) [seen.floor, seen.nextFloor] = [cost, seen.floor];
  else if (seen.nextFloor === undefined || cost < seen.nextFloor) seen.nextFloor = cost;
}
