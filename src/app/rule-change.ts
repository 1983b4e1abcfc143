import type { Clock } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { Rules } from '../engine/state.ts';
import type { Posted } from './engine-loop.ts';
import type { Hearing } from './hearing.ts';

export interface RuleChangeOptions {
  readonly clock: Clock;
  readonly post: (event: Posted) => void;
  readonly heard: Pick<Hearing, 'isArriving' | 'shelf'>;
}

/** Questions to strategies about what stands, in one go: some milliseconds, between which everything else has its turn. */
const QUESTIONS_AT_ONCE = 50_000;

/** Puts other rules in force between two answers, and has what stands matched anew, some listings at a time. */
export class RuleChange {
  readonly #options: RuleChangeOptions;
  #due: Rules | undefined;
  #cancel = (): void => undefined;

  constructor(options: RuleChangeOptions) {
    this.#options = options;
  }

  /** At once, or as soon as the answer that arrives just now has ended: what it shows is judged by one set of rules. */
  offer(rules: Rules): void {
    this.#due = rules;
    if (!this.#options.heard.isArriving) this.#apply();
  }

  /** An answer has ended, or none came. */
  answerEnded(): void {
    this.#apply();
  }

  #apply(): void {
    const rules = this.#due;
    if (rules === undefined) return;
    this.#due = undefined;
    this.#cancel();
    const { post, heard } = this.#options;
    post({ type: 'rules', rules });
    this.#show([...heard.shelf.keys()], 0, Math.max(1, Math.floor(QUESTIONS_AT_ONCE / rules.strategies.all.length)));
  }

  #show(keys: readonly ListingKey[], from: number, atOnce: number): void {
    if (from >= keys.length) return;
    const { clock, post, heard } = this.#options;
    this.#cancel = clock.after(0, () => {
      // By now some are gone, or are others: the shelf knows.
      const listings = keys.slice(from, from + atOnce).flatMap((key) => heard.shelf.get(key) ?? []);
      post({ type: 'shown', listings });
      this.#show(keys, from + atOnce, atOnce);
    });
  }
}
