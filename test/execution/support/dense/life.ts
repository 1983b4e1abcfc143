import { NOON } from '../../../support/values.ts';
import { type Violation, violation } from '../../../simulation/violation.ts';
import { type Wits, conclude, freshWits } from '../../../../src/execution/conclude.ts';
import { minute, second } from '../looks.ts';
import type { Attempt } from './attempts.ts';
import { audit } from './audit.ts';
import { DenseBook } from './book.ts';
import { Service } from './service.ts';
import type { World } from './world.ts';

/** What a world came to. */
export interface Life {
  readonly world: World;
  readonly book: DenseBook;
  /** Attempts that were not made, because what they follow was not known to be refused. */
  readonly skipped: ReadonlySet<Attempt>;
  readonly violations: readonly Violation[];
}

/** After the last purchases everything that was late has long been shown, and what needs the longest proof has had its time. */
const AFTERWARDS_MS = 75 * minute;
const STUCK_AFTER_MS = 1_800_000;

/** Lives through a world: purchases are written and answered, looks are judged as the reconciler has them judged. The end is audited. */
export function live(world: World): Life {
  const run = new Run(world);
  const todo = run.acts();
  for (const at of looksOf(world)) {
    while (todo[0] !== undefined && todo[0].at <= at) todo.shift()?.act();
    const defect = run.look(at);
    if (defect !== undefined) return { ...run.end(), violations: [violation('defect', defect)] };
  }
  return run.end();
}

class Run {
  readonly #world: World;
  readonly #service: Service;
  readonly #book = new DenseBook();
  readonly #ids = new Map<Attempt, number>();
  readonly #skipped = new Set<Attempt>();
  #wits: Wits = freshWits;

  constructor(world: World) {
    this.#world = world;
    this.#service = new Service(world);
  }

  acts(): { readonly at: number; act(): void }[] {
    return this.#world.attempts
      .flatMap((one) => [
        { at: one.at, act: () => this.#intend(one) },
        { at: one.at + one.answerAfterMs, act: () => this.#answer(one) },
      ])
      .sort((a, b) => a.at - b.at);
  }

  #ours(at: number): number {
    return NOON + at + this.#world.habits.aheadMs;
  }

  #intend(one: Attempt): void {
    const before = one.retryOf && this.#book.purchases.get(this.#ids.get(one.retryOf) ?? 0);
    if (one.retryOf !== undefined && (before?.state !== 'rejected' || before.held)) this.#skipped.add(one);
    else this.#ids.set(one, this.#book.intend(one.listing, this.#ours(one.at)).id);
  }

  #answer(one: Attempt): void {
    const id = this.#ids.get(one);
    // A look may have found its order before.
    if (id === undefined || this.#book.purchases.get(id)?.state !== 'intended') return;
    const order = this.#world.orders.find(({ attempt }) => attempt === one)?.order.id;
    this.#book.answer(id, this.#ours(one.at + one.answerAfterMs), one.told, one.told === 'bought' ? order : undefined);
  }

  /** What a look comes to is written down. What broke, if anything did: nothing after that means anything. */
  look(at: number): string | undefined {
    const book = this.#book;
    if (this.#service.forgets(at)) this.#wits = freshWits;
    const asked = this.#world.attempts.filter((one) => book.purchases.get(this.#ids.get(one) ?? 0)?.state === 'unknown');
    const look = this.#service.look(at, asked, this.#skipped);
    const policy = { dedicated: this.#world.dedicated, stuckAfterMs: STUCK_AFTER_MS };
    try {
      const { findings, wits } = conclude(look, book.known(look), look.endedAt, policy, this.#wits);
      book.apply(findings, look);
      this.#wits = wits;
    } catch (error) {
      return `at ${at / second} s: ${String(error)}`;
    }
    return undefined;
  }

  end(): Life {
    const lived = { world: this.#world, book: this.#book, skipped: this.#skipped };
    return { ...lived, violations: audit(lived) };
  }
}

/** Looks as the reconciler has them: around each purchase, every so often while there are any, and every minute afterwards. */
function looksOf({ attempts, habits, reconcileMs }: World): number[] {
  const around = attempts.flatMap(({ at, answerAfterMs }) =>
    [0, 2, 4, 8, 15, 30, 61].map((seconds) => at + answerAfterMs + seconds * second + 1),
  );
  const often = every(reconcileMs, 0, habits.spanMs + 10 * minute);
  const later = every(minute, habits.spanMs + 10 * minute, habits.spanMs + AFTERWARDS_MS);
  return [...new Set([-30_000, -5_000, ...around, ...often, ...later])].sort((a, b) => a - b);
}

function every(ms: number, from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / ms) }, (_, index) => from + index * ms);
}
