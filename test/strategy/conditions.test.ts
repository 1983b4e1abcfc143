import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/strategy/strategy.ts';
import { judged, offer } from './offers.ts';

type Case = readonly [when: Record<string, unknown>, given: Record<string, unknown>, expected: Verdict];

/** Each condition with what it says of a listing that differs from the ordinary one as given. */
function check(cases: readonly Case[]): void {
  const said = cases.map(([when, given]) => [when, given, judged(when, offer(given))]);
  expect(said).toEqual(cases);
}

describe('the condition on the name', () => {
  it('takes globs on the whole name, one or a list', () => {
    check([
      [{ name: 'AK-47 | Redline*' }, {}, 'true'],
      [{ name: 'ak-47 | redline (field-tested)' }, {}, 'true'],
      [{ name: 'AK-47 | Redline' }, {}, 'false'],
      [{ name: ['M4A4*', '*Redline*'] }, {}, 'true'],
      [{ name: ['M4A4*', 'AWP*'] }, {}, 'false'],
    ]);
  });

  it('never takes StatTrak for StatTrak™, nor a name without its star', () => {
    check([
      [{ name: 'StatTrak AK-47*' }, { marketHashName: 'StatTrak™ AK-47 | Redline (Field-Tested)' }, 'false'],
      [{ name: 'Karambit*' }, { marketHashName: '★ Karambit | Fade (Factory New)' }, 'false'],
      [{ name: '*case' }, { marketHashName: 'AK-47 | Case Hardened (Field-Tested)' }, 'false'],
    ]);
  });
});

describe('a condition on a word', () => {
  it('compares one or a list without case, and is absent where the listing has none', () => {
    for (const key of ['type', 'delivery', 'exterior', 'rarity', 'color', 'collection']) {
      check([
        [{ [key]: 'some word' }, { [key]: 'Some Word' }, 'true'],
        [{ [key]: ['other', 'SOME WORD'] }, { [key]: 'Some Word' }, 'true'],
        [{ [key]: 'some' }, { [key]: 'Some Word' }, 'false'],
        [{ [key]: 'some word' }, { [key]: null }, 'absent'],
        [{ [key]: 'some word' }, { [key]: undefined }, 'absent'],
        [{ [key]: 'some word' }, { [key]: 3 }, 'absent'],
      ]);
    }
    check([
      [{ market: 'ECOSTEAM' }, {}, 'true'],
      [{ market: ['c5game', 'ecosteam'] }, {}, 'true'],
      [{ market: 'c5game' }, {}, 'false'],
      [{ market: 'c5game' }, { market: 'newmarket' }, 'false'],
    ]);
  });

  it('takes globs for a collection and for no other word', () => {
    check([
      [{ collection: '*phoenix*' }, {}, 'true'],
      [{ collection: 'phoenix' }, {}, 'false'],
      [{ exterior: 'Field*' }, {}, 'false'],
    ]);
  });

  it('takes Mil-Spec and Mil-Spec Grade for one rarity, and no other two names', () => {
    check([
      [{ rarity: 'Mil-Spec' }, { rarity: 'Mil-Spec Grade' }, 'true'],
      [{ rarity: 'mil-spec grade' }, { rarity: 'Mil-Spec' }, 'true'],
      [{ rarity: ['Consumer Grade', 'industrial'] }, { rarity: 'Industrial Grade' }, 'true'],
      [{ rarity: 'Mil-Spec' }, { rarity: 'High Grade' }, 'false'],
      [{ rarity: 'Covert' }, { rarity: 'Extraordinary' }, 'false'],
      [{ color: '#EB4B4B' }, { color: '#eb4b4b', rarity: 'Extraordinary' }, 'true'],
    ]);
  });
});

describe('a range', () => {
  it('includes min and max and leaves out above and below', () => {
    check([
      [{ wear: { min: 0.15 } }, { wear: 0.15 }, 'true'],
      [{ wear: { min: 0.15 } }, { wear: 0.14999999999999999 }, 'true'],
      [{ wear: { min: 0.15 } }, { wear: 0.1499999999999999 }, 'false'],
      [{ wear: { max: 0.18 } }, { wear: 0.18 }, 'true'],
      [{ wear: { max: 0.18 } }, { wear: 0.18000000000000002 }, 'false'],
      [{ wear: { above: 0.15 } }, { wear: 0.15 }, 'false'],
      [{ wear: { above: 0.15 } }, { wear: 0.15000000000000002 }, 'true'],
      [{ wear: { below: 0.18 } }, { wear: 0.18 }, 'false'],
      [{ wear: { below: 0.18 } }, { wear: 0.17999999999999997 }, 'true'],
      [{ wear: { min: 0.15, below: 0.18 } }, { wear: 0.16 }, 'true'],
      [{ wear: { min: 0.15, below: 0.18 } }, { wear: 0.18 }, 'false'],
      [{ wear: { min: 0, max: 1 } }, { wear: null }, 'absent'],
    ]);
  });

  it('takes a wear of 0 for a wear', () => {
    check([
      [{ wear: { max: 0.07 } }, { wear: 0 }, 'true'],
      [{ wear: { above: 0 } }, { wear: 0 }, 'false'],
    ]);
  });

  it('on steamPrice is exact, and absent without a price to believe', () => {
    check([
      [{ steamPrice: { min: 1 } }, { steamPrice: 1 }, 'true'],
      [{ steamPrice: { min: 1 } }, { steamPrice: 0.999999 }, 'false'],
      [{ steamPrice: { above: 0.3 } }, { steamPrice: 0.3 }, 'false'],
      [{ steamPrice: { above: 0.2999999 } }, { steamPrice: 0.3 }, 'true'],
      [{ steamPrice: { below: 0.3000001 } }, { steamPrice: 0.3 }, 'true'],
      [{ steamPrice: { max: 0.2999999 } }, { steamPrice: 0.3 }, 'false'],
      [{ steamPrice: { min: 0 } }, { steamPrice: 0 }, 'absent'],
      [{ steamPrice: { min: 0 } }, { steamPrice: -5 }, 'absent'],
      [{ steamPrice: { min: 0 } }, { steamPrice: null }, 'absent'],
    ]);
  });
});

describe('the condition on paint seeds', () => {
  it('takes a list or a range, 0 included', () => {
    check([
      [{ paintSeed: [661, 670] }, { paintSeed: 670 }, 'true'],
      [{ paintSeed: [661, 670] }, { paintSeed: 665 }, 'false'],
      [{ paintSeed: { min: 661, max: 670 } }, { paintSeed: 665 }, 'true'],
      [{ paintSeed: { above: 661 } }, { paintSeed: 661 }, 'false'],
      [{ paintSeed: [0] }, { paintSeed: 0 }, 'true'],
      [{ paintSeed: { max: 10 } }, { paintSeed: 0 }, 'true'],
      [{ paintSeed: [661] }, { paintSeed: null }, 'absent'],
      [{ paintSeed: { min: 0 } }, { paintSeed: '661' }, 'absent'],
    ]);
  });
});

describe('the condition on stickers', () => {
  const kato = { name: 'Titan (Holo) | Katowice 2014' };
  const other = { name: 'OG | 2020 RMR' };
  const nameless = { slot: 1 };

  it('counts those whose name matches, repeats too', () => {
    const name = '*Katowice 2014*';
    check([
      [{ stickers: { name } }, { stickers: [kato, other] }, 'true'],
      [{ stickers: { name } }, { stickers: [other] }, 'false'],
      [{ stickers: { name } }, { stickers: [] }, 'false'],
      [{ stickers: { min: 2, name } }, { stickers: [kato, other] }, 'false'],
      [{ stickers: { min: 2, name } }, { stickers: [kato, kato, other] }, 'true'],
      [{ stickers: { max: 1, name } }, { stickers: [kato, other, other] }, 'true'],
      [{ stickers: { max: 1, name } }, { stickers: [kato, kato] }, 'false'],
      [{ stickers: { max: 1, name } }, { stickers: [other] }, 'false'],
      [{ stickers: { max: 0, name } }, { stickers: [other] }, 'true'],
      [{ stickers: { max: 0, name } }, { stickers: [kato] }, 'false'],
      [{ stickers: { min: 0, max: 1, name } }, { stickers: [other] }, 'true'],
    ]);
  });

  it('counts all where no name is asked for', () => {
    check([
      [{ stickers: { min: 1 } }, { stickers: [nameless] }, 'true'],
      [{ stickers: { min: 1 } }, { stickers: [42] }, 'true'],
      [{ stickers: { min: 1 } }, { stickers: [] }, 'false'],
      [{ stickers: { max: 0 } }, { stickers: [] }, 'true'],
      [{ stickers: { max: 0 } }, { stickers: ['x'] }, 'false'],
      [{ stickers: { min: 4, max: 5 } }, { stickers: [kato, kato, other, other] }, 'true'],
    ]);
  });

  it('is absent without a list, and where one of unknown name would decide', () => {
    const name = '*Katowice 2014*';
    check([
      [{ stickers: { min: 1 } }, { stickers: null }, 'absent'],
      [{ stickers: { max: 0 } }, { stickers: undefined }, 'absent'],
      [{ stickers: { name } }, { stickers: [nameless] }, 'absent'],
      [{ stickers: { name } }, { stickers: [nameless, kato] }, 'true'],
      [{ stickers: { min: 3, name } }, { stickers: [nameless, kato] }, 'false'],
      [{ stickers: { max: 0, name } }, { stickers: [nameless] }, 'absent'],
      [{ stickers: { max: 0, name } }, { stickers: [nameless, kato] }, 'false'],
    ]);
  });
});

describe('the condition on the charm', () => {
  it('asks for one, for none, or for a name', () => {
    const charm = { name: 'Charm | Lil Ava' };
    check([
      [{ charm: true }, { charm }, 'true'],
      [{ charm: true }, { charm: {} }, 'true'],
      [{ charm: true }, { charm: null }, 'false'],
      [{ charm: true }, { charm: undefined }, 'absent'],
      [{ charm: false }, { charm: null }, 'true'],
      [{ charm: false }, { charm: [] }, 'true'],
      [{ charm: false }, { charm }, 'false'],
      [{ charm: false }, { charm: undefined }, 'absent'],
      [{ charm: '*lil ava' }, { charm }, 'true'],
      [{ charm: ['*Hot*', '*Ava'] }, { charm: [charm] }, 'true'],
      [{ charm: '*Hot*' }, { charm }, 'false'],
      [{ charm: '*' }, { charm: null }, 'false'],
      [{ charm: '*Ava' }, { charm: {} }, 'absent'],
      [{ charm: '*Ava' }, { charm: undefined }, 'absent'],
    ]);
  });
});

describe('the condition on the fade', () => {
  it('is worked out from weapon and seed, for the finishes that fade', () => {
    const karambit = '★ StatTrak™ Karambit | Fade (Factory New)';
    check([
      [{ fade: { min: 99 } }, { marketHashName: karambit, paintSeed: 412 }, 'true'],
      [{ fade: { min: 99 } }, { marketHashName: karambit, paintSeed: 1 }, 'false'],
      [{ fade: { max: 100 } }, { marketHashName: karambit, paintSeed: 1000 }, 'absent'],
      [{ fade: { max: 100 } }, { marketHashName: 'AWP | Fade (Factory New)', paintSeed: 1000 }, 'true'],
      [{ fade: { max: 100 } }, { marketHashName: 'AWP | Fade (Factory New)', paintSeed: 1001 }, 'absent'],
      [{ fade: { max: 100 } }, { marketHashName: 'AWP | Fade (Factory New)', paintSeed: null }, 'absent'],
      [{ fade: { max: 100 } }, { marketHashName: 'MAC-10 | Amber Fade (Minimal Wear)' }, 'true'],
      [{ fade: { max: 100 } }, { marketHashName: 'SSG 08 | Acid Fade (Factory New)' }, 'true'],
      [{ fade: { max: 100 } }, { marketHashName: '★ Karambit | Marble Fade (Factory New)' }, 'absent'],
      [{ fade: { max: 100 } }, { marketHashName: '★ Specialist Gloves | Fade (Minimal Wear)' }, 'absent'],
      [{ fade: { max: 100 } }, { marketHashName: 'Sticker | Fade' }, 'absent'],
      [{ fade: { max: 100 } }, {}, 'absent'],
    ]);
  });
});
