import { compileGlob } from '../domain/glob.ts';
import { edits } from '../domain/nearest.ts';
import { foldCase } from '../domain/text.ts';
import { exteriors } from './known-words.ts';

/** What can be said of a glob that matches no known name. */
export interface Unknown {
  readonly problem: string;
  /** A glob that matches some, and was probably meant. */
  readonly instead: string;
}

/** One kind of item: its name without prefixes and exterior, whether it carries a star, and whether its names end with an exterior. */
export interface KnownItem {
  readonly base: string;
  readonly star: boolean;
  readonly worn: boolean;
}

/** So many globs are looked at: a folder of thousands must not keep a start waiting. */
const GLOBS_MAX = 500;

/** A shorter word has too many neighbours. */
const WORD_LENGTH_MIN = 4;

/** Names of items that are known. There are more in the world: what is not known here is only doubted where a near one is. */
export class KnownNames {
  readonly #folded: readonly string[];
  /** Words that a glob may have misspelled: finishes, and what stands before them. */
  readonly #words: ReadonlyMap<string, string>;
  #left = GLOBS_MAX;

  constructor(items: readonly KnownItem[]) {
    this.#folded = items.flatMap(namesOf);
    const words = new Map<string, string>();
    for (const { base } of items) for (const part of base.split(' | ')) words.set(foldCase(part), part);
    this.#words = words;
  }

  /** undefined for a glob that matches a known name, and for one that is near to none. */
  doubt(glob: string): Unknown | undefined {
    if (this.#left-- <= 0 || this.#matches(glob)) return undefined;
    if (!/[*?]/.test(glob) && glob.length >= WORD_LENGTH_MIN && this.#matches(`*${glob}*`)) {
      return { problem: 'is compared with whole names, and no item that Magpie knows is called just that', instead: `*${glob}*` };
    }
    for (const literal of literalsOf(glob)) {
      const near = this.#near(literal);
      const instead = near === undefined ? undefined : glob.replace(literal, () => near);
      if (instead !== undefined && this.#matches(instead)) return { problem: 'matches no item name that Magpie knows', instead };
    }
    return undefined;
  }

  #matches(glob: string): boolean {
    return this.#folded.some(compileGlob(glob));
  }

  /** The nearest word, where only a slip of the pen lies between. */
  #near(literal: string): string | undefined {
    const wanted = squeeze(literal);
    let best: string | undefined;
    let least = wanted.length < 8 ? 1.5 : 2.5;
    for (const [folded, word] of this.#words) {
      const other = squeeze(folded);
      if (Math.abs(other.length - wanted.length) > 2 || folded === foldCase(literal)) continue;
      const distance = edits(wanted, other);
      if (distance < least) [best, least] = [word, distance];
    }
    return best;
  }
}

/** Every form in which an item may be listed, folded; some of them do not exist. */
function namesOf({ base, star, worn }: KnownItem): readonly string[] {
  const before = star ? '★ ' : '';
  if (!worn) return [foldCase(before + base)];
  const endings = ['', ...exteriors.map((exterior) => ` (${exterior})`)];
  const prefixes = [before, `${before}StatTrak™ `, 'Souvenir '];
  return prefixes.flatMap((prefix) => endings.map((ending) => foldCase(`${prefix}${base}${ending}`)));
}

/** What a glob spells out, piece by piece, without prefixes and exteriors. */
function literalsOf(glob: string): readonly string[] {
  return glob
    .replace(/\s*\([^()]*\)?$/, '')
    .split(/[*?]| \| /)
    .map((piece) => piece.replace(/^(?:★ ?)?(?:StatTrak™ |Souvenir )?/i, '').trim())
    .filter((piece) => piece.length >= WORD_LENGTH_MIN);
}

function squeeze(text: string): string {
  return foldCase(text).replace(/[\s'_-]+/g, '');
}
