import type { EpochMs } from '../../domain/clock.ts';

interface Due {
  readonly at: EpochMs;
  readonly order: number;
  readonly work: (at: EpochMs) => void;
}

/** What is still to happen in a replay: by time, then by when it was put down. */
export class Agenda {
  readonly #heap: Due[] = [];
  #order = 0;

  /** When the next is due; Infinity where nothing is. */
  get nextAt(): EpochMs {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  add(at: EpochMs, work: (at: EpochMs) => void): void {
    const heap = this.#heap;
    let place = heap.push({ at, order: this.#order++, work }) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(heap[place] as Due, heap[parent] as Due)) return;
      swap(heap, place, parent);
      place = parent;
    }
  }

  /** Does everything that is due by then, what that brings about included. */
  until(at: EpochMs): void {
    while (this.nextAt <= at) {
      const due = this.#take();
      due.work(due.at);
    }
  }

  #take(): Due {
    const heap = this.#heap;
    const first = heap[0] as Due;
    const last = heap.pop() as Due;
    if (heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let place = 0; ;) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2])
        if (child < heap.length && isBefore(heap[child] as Due, heap[least] as Due)) least = child;
      if (least === place) return;
      swap(heap, place, least);
      place = least;
    }
  }
}

function isBefore(a: Due, b: Due): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

function swap(heap: Due[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b] as Due, heap[a] as Due];
}
