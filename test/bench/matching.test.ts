import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import { Bench } from '../sandbox/harness.ts';
import { matchingFloor } from './floors/matching.ts';
import { drawStrategies } from './strategies.ts';

const listings = new Bench({ seed: 3, listings: 1_500 }).feed().flatMap((entry) => {
  const read = readListing(entry);
  return read.ok ? [read.listing] : [];
});

describe('the floor of matching', () => {
  it('wants what Magpie wants, but for Dopplers, of whose steamPrice it knows nothing', () => {
    const drawn = drawStrategies({ random: seededRandom(5), catalogue: loadCatalogue() }, 400);
    let wanted = 0;
    for (const { wish, strategy } of drawn) {
      const floor = matchingFloor(wish.when, wish.price);
      for (const listing of listings) {
        if (listing.nameFolded.includes('doppler')) continue;
        if (strategy.matches(listing)) wanted++;
        if (floor(listing) !== strategy.matches(listing)) expect.fail(`${JSON.stringify(wish)} of ${JSON.stringify(listing)}`);
      }
    }
    expect(wanted).toBeGreaterThan(100);
  });

  it('refuses a condition that it does not know', () => {
    expect(() => matchingFloor({ charm: true }, { max: 1 })).toThrow(TypeError);
  });
});
