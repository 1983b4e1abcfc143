import { normalOf } from './name-draw.ts';

/** What the popularity of a name follows from. */
export interface Traded {
  readonly base: string;
  readonly name: string;
  readonly type: string;
  readonly weapon: string | null;
  readonly exterior: string | null;
  readonly variant: 'plain' | 'statTrak' | 'souvenir';
  /** How many times more than its like a well-known name is traded. */
  readonly boost: number;
  readonly steamPrice: number;
}

type Table = Readonly<Record<string, number>>;

const typeWeight: Table = {
  knife: 0.5,
  hands: 0.6,
  sticker: 0.2,
  weaponcase: 0.9,
  agent: 0.8,
  keychain: 0.7,
  musickit: 0.3,
  patch: 0.2,
  spray: 0.1,
  collectible: 0.3,
};

const weaponWeight: Table = {
  'AK-47': 2.5,
  AWP: 2.2,
  M4A4: 1.8,
  'M4A1-S': 1.9,
  'USP-S': 1.7,
  'Desert Eagle': 1.7,
  'Glock-18': 1.5,
};

const exteriorWeight: Table = {
  'Factory New': 0.9,
  'Minimal Wear': 1.1,
  'Field-Tested': 1.3,
  'Well-Worn': 0.6,
  'Battle-Scarred': 0.7,
};

const variantWeight: Table = { plain: 1, statTrak: 0.35, souvenir: 0.12 };

/** How often a name is listed, relative to others; fixed by the name. Made up: common guns and known finishes come first. */
export function popularityOf(item: Traded): number {
  const kind = typeWeight[item.type] ?? 1;
  const gun = item.weapon === null ? 1 : (weaponWeight[item.weapon] ?? 0.8);
  const exterior = item.exterior === null ? 1 : (exteriorWeight[item.exterior] ?? 1);
  const variant = variantWeight[item.variant] ?? 1;
  return (
    kind * gun * exterior * variant * item.boost * liquidity(item.steamPrice) * Math.exp(0.7 * normalOf(item.name, 'popularity'))
  );
}

/** Trifles are not worth listing on a cash market, and few people sell what costs as much as a car. */
function liquidity(steamPrice: number): number {
  if (steamPrice < 0.2) return 0.25;
  if (steamPrice > 1000) return 0.3;
  return steamPrice > 300 ? 0.6 : 1;
}
