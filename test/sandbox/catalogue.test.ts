import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exteriorWear } from '../../src/domain/exterior.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';

const catalogue = loadCatalogue();
const byName = new Map(catalogue.items.map((item) => [item.name, item]));

describe('the catalogue', () => {
  it('is a file below a megabyte with well over 1,500 names, each with an id of its own', () => {
    expect(statSync(new URL('../../data/catalogue.json', import.meta.url)).size).toBeLessThan(1_000_000);
    expect(byName.size).toBe(catalogue.items.length);
    expect(catalogue.items.length).toBeGreaterThan(1500);
    expect(new Set(catalogue.items.map(({ itemId }) => itemId)).size).toBe(catalogue.items.length);
    expect(catalogue.items.filter(({ itemId }) => !/^[0-9a-f]{16}$/.test(itemId))).toEqual([]);
  });

  it('knows names of every kind as the market spells them', () => {
    const kinds = [
      ['AK-47 | Redline (Field-Tested)', 'rifle', 'Classified', '#d32ce6'],
      ['StatTrak™ AK-47 | Redline (Field-Tested)', 'rifle', 'Classified', '#d32ce6'],
      ['M4A4 | Howl (Factory New)', 'rifle', 'Contraband', '#e4ae39'],
      ['Souvenir AWP | Dragon Lore (Factory New)', 'sniperrifle', 'Covert', '#eb4b4b'],
      ['Desert Eagle | Sunset Storm 壱 (Field-Tested)', 'pistol', 'Restricted', '#8847ff'],
      ['★ Karambit', 'knife', 'Covert', '#eb4b4b'],
      ['★ StatTrak™ Karambit | Gamma Doppler (Factory New)', 'knife', 'Covert', '#eb4b4b'],
      ["★ Sport Gloves | Pandora's Box (Field-Tested)", 'hands', 'Extraordinary', '#eb4b4b'],
      ['Sticker | Titan (Holo) | Katowice 2014', 'sticker', 'Remarkable', '#8847ff'],
      ['Fracture Case', 'weaponcase', 'Base Grade', '#b0c3d9'],
      ['Bloody Darryl The Strapped | The Professionals', 'agent', 'Superior', '#d32ce6'],
      ['Charm | Hot Howl', 'keychain', 'Extraordinary', '#eb4b4b'],
      ['StatTrak™ Music Kit | Matt Levine, Drifter', 'musickit', 'High Grade', '#4b69ff'],
    ];
    for (const [name = '', ...rest] of kinds) {
      const item = byName.get(name);
      expect([name, item?.type, item?.rarity, item?.color]).toEqual([name, ...rest]);
    }
  });

  it('gives a wear range within the exterior to what has one, and none to anything else', () => {
    const bounds = new Map(exteriorWear.map(([name, low, high]) => [name as string, { low, high }]));
    const wrong = catalogue.items.filter(({ name, exterior, wear }) => {
      const bound = bounds.get(exterior ?? '');
      const named = bounds.has(name.slice(name.lastIndexOf('(') + 1, -1));
      if (!bound || !wear) return named || wear !== undefined;
      return !named || wear.low < bound.low || wear.high > bound.high || wear.low >= wear.high;
    });
    expect(wrong).toEqual([]);
    expect(byName.has('AK-47 | Redline (Factory New)')).toBe(false);
  });

  it('keeps the phases of a Doppler together, since listings carry none', () => {
    expect(byName.get('★ Karambit | Doppler (Factory New)')?.paintIndexes).toEqual([415, 416, 417, 418, 419, 420, 421]);
  });

  it('has prices over five orders of magnitude, in whole cents, dearer with better wear', () => {
    const prices = catalogue.items.map(({ steamPrice }) => steamPrice);
    expect(Math.min(...prices)).toBe(0.03);
    expect(Math.max(...prices)).toBeGreaterThan(3000);
    expect(prices.filter((price) => Math.round(price * 100) / 100 !== price)).toEqual([]);
    const asiimov = ['Field-Tested', 'Well-Worn', 'Battle-Scarred'].map(
      (exterior) => byName.get(`AWP | Asiimov (${exterior})`)?.steamPrice ?? 0,
    );
    expect(asiimov.toSorted((a, b) => b - a)).toEqual(asiimov);
  });

  it('ranks common guns and known finishes before trifles', () => {
    const rank = (name: string): number => byName.get(name)?.rank ?? Number.NaN;
    expect(rank('AK-47 | Redline (Field-Tested)')).toBeLessThan(200);
    expect(rank('Souvenir MAC-10 | Indigo (Minimal Wear)')).toBeGreaterThan(5000);
  });
});
