import type { EpochMs } from '../../src/domain/clock.ts';
import type { BotPlan, RulesPlan } from './bot-plan.ts';

/** Rules that are in force for purchases written after the one with this number. */
interface Change {
  readonly afterId: number;
  readonly rules: RulesPlan;
  /** start: a process began with them. Else when a running process said that it takes them, by its own clock; undefined until then. */
  takenAt: EpochMs | 'start' | undefined;
}

/** Rules that a process has taken count at the end of the answer that arrives just then. */
const LATE_MS = 15_000;

/** What the files say, and under which rules each purchase may have been made. */
export class RuleLog {
  saved: RulesPlan;
  readonly #changes: Change[] = [];
  readonly #bot: BotPlan;

  constructor(bot: BotPlan) {
    this.#bot = bot;
    this.saved = bot;
  }

  /** The configuration as it is saved now. */
  get bot(): BotPlan {
    return { ...this.#bot, ...this.saved };
  }

  /** What was saved last has been taken by nobody. */
  get isWaiting(): boolean {
    const last = this.#changes.at(-1);
    return last !== undefined && last.takenAt === undefined;
  }

  /** All that were ever saved, and those of the beginning. */
  get ever(): readonly RulesPlan[] {
    return [this.#bot, ...this.#changes.map(({ rules }) => rules)];
  }

  /** A process begins with what is saved. */
  start(afterId: number): void {
    this.#changes.push({ afterId, rules: this.saved, takenAt: 'start' });
  }

  /** Others are saved; the returned function is called once the process that runs has taken them. */
  save(rules: RulesPlan, afterId: number): (at: EpochMs) => void {
    this.saved = rules;
    const change: Change = { afterId, rules, takenAt: undefined };
    this.#changes.push(change);
    return (at) => void (change.takenAt = at);
  }

  /** One, or while a change may not count yet those before it as well. */
  of(purchase: { readonly id: number; readonly created_at: number }): readonly RulesPlan[] {
    const found: RulesPlan[] = [];
    for (const { afterId, rules, takenAt } of this.#changes.toReversed()) {
      if (afterId >= purchase.id) continue;
      found.push(rules);
      if (takenAt === 'start' || (takenAt !== undefined && purchase.created_at - takenAt >= LATE_MS)) break;
    }
    return found.length > 0 ? found : [this.#bot];
  }
}
