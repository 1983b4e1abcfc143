import type { ItemLook } from '../engine/item-look.ts';
import type { SnapshotChange } from '../engine/snapshot.ts';
import type { Tape } from '../replay/tape.ts';

/** Items whose last pages are remembered. */
const PAGES_KEPT = 10_000;

/**
 * Keeps looks at watched items in the recording, apart from the polls of the live listings, so that whoever replays it knows which view
 * said what. Most pages are as they were: of those it is kept that they came, and not again what they show.
 */
export class LookRecord {
  readonly #tape: Pick<Tape, 'input'>;
  /** What was written last of each page. */
  readonly #before = new Map<string, string>();

  constructor(tape: Pick<Tape, 'input'>) {
    this.#tape = tape;
  }

  looked({ changed, shown, alone, gone, ...look }: ItemLook): void {
    const at = look.endedAt;
    for (const { raw } of changed) this.#tape.input('sight', at, { itemId: look.itemId, page: look.page, raw });
    const page = `${look.itemId} ${look.page}`;
    const keys = JSON.stringify([shown, alone]);
    const isSame = changed.length === 0 && gone.length === 0 && this.#before.get(page) === keys;
    if (this.#before.size >= PAGES_KEPT) this.#before.clear();
    this.#before.set(page, keys);
    const news = changed.map(({ raw: _, ...change }) => change);
    this.#tape.input('looked', at, isSame ? { ...look, same: true } : { ...look, changed: news, shown, alone, gone });
  }

  /** The poll is in the recording as it came; this is what looks have made of it, where that is something else. */
  merged(answer: SnapshotChange, merged: SnapshotChange): void {
    const { pollSeq, changed, gone, vouched = [] } = merged;
    if (changed.length === answer.changed.length && gone.length === answer.gone.length) return;
    const again = changed.filter((change) => !answer.changed.includes(change)).map(({ raw: _, ...change }) => change);
    this.#tape.input('merged', answer.endedAt, { pollSeq, again, gone, vouched });
  }
}
