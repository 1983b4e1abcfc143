import { type Random, chance, pick } from '../../src/domain/random.ts';

export type Entry = Readonly<Record<string, unknown>>;

const STANDING = 24;
const NAMES = 500;
const STICKERS = 200;

/** How the list of an answer can be wrong while the answer is whole, with how often that is so. */
const troubles: readonly (readonly [share: number, spoil: (listings: Entry[], random: Random, nth: number) => unknown])[] = [
  [0.01, (listings, random, nth) => ({ listings: [...listings, ...badEntries(random, nth)] })],
  [0.004, (listings, random) => ({ listings: [...listings, { ...pick(random, listings), price: 0.01 }] })],
  [
    0.002,
    (listings) => ({ listings: listings.map((entry) => ({ ...entry, priceWithFee: Number(entry['priceWithFee']) / 100 })) }),
  ],
  [0.002, (listings) => ({ listings: listings.slice(0, 2) })],
  [0.002, (listings) => ({ listings: [], listingsCount: listings.length })],
  [0.002, (listings) => ({ listings, listingsCount: listings.length + 3 })],
  [0.002, (listings, random) => ({ listings: listings.toSorted(() => random.next() - 0.5) })],
  [0.002, (listings, random, nth) => ({ listings: listings.map((entry) => ({ ...entry, [`field${nth}`]: random.next() })) })],
  [0.001, () => ({ listings: null })],
  [0.001, () => null],
];

/** A market that never stands still: listings come, go, and change, and now and then the list of them is wrong. */
export class PollMarket {
  readonly #random: Random;
  readonly #replaced: number;
  readonly #standing: Entry[] = [];
  #nextId = 900_000_000;
  #answers = 0;

  /** `replaced`: how many listings give way to others from one answer to the next. */
  constructor(random: Random, replaced: number) {
    this.#random = random;
    this.#replaced = replaced;
    while (this.#standing.length < STANDING) this.#standing.push(this.#newcomer());
  }

  /** What the next answer's `data` holds. */
  next(): unknown {
    this.#answers++;
    this.#move();
    for (const [share, spoil] of troubles) {
      if (chance(this.#random, share)) return spoil(this.#standing, this.#random, this.#answers);
    }
    return { listings: this.#standing, listingsCount: this.#standing.length };
  }

  /** The listing, while it stands. */
  find(id: string): Entry | undefined {
    return this.#standing.find((entry) => entry['id'] === id);
  }

  #move(): void {
    for (let nth = 0; nth < this.#replaced; nth++) {
      this.#standing.splice(this.#place(), 1);
      this.#standing.splice(this.#place(), 0, this.#newcomer());
    }
    const at = this.#place();
    this.#standing[at] = priced(this.#standing[at] ?? {}, this.#price());
  }

  #place(): number {
    return Math.floor(this.#random.next() * this.#standing.length);
  }

  #price(): number {
    return Math.round(50 + 950 * this.#random.next()) / 100;
  }

  #newcomer(): Entry {
    const random = this.#random;
    const id = this.#nextId++;
    const kind = Math.floor(random.next() * NAMES);
    const name = `AK-47 | Number ${kind} (Field-Tested)`;
    const sticker = { name: `Sticker | Team ${Math.floor(random.next() * STICKERS)}`, wear: 0, slot: 0 };
    const fixed = { type: 'rifle', delivery: 'normal', exterior: 'Field-Tested', rarity: 'Classified', color: '#d32ce6' };
    const own = { itemId: id.toString(16).padStart(16, '0'), id: String(id), marketHashName: name, steamPrice: 10 };
    const looks = { wear: 0.15 + 0.2 * random.next(), paintSeed: id % 1000, iconUrl: `https://img.example.invalid/${id}.png` };
    const more = { collection: null, stickers: chance(random, 0.3) ? [sticker] : [], charm: null };
    return priced({ ...own, ...fixed, ...looks, ...more, market: pick(random, ['c5game', 'ecosteam']) }, this.#price());
  }
}

function priced(entry: Entry, price: number): Entry {
  return { ...entry, price, priceWithFee: Math.round(price * 105) / 100 };
}

/** Entries that nobody can judge, each with texts that never come again. */
function badEntries(random: Random, nth: number): unknown[] {
  const name = `Never seen before, number ${nth}`;
  const whole = {
    id: `bad-${nth}`,
    itemId: `item-${nth}`,
    marketHashName: name,
    market: 'c5game',
    type: 'rifle',
    delivery: 'normal',
  };
  const entries: unknown[] = [
    { ...whole, price: 1 },
    { ...whole, price: -1, priceWithFee: -1 },
    { ...whole, price: 2, priceWithFee: 1 },
    { ...whole, price: 'cheap', priceWithFee: `$${nth}` },
    { ...whole, market: `market-${nth}`, price: 1e12, priceWithFee: 1e12 },
    { id: nth, marketHashName: `\u202e${name}` },
    name,
    null,
    [nth],
  ];
  return entries.filter(() => chance(random, 0.3));
}
