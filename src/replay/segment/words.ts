import type { Words } from './build.ts';

type ItemWords = Words['items'][number];

/** More different items than any market has: beyond them it begins anew, so that no recording fills the memory. */
const ITEMS_MAX = 131_072;

const FIRST = Buffer.from('"items":[["');
const BETWEEN = Buffer.from('],["');
const LAST = Buffer.from(']],"deliveries":');

/**
 * Reads the words of segments. Most items stand in one after the other: each is parsed once, and is the very same array wherever it stands again, so that
 * whoever knows something of it finds that by the array.
 */
export class WordReader {
  /** By their bytes. */
  readonly #items = new Map<string, ItemWords>();

  /** `json`: as `JSON.stringify` made it. */
  read(json: Buffer): Words {
    return this.#itemByItem(json) ?? (JSON.parse(json.toString()) as Words);
  }

  /**
   * Within a text each quote is escaped, so that a mark can at most take in the quote at a text's end; what is cut there ends within a text, and
   * is no item. undefined: it has to be read as a whole.
   */
  #itemByItem(json: Buffer): Words | undefined {
    const begin = json.indexOf(FIRST);
    const end = begin < 0 ? -1 : json.indexOf(LAST, begin);
    if (end < 0) return undefined;
    const items: ItemWords[] = [];
    const first = begin + FIRST.length - 1;
    for (let from = first; from < end;) {
      const next = json.indexOf(BETWEEN, from);
      const to = next < 0 || next > end ? end : next;
      const item = this.#item(json, from, to);
      if (item === undefined) return undefined;
      items.push(item);
      from = to === end ? end : to + BETWEEN.length - 1;
    }
    const rest = JSON.parse(`${json.toString('utf8', 0, first - 1)}${json.toString('utf8', end + 1)}`) as Words;
    return { ...rest, items };
  }

  #item(json: Buffer, from: number, to: number): ItemWords | undefined {
    // Every byte is a character of its own: quicker than the text, and told apart as well.
    const bytes = json.toString('latin1', from, to);
    const known = this.#items.get(bytes);
    if (known !== undefined) return known;
    try {
      const item = JSON.parse(`[${json.toString('utf8', from, to)}]`) as ItemWords;
      if (this.#items.size >= ITEMS_MAX) this.#items.clear();
      this.#items.set(bytes, item);
      return item;
    } catch {
      return undefined;
    }
  }
}
