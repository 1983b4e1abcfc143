// Writes data/catalogue.json, the items of the sandbox market, from the field data of @ianlucas/cs2-lib (MIT). The package
// weighs 192 MB, so it is no dependency of the project. To run it:
//
//   npm install --prefix /tmp/cs2lib @ianlucas/cs2-lib@7.33.1
//   npx tsx scripts/generate-catalogue.ts /tmp/cs2lib/node_modules/@ianlucas/cs2-lib
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { famous } from './famous-items.ts';

interface FieldItem {
  readonly id: number;
  readonly type: string;
  readonly base?: boolean;
  readonly category?: string;
  readonly index?: number;
  readonly rarity?: string;
  readonly containerType?: number;
  readonly contents?: readonly number[];
  readonly wearMin?: number;
  readonly wearMax?: number;
}

interface Words {
  readonly name: string;
  readonly collectionName?: string;
  readonly tournamentDesc?: string;
}

/** Which variants of a name exist, as bits; the reader in src/sandbox/catalogue.ts names the same bits. */
const PLAIN = 1;
const STATTRAK = 2;
const SOUVENIR = 4;
const STAR = 8;

const WEAPON_CASE = 0;
const SOUVENIR_PACKAGE = 3;

type Grades = Readonly<Record<string, string>>;

const weaponGrades: Grades = {
  '#b0c3d9': 'Consumer Grade',
  '#5e98d9': 'Industrial Grade',
  '#4b69ff': 'Mil-Spec Grade',
  '#8847ff': 'Restricted',
  '#d32ce6': 'Classified',
  '#eb4b4b': 'Covert',
  '#e4ae39': 'Contraband',
};
const agentGrades: Grades = { '#4b69ff': 'Distinguished', '#8847ff': 'Exceptional', '#d32ce6': 'Superior', '#eb4b4b': 'Master' };
const thingGrades: Grades = {
  '#b0c3d9': 'Base Grade',
  '#4b69ff': 'High Grade',
  '#8847ff': 'Remarkable',
  '#d32ce6': 'Exotic',
  '#eb4b4b': 'Extraordinary',
  '#e4ae39': 'Contraband',
};

const categoryTypes: Readonly<Record<string, string>> = {
  secondary: 'pistol',
  smg: 'smg',
  rifle: 'rifle',
  equipment: 'equipment',
};
const weaponTypes: Readonly<Record<string, string>> = {
  AWP: 'sniperrifle',
  'SSG 08': 'sniperrifle',
  'SCAR-20': 'sniperrifle',
  G3SG1: 'sniperrifle',
  M249: 'machinegun',
  Negev: 'machinegun',
  XM1014: 'shotgun',
  'MAG-7': 'shotgun',
  'Sawed-Off': 'shotgun',
  Nova: 'shotgun',
};

interface Row {
  readonly name: string;
  readonly type: string;
  readonly rarity: string;
  readonly color: string;
  readonly collection: string | undefined;
  readonly wear: readonly [number, number] | undefined;
  readonly variants: number;
  readonly paints: number[];
}

class FieldData {
  readonly items: readonly FieldItem[];
  readonly #words: Readonly<Record<string, Words | undefined>>;
  readonly #inCases = new Set<number>();
  readonly #inSouvenirs = new Set<number>();

  constructor(items: readonly FieldItem[], words: Readonly<Record<string, Words | undefined>>) {
    this.items = items;
    this.#words = words;
    for (const item of items) {
      const found =
        item.containerType === WEAPON_CASE
          ? this.#inCases
          : item.containerType === SOUVENIR_PACKAGE
            ? this.#inSouvenirs
            : undefined;
      for (const id of found ? (item.contents ?? []) : []) found?.add(id);
    }
  }

  words(item: FieldItem): Words {
    return this.#words[item.id] ?? { name: '' };
  }

  /** The one contraband finish left its case long ago, but exists with StatTrak. */
  weaponVariants(item: FieldItem): number {
    const statTrak = this.#inCases.has(item.id) || item.rarity === '#e4ae39';
    return PLAIN | (statTrak ? STATTRAK : 0) | (this.#inSouvenirs.has(item.id) ? SOUVENIR : 0);
  }
}

function weaponType(item: FieldItem, name: string): string {
  return weaponTypes[name.split(' | ')[0] ?? ''] ?? categoryTypes[item.category ?? ''] ?? 'equipment';
}

/** Stickers are many: all that belong to no tournament or an old one, and a third of the rest. */
function keepsSticker(item: FieldItem, words: Words): boolean {
  return words.tournamentDesc === undefined || /20(13|14|15)/.test(words.name) || item.id % 3 === 0;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(' | ') + 3);
}

function rowOf(data: FieldData, item: FieldItem): Row | undefined {
  const words = data.words(item);
  // The game's own grey of the lowest grade is shown on the market in the grade's usual colour.
  const color = item.rarity === undefined || item.rarity === '#ded6cc' ? '#b0c3d9' : item.rarity;
  const wear = item.wearMin === undefined || item.wearMax === undefined ? undefined : ([item.wearMin, item.wearMax] as const);
  const common = { color, collection: words.collectionName, wear, paints: item.index === undefined ? [] : [item.index] };
  const thing = { ...common, collection: undefined, paints: [], rarity: thingGrades[color] ?? 'Base Grade', variants: PLAIN };
  switch (item.type) {
    case 'weapon':
      if (item.base || !wear) return undefined;
      return {
        ...common,
        name: words.name,
        type: weaponType(item, words.name),
        rarity: weaponGrades[color] ?? 'Consumer Grade',
        variants: data.weaponVariants(item),
      };
    case 'melee':
      if (words.name === 'Knife') return undefined;
      return { ...common, name: words.name, type: 'knife', rarity: 'Covert', variants: STAR | PLAIN | STATTRAK };
    case 'glove':
      return item.base
        ? undefined
        : { ...common, name: words.name, type: 'hands', rarity: 'Extraordinary', variants: STAR | PLAIN };
    case 'sticker':
      return keepsSticker(item, words) ? { ...thing, name: words.name, type: 'sticker' } : undefined;
    case 'keychain':
      return words.name.startsWith('Charm | ') ? { ...thing, name: words.name, type: 'keychain' } : undefined;
    case 'agent':
      return { ...thing, name: withoutPrefix(words.name), type: 'agent', rarity: agentGrades[color] ?? 'Distinguished' };
    case 'musickit':
      return item.base ? undefined : { ...thing, name: words.name, type: 'musickit', variants: PLAIN | STATTRAK };
    case 'patch':
      return { ...thing, name: words.name, type: 'patch' };
    case 'graffiti':
      return item.id % 12 === 0 ? { ...thing, name: `Sealed ${words.name}`, type: 'spray' } : undefined;
    case 'case':
      return {
        ...thing,
        name: withoutPrefix(words.name),
        type: 'weaponcase',
        rarity: 'Base Grade',
        collection: words.collectionName,
      };
    case 'collectible':
      return words.name.endsWith(' Pin') ? { ...thing, name: withoutPrefix(words.name), type: 'collectible' } : undefined;
    default:
      return undefined;
  }
}

/** One row a market name: the phases of a Doppler share theirs and keep their paint indexes. */
function rowsOf(data: FieldData): Row[] {
  const rows = new Map<string, Row>();
  for (const item of data.items) {
    const row = rowOf(data, item);
    if (!row || row.name === '') continue;
    const known = rows.get(row.name);
    if (known) known.paints.push(...row.paints.filter((paint) => !known.paints.includes(paint)));
    else rows.set(row.name, row);
  }
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

class Strings {
  readonly list: string[] = [];

  index(text: string): number {
    const at = this.list.indexOf(text);
    return at >= 0 ? at : this.list.push(text) - 1;
  }
}

/** `[name, type, rarity, variants, collection or -1, wearMin, wearMax, paint indexes, price, popularity]`, the tail left off when empty. */
function packed(row: Row, types: Strings, rarities: Strings, collections: Strings): unknown[] {
  const known = famous[row.name];
  const cells: unknown[] = [row.name, types.index(row.type), rarities.index(`${row.rarity}\t${row.color}`), row.variants];
  if (row.collection !== undefined || row.wear || known)
    cells.push(row.collection === undefined ? -1 : collections.index(row.collection));
  if (row.wear || known) cells.push(row.wear?.[0] ?? -1, row.wear?.[1] ?? -1, row.paints);
  if (known) cells.push(...known);
  return cells;
}

async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error('say where @ianlucas/cs2-lib is installed, as the first argument');
  const load = (file: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(resolve(folder), 'dist', file)).href);
  const { CS2_ITEMS } = await load('items.mjs');
  const { english } = await load('translations/english.mjs');
  const data = new FieldData(CS2_ITEMS as FieldItem[], english as Record<string, Words>);
  const [types, rarities, collections] = [new Strings(), new Strings(), new Strings()];
  const rows = rowsOf(data).map((row) => packed(row, types, rarities, collections));
  const head = {
    source: 'names, rarities, collections and wear ranges from @ianlucas/cs2-lib 7.33.1 (MIT, Ian Lucas); prices are made up',
    types: types.list,
    rarities: rarities.list.map((text) => text.split('\t')),
    collections: collections.list,
  };
  const text = `${JSON.stringify(head).slice(0, -1)},"rows":[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]}\n`;
  writeFileSync(fileURLToPath(new URL('../data/catalogue.json', import.meta.url)), text);
  console.log(`${rows.length} rows, ${Buffer.byteLength(text)} bytes`);
}

await main();
