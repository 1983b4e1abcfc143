import type { Listing } from '../../domain/listing.ts';
import type { CostBound } from '../../strategy/cost-bounds.ts';
import type { Item } from '../../strategy/item.ts';
import type { ItemForesight, Strategy } from '../../strategy/strategy.ts';

/** The least that each measure may come to, over all bounds; Infinity where there is none. */
export type Limits = Readonly<Record<CostBound['measure'], number>>;

/** What one strategy asks of the offers of one item. */
export interface Wish {
  /** The place of the strategy among all. */
  readonly strategy: number;
  readonly limits: Limits;
  readonly asks: (listing: Listing) => boolean;
}

interface Wisher extends Omit<Wish, 'asks'> {
  readonly given: ItemForesight;
}

/**
 * What some strategies ask of items, so that each item is held against few of thousands: of each kind it is found once which of them may want it
 * at all, and those that say how a name begins are found by that.
 */
export class Wishes {
  readonly #ofAnyName: readonly Wisher[];
  readonly #ofKind = new Map<string, readonly Wisher[]>();
  readonly #byHead = new Map<string, Wisher[]>();
  /** How long those heads are. */
  readonly #lengths: readonly number[];

  constructor(strategies: readonly Strategy[]) {
    const wishers = strategies.map((each, strategy) => ({
      ...{ strategy, limits: limitsOf(each.foresight.bounds), given: givenBy(each) },
    }));
    const anyName = ({ given: { heads } }: Wisher): boolean => heads === undefined || heads.includes('');
    this.#ofAnyName = wishers.filter(anyName);
    for (const wisher of wishers.filter((each) => !anyName(each)))
      for (const head of new Set(wisher.given.heads)) {
        const own = this.#byHead.get(head);
        if (own === undefined) this.#byHead.set(head, [wisher]);
        else own.push(wisher);
      }
    this.#lengths = [...new Set([...this.#byHead.keys()].map(({ length }) => length))];
  }

  /** Of one item, in the order of the strategies. */
  of(item: Item): readonly Wish[] {
    const found: Wish[] = [];
    const ask = ({ strategy, limits, given }: Wisher): void => {
      const asks = given.asks(item);
      if (asks !== undefined) found.push({ strategy, limits, asks });
    };
    for (const wisher of this.#ofItsKind(item)) ask(wisher);
    for (const wisher of this.#byItsName(item)) ask(wisher);
    return found.sort((a, b) => a.strategy - b.strategy);
  }

  #ofItsKind(item: Item): readonly Wisher[] {
    const { type, exterior, rarity, collection, color } = item;
    const kind = `${type}\n${exterior}\n${rarity}\n${collection}\n${color}`;
    const known = this.#ofKind.get(kind);
    if (known !== undefined) return known;
    const found = this.#ofAnyName.filter(({ given }) => given.mayWantKind(item));
    this.#ofKind.set(kind, found);
    return found;
  }

  #byItsName({ nameFolded }: Item): Iterable<Wisher> {
    const found = new Set<Wisher>();
    for (const length of this.#lengths)
      if (length <= nameFolded.length)
        for (const wisher of this.#byHead.get(nameFolded.slice(0, length)) ?? []) found.add(wisher);
    return found;
  }
}

/** What a strategy tells of items; of one that tells little, all is asked of the listing. */
export function givenBy({ foresight, matches }: Strategy): ItemForesight {
  return (
    foresight.items ?? {
      ...{ heads: undefined, mayWantKind: () => true },
      asks: (item) => (foresight.mayWant(item) ? (listing) => matches(listing) : undefined),
    }
  );
}

export function limitsOf(bounds: readonly CostBound[]): Limits {
  const least = (measure: CostBound['measure']): number =>
    Math.min(Infinity, ...bounds.filter((bound) => bound.measure === measure).map(({ limit }) => limit));
  return { cost: least('cost'), share: least('share'), loss: least('loss') };
}
