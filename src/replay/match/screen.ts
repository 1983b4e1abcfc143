import { foldCase } from '../../domain/text.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import type { Words } from '../segment/build.ts';
import { Scratch } from '../segment/columns.ts';
import type { LoadedSegment, Screen } from '../segment/loaded.ts';
import { mayBeWanted } from './match.ts';
import { NO_WORD, type NamedItem } from './offer-columns.ts';
import { OfferCursor } from './offer-cursor.ts';
import { type Wish, Wishes } from './wishes.ts';

/** What columns must tell to be searched; those of segments of before do not. */
const asked = ['item', 'cost', 'steam', 'wear', 'paintSeed', 'offerMarket', 'delivery'] as const;

/** Lets through what any of some strategies may want; none of them may look around a listing. What it learns of items it keeps for the next segment. */
export function screenFor(strategies: readonly Strategy[]): Screen {
  return screeningFor(strategies).screen;
}

/** A screen, and offers of the same segments one by one as listings. */
export interface Screening {
  readonly screen: Screen;
  /** As far as columns tell of it, until the next one is asked for; undefined: they do not tell enough. */
  readonly listingAt: (segment: LoadedSegment, offer: number) => OfferCursor | undefined;
}

export function screeningFor(strategies: readonly Strategy[]): Screening {
  const items = new KnownItems(new Wishes(strategies));
  const scratch = new Scratch();
  let last: { readonly segment: LoadedSegment; readonly told: Told | undefined } | undefined;
  const toldIn = (segment: LoadedSegment): Told | undefined => {
    if (last?.segment !== segment) last = { segment, told: toldBy(segment, items, scratch) };
    return last.told;
  };
  return {
    screen: (segment) => wantedOf(toldIn(segment)),
    listingAt: (segment, offer) => {
      const told = toldIn(segment);
      told?.cursor.at(offer, told.item[offer] as number);
      return told?.cursor;
    },
  };
}

type WordsOfItem = Words['items'][number];

/** An item with what strategies ask of it. */
interface Known {
  readonly words: WordsOfItem;
  readonly item: NamedItem;
  readonly wishes: readonly Wish[];
}

/** Items that were met before: each is worked out once, however many segments it stands in. */
class KnownItems {
  readonly #wishes: Wishes;
  readonly #byWords = new WeakMap<WordsOfItem, Known>();
  readonly #byName = new Map<string, Known[]>();

  constructor(wishes: Wishes) {
    this.#wishes = wishes;
  }

  of(words: WordsOfItem): Known {
    const known = this.#byWords.get(words);
    if (known !== undefined) return known;
    const alike = this.#alike(words);
    this.#byWords.set(words, alike);
    return alike;
  }

  #alike(words: WordsOfItem): Known {
    const [, name] = words;
    const named = this.#byName.get(name);
    const known = named?.find((each) => isAlike(each.words, words));
    if (known !== undefined) return known;
    const [, , type, exterior, rarity, collection, color] = words;
    const item = {
      ...{ name, nameFolded: foldCase(name), type: type ?? undefined, exterior: exterior ?? undefined },
      ...{ rarity: rarity ?? undefined, collection: collection ?? undefined, color: color ?? undefined },
    };
    const found = { words, item, wishes: this.#wishes.of(item) };
    if (named === undefined) this.#byName.set(name, [found]);
    else named.push(found);
    return found;
  }
}

/** In all but the id. */
function isAlike(one: WordsOfItem, other: WordsOfItem): boolean {
  if (one.length !== other.length) return false;
  for (let part = 1; part < one.length; part++) if (one[part] !== other[part]) return false;
  return true;
}

/** What columns tell of the offers of a segment. */
interface Told {
  readonly items: readonly Known[];
  /** The item of each offer; −1: it could not be judged. */
  readonly item: Float64Array;
  readonly cursor: OfferCursor;
}

/** undefined: not enough. */
function toldBy({ columns: given, words }: LoadedSegment, known: KnownItems, scratch: Scratch): Told | undefined {
  const { markets, deliveries } = words;
  if (deliveries === undefined || asked.some((name) => !given.has(name)) || markets.length + deliveries.length >= NO_WORD)
    return undefined;
  const all = (name: (typeof asked)[number]): Float64Array => {
    const column = given.get(name);
    return column === undefined ? new Float64Array(0) : column.all(scratch.of(name, column.layout.length));
  };
  const [item, cost, steam, wear, paintSeed] = [all('item'), all('cost'), all('steam'), all('wear'), all('paintSeed')];
  const [market, delivery] = [all('offerMarket'), all('delivery')];
  const items = words.items.map((each) => known.of(each));
  for (let offer = 0; offer < delivery.length; offer++) {
    const each = delivery[offer] as number;
    delivery[offer] = each < 0 ? NO_WORD : markets.length + each;
  }
  const cursor = new OfferCursor({
    ...{ items: items.map((each) => each.item), words: [...markets, ...deliveries] },
    ...{ cost, steam, wear, paintSeed, market, delivery },
  });
  return { items, item, cursor };
}

function wantedOf(told: Told | undefined): Uint8Array | undefined {
  if (told === undefined) return undefined;
  const { items, item, cursor } = told;
  const wanted = new Uint8Array(item.length);
  for (let offer = 0; offer < item.length; offer++) {
    const own = item[offer] as number;
    // What could not be judged is no item's: it is let through, and counted by whoever reads it.
    if (own < 0) wanted[offer] = 1;
    else {
      const { wishes } = items[own] as Known;
      if (wishes.length > 0 && mayBeWanted(wishes, cursor, offer, own)) wanted[offer] = 1;
    }
  }
  return wanted;
}
