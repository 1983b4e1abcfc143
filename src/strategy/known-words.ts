import { exteriorWear } from '../domain/exterior.ts';
import { foldCase } from '../domain/text.ts';

// Words that upstreams are known to use. An unknown word is never an error: an upstream may add one any day.

export const exteriors = exteriorWear.map(([name]) => name);

export const exteriorShorthand: ReadonlyMap<string, string> = new Map([
  ['fn', 'Factory New'],
  ['mw', 'Minimal Wear'],
  ['ft', 'Field-Tested'],
  ['ww', 'Well-Worn'],
  ['bs', 'Battle-Scarred'],
]);

interface Tier {
  readonly color: string;
  /** The weapons' name first, then those of stickers, agents and other things. */
  readonly names: readonly string[];
}

const tiers: readonly Tier[] = [
  { color: '#b0c3d9', names: ['Consumer Grade', 'Consumer', 'Base Grade'] },
  { color: '#5e98d9', names: ['Industrial Grade', 'Industrial'] },
  { color: '#4b69ff', names: ['Mil-Spec Grade', 'Mil-Spec', 'High Grade', 'Distinguished'] },
  { color: '#8847ff', names: ['Restricted', 'Remarkable', 'Exceptional'] },
  { color: '#d32ce6', names: ['Classified', 'Exotic', 'Superior'] },
  { color: '#eb4b4b', names: ['Covert', 'Extraordinary', 'Master'] },
  { color: '#e4ae39', names: ['Contraband'] },
];

export const rarities: readonly string[] = tiers.flatMap((tier) => tier.names);
export const colors: readonly string[] = tiers.map((tier) => tier.color);

const sameRarity: ReadonlySet<string> = new Set(['consumer', 'industrial', 'mil-spec']);

/** How a rarity is compared: without case, and "Mil-Spec" is "Mil-Spec Grade" (Consumer and Industrial likewise). */
export function rarityForm(rarity: string): string {
  const folded = foldCase(rarity);
  return sameRarity.has(folded) ? `${folded} grade` : folded;
}

const spokenColors: ReadonlyMap<string, string> = new Map([
  ['white', '#b0c3d9'],
  ['light blue', '#5e98d9'],
  ['blue', '#4b69ff'],
  ['purple', '#8847ff'],
  ['pink', '#d32ce6'],
  ['red', '#eb4b4b'],
  ['gold', '#e4ae39'],
  ['orange', '#e4ae39'],
]);

/** The colour of a tier by any of its names, by its colour without the #, or by what people call the colour. */
export function colorNamed(word: string): string | undefined {
  const folded = foldCase(word).replace(/^#/, '');
  const spoken = spokenColors.get(folded);
  if (spoken !== undefined) return spoken;
  return tiers.find((tier) => tier.color.slice(1) === folded || tier.names.some((name) => foldCase(name) === folded))?.color;
}

export const markets = ['c5game', 'ecosteam'] as const;
export const marketShorthand: ReadonlyMap<string, string> = new Map([
  ['c5', 'c5game'],
  ['eco', 'ecosteam'],
]);

/** As the upstreams' listings and the catalogue of items name them. */
export const types = [
  ...['rifle', 'sniperrifle', 'pistol', 'smg', 'shotgun', 'machinegun', 'equipment', 'knife', 'hands', 'agent'],
  ...['sticker', 'keychain', 'patch', 'spray', 'musickit', 'weaponcase', 'collectible'],
] as const;

export const deliveries = ['normal', 'auto'] as const;

export const guns: readonly string[] = [
  'AK-47', 'AUG', 'AWP', 'CZ75-Auto', 'Desert Eagle', 'Dual Berettas', 'FAMAS', 'Five-SeveN', 'G3SG1', 'Galil AR', 'Glock-18', 'M249',
  'M4A1-S', 'M4A4', 'MAC-10', 'MAG-7', 'MP5-SD', 'MP7', 'MP9', 'Negev', 'Nova', 'P2000', 'P250', 'P90', 'PP-Bizon', 'R8 Revolver',
  'SCAR-20', 'SG 553', 'SSG 08', 'Sawed-Off', 'Tec-9', 'UMP-45', 'USP-S', 'XM1014', 'Zeus x27',
]; // prettier-ignore

/** What carries a star before its name. */
export const starred: readonly string[] = [
  'Bayonet', 'Bowie Knife', 'Butterfly Knife', 'Classic Knife', 'Falchion Knife', 'Flip Knife', 'Gut Knife', 'Huntsman Knife', 'Karambit',
  'Kukri Knife', 'M9 Bayonet', 'Navaja Knife', 'Nomad Knife', 'Paracord Knife', 'Shadow Daggers', 'Skeleton Knife', 'Stiletto Knife',
  'Survival Knife', 'Talon Knife', 'Ursus Knife', 'Bloodhound Gloves', 'Broken Fang Gloves', 'Driver Gloves', 'Hand Wraps',
  'Hydra Gloves', 'Moto Gloves', 'Specialist Gloves', 'Sport Gloves',
]; // prettier-ignore
