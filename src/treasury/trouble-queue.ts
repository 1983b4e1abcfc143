import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Waiting } from '../notify/delivery.ts';
import type { Trouble } from './decide/troubles.ts';
import type { TreasuryJournal } from './journal.ts';

/** One that passed and comes again is told again this long after it was told, and no sooner, milliseconds. */
const AGAIN_MS = 6 * 3_600_000;

/** What of the standing troubles one channel has not been told. What it was told is kept in the journal, so that a start tells nothing twice. */
export class TroubleQueue {
  readonly #journal: Pick<TreasuryJournal, 'fact' | 'learn'>;
  readonly #fact: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #standing: () => readonly Trouble[] | undefined;
  /** By mark, when it was told. */
  readonly #told: Map<string, EpochMs>;

  /** `standing`: undefined while nobody has looked what stands. */
  constructor(
    channel: string,
    journal: Pick<TreasuryJournal, 'fact' | 'learn'>,
    clock: Pick<Clock, 'now'>,
    standing: () => readonly Trouble[] | undefined,
  ) {
    this.#journal = journal;
    this.#fact = `told ${channel}`;
    this.#clock = clock;
    this.#standing = standing;
    const kept = journal.fact(this.#fact);
    this.#told = new Map(kept === undefined ? [] : (JSON.parse(kept) as [string, EpochMs][]));
  }

  waiting(): Waiting | undefined {
    const standing = this.#standing();
    if (standing === undefined) return undefined;
    this.#forgetPassed(standing);
    const news = standing.filter(({ mark }) => !this.#told.has(mark));
    if (news.length === 0) return undefined;
    const newest = news.map(({ mark, at, message, next }) => ({ id: mark, at, message, next, purchaseId: undefined }));
    return { groups: [{ kind: 'treasury', count: news.length, newest }], told: () => this.#keep(news) };
  }

  #forgetPassed(standing: readonly Trouble[]): void {
    const stands = new Set(standing.map(({ mark }) => mark));
    const now = this.#clock.now();
    // One that was told of ahead of time, by a clock that was wrong, is held no longer than others are.
    const passed = [...this.#told].filter(([mark, at]) => !stands.has(mark) && Math.abs(now - at) >= AGAIN_MS);
    if (passed.length === 0) return;
    for (const [mark] of passed) this.#told.delete(mark);
    this.#save();
  }

  #keep(news: readonly Trouble[]): void {
    for (const { mark } of news) this.#told.set(mark, this.#clock.now());
    this.#save();
  }

  #save(): void {
    this.#journal.learn(this.#fact, JSON.stringify([...this.#told]));
  }
}
