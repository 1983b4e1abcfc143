import * as calculators from 'csgo-fade-percentage-calculator';
import { describe, expect, it } from 'vitest';
import { fadePercentage } from '../../src/strategy/fade.ts';
import { offer } from './offers.ts';

interface Calculator {
  getSupportedWeapons(): string[];
  getFadePercentages(weapon: string): { seed: number; percentage: number }[];
}

const { FadeCalculator, AmberFadeCalculator, AcidFadeCalculator } = calculators as unknown as Record<string, Calculator>;

const finishes = [
  ['Fade', FadeCalculator!],
  ['Amber Fade', AmberFadeCalculator!],
  ['Acid Fade', AcidFadeCalculator!],
] as const;

const knives = /Knife|Bayonet|Karambit|Daggers/;

describe('the percentage of a fade', () => {
  it.each(finishes)(
    'of each weapon that comes in %s is what the calculator says, for names as the market writes them',
    (finish, calculator) => {
      for (const weapon of calculator.getSupportedWeapons()) {
        const star = knives.test(weapon) ? '★ ' : '';
        const expected = calculator.getFadePercentages(weapon);
        for (const { seed, percentage } of [expected[0]!, expected[412]!, expected.at(-1)!]) {
          for (const name of [
            `${star}${weapon} | ${finish} (Factory New)`,
            `${star}StatTrak™ ${weapon} | ${finish} (Minimal Wear)`,
          ]) {
            expect({ name, seed, is: fadePercentage(offer({ marketHashName: name, paintSeed: seed })) }).toEqual({
              name,
              seed,
              is: percentage,
            });
          }
        }
        expect(
          fadePercentage(offer({ marketHashName: `${star}${weapon} | ${finish} (Factory New)`, paintSeed: 1001 })),
        ).toBeUndefined();
      }
    },
  );

  it('is not worked out for a weapon that does not come in the finish, nor for names of every object', () => {
    for (const name of [
      'AUG | Fade (Factory New)',
      'Karambit | Amber Fade',
      'AK-47 | constructor fade',
      'x | fade | fade',
      '| Fade (',
      '★ | Fade',
    ]) {
      expect(fadePercentage(offer({ marketHashName: name, paintSeed: 1 }))).toBeUndefined();
    }
  });
});
