import { normalOf } from './name-draw.ts';

/** What a reference price follows from. */
export interface Priced {
  /** Name without star, StatTrak™, Souvenir and exterior. */
  readonly base: string;
  readonly name: string;
  readonly type: string;
  readonly rarity: string;
  readonly weapon: string | null;
  readonly exterior: string | null;
  readonly variant: 'plain' | 'statTrak' | 'souvenir';
  /** Dollars in the usual exterior for names everyone knows. */
  readonly known: number | undefined;
}

type Table = Readonly<Record<string, number>>;

/** Typical dollars of a Field-Tested finish by grade. The figures of this file are made up to look like the trade's. */
const weaponMedian: Table = {
  'Consumer Grade': 0.12,
  'Industrial Grade': 0.3,
  'Mil-Spec Grade': 0.8,
  Restricted: 3,
  Classified: 11,
  Covert: 45,
  Contraband: 4000,
};

const gradeMedian: Table = {
  'Base Grade': 0.15,
  'High Grade': 0.35,
  Remarkable: 1.4,
  Exotic: 4,
  Extraordinary: 12,
  Contraband: 60,
  Distinguished: 2,
  Exceptional: 5,
  Superior: 9,
  Master: 22,
};

const typeFactor: Table = { weaponcase: 6, musickit: 12, keychain: 2, collectible: 6, spray: 0.6 };

const weaponFactor: Table = {
  'AK-47': 2,
  AWP: 1.9,
  'M4A1-S': 1.6,
  M4A4: 1.5,
  'Desert Eagle': 1.4,
  'USP-S': 1.4,
  'Glock-18': 1.2,
};

const knifeFactor: Table = {
  'Butterfly Knife': 4,
  Karambit: 3.2,
  'M9 Bayonet': 2.8,
  'Talon Knife': 1.8,
  'Skeleton Knife': 1.8,
  Bayonet: 1.4,
  'Huntsman Knife': 0.9,
  'Bowie Knife': 0.85,
  'Falchion Knife': 0.75,
  'Survival Knife': 0.75,
  'Gut Knife': 0.65,
  'Shadow Daggers': 0.6,
  'Navaja Knife': 0.55,
};

const finishFactor: Table = {
  Doppler: 3,
  'Gamma Doppler': 3,
  Fade: 3,
  'Marble Fade': 2.5,
  'Tiger Tooth': 2,
  Slaughter: 1.6,
  'Crimson Web': 1.6,
};

const weaponWear: Table = {
  'Factory New': 1.9,
  'Minimal Wear': 1.25,
  'Field-Tested': 1,
  'Well-Worn': 0.9,
  'Battle-Scarred': 0.8,
};
const bladeWear: Table = {
  'Factory New': 1.35,
  'Minimal Wear': 1.1,
  'Field-Tested': 1,
  'Well-Worn': 0.94,
  'Battle-Scarred': 0.9,
};

const CHEAPEST = 0.03;
const DEAREST = 60_000;

/** Steam's price of a name in dollars, whole cents, fixed by the name: from 3 cents to tens of thousands of dollars. */
export function referencePrice(item: Priced): number {
  const small = Math.exp(0.06 * normalOf(item.name, 'price of the variant'));
  const dollars = (item.known ?? drawn(item)) * wearFactor(item) * variantFactor(item) * small;
  return Math.round(Math.min(DEAREST, Math.max(CHEAPEST, dollars)) * 100) / 100;
}

function drawn(item: Priced): number {
  const spread = normalOf(item.base, 'price of the finish');
  if (item.type === 'knife')
    return 95 * (knifeFactor[item.weapon ?? ''] ?? 1) * (finishFactor[finishOf(item.base)] ?? 1) * Math.exp(0.35 * spread);
  if (item.type === 'hands') return 110 * Math.exp(0.9 * spread);
  if (item.weapon !== null)
    return (weaponMedian[item.rarity] ?? 1) * (weaponFactor[item.weapon] ?? 0.85) * Math.exp(0.75 * spread);
  return (gradeMedian[item.rarity] ?? 1) * (typeFactor[item.type] ?? 1) * ageFactor(item.base) * Math.exp(0.9 * spread);
}

function finishOf(base: string): string {
  return base.split(' | ')[1] ?? '';
}

/** Stickers of the first tournaments are no longer unpacked. */
function ageFactor(base: string): number {
  if (base.includes('Katowice 2014')) return 150;
  return /201[45]/.test(base) ? 8 : 1;
}

function wearFactor(item: Priced): number {
  const table = item.type === 'knife' || item.type === 'hands' ? bladeWear : weaponWear;
  return item.exterior === null ? 1 : (table[item.exterior] ?? 1);
}

function variantFactor(item: Priced): number {
  if (item.variant === 'plain') return 1;
  if (item.type === 'knife') return 1.08;
  return item.variant === 'statTrak' ? 1.9 : 1.4;
}
