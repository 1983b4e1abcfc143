import type { EpochMs } from '../domain/clock.ts';

interface Due {
  readonly at: EpochMs;
  readonly order: number;
  readonly run: (at: EpochMs) => void;
}

/** What is to happen, in the order of time and, at one moment, of its making: a binary heap. */
export class EventQueue {
  readonly #heap: Due[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  add(at: EpochMs, run: (at: EpochMs) => void): void {
    const due: Due = { at, order: this.#order++, run };
    this.#heap.push(due);
    this.#rise(this.#heap.length - 1, due);
  }

  /** Runs everything due until `now` (included), each at its own time; what these add is run too when it is due. */
  runUntil(now: EpochMs): void {
    for (let first = this.#heap[0]; first && first.at <= now; first = this.#heap[0]) {
      this.#takeFirst();
      first.run(first.at);
    }
  }

  #takeFirst(): void {
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) this.#sink(last);
  }

  #rise(from: number, due: Due): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above];
      if (!parent || !before(due, parent)) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = due;
  }

  #sink(due: Due): void {
    let at = 0;
    for (;;) {
      const below = this.#lesserChild(at);
      const child = below === undefined ? undefined : this.#heap[below];
      if (below === undefined || !child || !before(child, due)) break;
      this.#heap[at] = child;
      at = below;
    }
    this.#heap[at] = due;
  }

  #lesserChild(at: number): number | undefined {
    const left = this.#heap[2 * at + 1];
    const right = this.#heap[2 * at + 2];
    if (!left) return undefined;
    return right && before(right, left) ? 2 * at + 2 : 2 * at + 1;
  }
}

function before(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
