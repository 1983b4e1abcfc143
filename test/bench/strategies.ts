import { type Random, chance, pick, wholeBetween } from '../../src/domain/random.ts';
import { exteriorWear } from '../../src/domain/exterior.ts';
import { type Catalogue, type CatalogueItem } from '../../src/sandbox/catalogue.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import type { Conditions, PriceRules } from '../../src/strategy/schema.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';

interface Draw {
  readonly random: Random;
  readonly catalogue: Catalogue;
}

/** A strategy as it is written. */
export interface Wish {
  readonly when: Conditions;
  readonly price: PriceRules;
}

export interface Drawn {
  readonly wish: Wish;
  readonly strategy: Strategy;
}

/**
 * Strategies as people write them: most for one item or a few, at a price or a share of Steam's; some for a weapon, a
 * collection or a kind of thing, with a share so small that few offers reach it; some for what makes one copy rare.
 */
export function drawStrategies(draw: Draw, count: number): readonly Drawn[] {
  return Array.from({ length: count }, (_, at) => {
    const priority = wholeBetween(draw.random, 0, 9);
    const drawn = wish(draw);
    const document = { name: `s-${at}`, priority, ...drawn };
    const parsed = parseStrategy(document, { text: '', hash: String(at) });
    if (!parsed.ok) throw new Error(`${JSON.stringify(document)}: ${parsed.faults.map(({ message }) => message).join('; ')}`);
    return { wish: drawn, strategy: parsed.strategy };
  });
}

function wish(draw: Draw): Wish {
  const { random } = draw;
  const at = random.next();
  if (at < 0.4) return oneItem(draw);
  if (at < 0.5) return fewItems(draw);
  if (at < 0.7) return oneWeapon(draw);
  if (at < 0.8) return oneKind(draw);
  if (at < 0.88) return oneCollection(draw);
  if (at < 0.94) return rareCopy(draw);
  return { when: { any: [oneItem(draw).when, oneWeapon(draw).when] }, price: share(random, 0.45, 0.65) };
}

/** The common items more often, as in the market. */
function oneItem({ random, catalogue }: Draw): Wish {
  const item = catalogue.draw(random);
  const wear =
    item.wear !== undefined && chance(random, 0.4) ? { wear: { below: between(random, item.wear.low, item.wear.high) } } : {};
  const price = chance(random, 0.5) ? { max: dollars(item.steamPrice * (0.4 + random.next() * 0.3)) } : share(random, 0.5, 0.7);
  return { when: { name: chance(random, 0.5) ? item.name : anyExterior(item), ...wear }, price };
}

function fewItems({ random, catalogue }: Draw): Wish {
  const name = Array.from({ length: wholeBetween(random, 3, 12) }, () => catalogue.draw(random).name);
  return { when: { name }, price: { ...share(random, 0.5, 0.65), max: wholeBetween(random, 10, 60) } };
}

function oneWeapon({ random, catalogue }: Draw): Wish {
  const { weapon, name } = catalogue.draw(random);
  const from = wholeBetween(random, 1, 20);
  return {
    when: {
      name: weapon === null ? `${name.split(' | ')[0] ?? name} | *` : `${weapon} | *`,
      exterior: exteriorWear.slice(0, wholeBetween(random, 1, 3)).map(([exterior]) => exterior),
      steamPrice: { min: from, max: from * 10 },
    },
    price: { max: from * 5, ...share(random, 0.55, 0.8) },
  };
}

function oneKind({ random, catalogue }: Draw): Wish {
  const { type, rarity } = catalogue.draw(random);
  const least = wholeBetween(random, 1, 30);
  return {
    when: { type, rarity, delivery: pick(random, ['auto', 'normal']), market: pick(random, ['c5game', 'ecosteam']) },
    price: chance(random, 0.5) ? { minProfit: least, max: least * 4 } : { ...share(random, 0.5, 0.9), max: least * 4 },
  };
}

function oneCollection({ random, catalogue }: Draw): Wish {
  const { collection } = catalogue.draw(random);
  const wear = { wear: { max: between(random, 0.01, 0.1) } };
  return {
    when: collection === null ? { name: 'Souvenir *', ...wear } : { collection, not: { name: 'Souvenir *' }, ...wear },
    price: share(random, 0.5, 0.7),
  };
}

function rareCopy({ random }: Draw): Wish {
  const rare: readonly Conditions[] = [
    { name: '* | Fade (*', fade: { min: wholeBetween(random, 90, 99) } },
    { name: '* | Case Hardened (*', paintSeed: [wholeBetween(random, 0, 1000), wholeBetween(random, 0, 1000)] },
    { type: ['rifle', 'sniperrifle'], stickers: { min: 1, name: ['*Katowice 2014*', '*Cologne 2014*'] } },
    { name: '★ * | Doppler (*', wear: { below: 0.01 } },
  ];
  return { when: pick(random, rare), price: { max: wholeBetween(random, 50, 200) } };
}

function share(random: Random, low: number, high: number): PriceRules {
  return { maxOfSteam: Number(between(random, low, high).toFixed(2)) };
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.next();
}

function dollars(amount: number): number {
  return Math.max(0.01, Math.round(amount * 100) / 100);
}

function anyExterior({ name, exterior }: CatalogueItem): string {
  return exterior === null ? name : name.replace(`(${exterior})`, '(*');
}
