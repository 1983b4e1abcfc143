import { describe, expect, it } from 'vitest';
import { knownNames } from '../../src/settings/item-catalogue.ts';
import { loadStrategies, packagedStrategies } from '../../src/settings/strategies.ts';

const known = knownNames();
if (known === undefined) throw new Error('the catalogue comes with Magpie');

/** What a glob was probably meant to be. */
const meant = (glob: string): string | undefined => known.doubt(glob)?.instead;

describe('a glob that matches none of the names that come with Magpie', () => {
  it('and is part of some was meant to match what holds it', () => {
    expect(known.doubt('Redline')).toEqual({
      problem: 'is compared with whole names, and no item that Magpie knows is called just that',
      instead: '*Redline*',
    });
    expect(meant('asiimov (field-tested)')).toBe('*asiimov (field-tested)*');
  });

  it('and is near to some was mistyped', () => {
    expect(meant('AWP | Asimov*')).toBe('AWP | Asiimov*');
    expect(meant('* | Printsteam (*)')).toBe('* | Printstream (*)');
    expect(meant('*Dragonlore*')).toBe('*Dragon Lore*');
    expect(meant('★ Karambit | Gama Doppler (Factory New)')).toBe('★ Karambit | Gamma Doppler (Factory New)');
    expect(meant('Recoil Caze')).toBe('Recoil Case');
  });

  it('and is near to none may be of an item that is newer than they are', () => {
    for (const glob of ['AK-47 | Something Quite New*', 'Sticker | Nobody | Nowhere 2031', '*2031*', 'Case of Tomorrow', '?'])
      expect([glob, meant(glob)]).toEqual([glob, undefined]);
  });
});

describe('a glob that matches', () => {
  it('is not doubted, and no example is', () => {
    for (const glob of [
      '*',
      'AK-47 | Redline*',
      '★ *',
      '*Case',
      'StatTrak™ *',
      'Sticker | Titan (Holo) | Katowice 2014',
      '★ Karambit',
    ])
      expect([glob, meant(glob)]).toEqual([glob, undefined]);
    expect(loadStrategies(packagedStrategies, 'strategies', undefined, known).warnings).toEqual([]);
  });
});
