import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, type ReferenceRecord } from '../../src/domain/reference.ts';
import { compileStrategy } from '../../src/strategy/compile.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { nothingAround, type Surroundings } from '../../src/strategy/surroundings.ts';
import { dollars } from '../support/values.ts';
import { entries, strategyDocuments, surroundings } from './anything.ts';
import { offer, strategyOf } from './offers.ts';

const AT = 20 * DAY_MS + 6 * 3_600_000;

function record(given: Partial<ReferenceRecord> = {}): ReferenceRecord {
  return { median: dollars(20), samples: 7, low: dollars(19), high: dollars(21), newestAt: 20 * DAY_MS, ...given };
}

function around(given: { readonly record?: ReferenceRecord; readonly floor?: number } = {}): Surroundings {
  return {
    at: AT,
    recordOf: () => given.record,
    floorBeside: () => (given.floor === undefined ? undefined : dollars(given.floor)),
  };
}

function verdicts(keys: Record<string, unknown>, listing: ReturnType<typeof offer>, where: Surroundings): readonly string[] {
  return strategyOf(keys)
    .explain(listing, where)
    .filter(({ path }) => path !== 'price.max')
    .map(({ path, verdict, has }) => `${path} ${verdict}: ${has}`);
}

describe('conditions on the record of a name', () => {
  it('ask for its days, its age, and how far steamPrice has jumped from its median', () => {
    const when = { reference: { minSamples: 7, maxAge: '6h', maxJump: 0.5 } };
    expect(verdicts({ when }, offer({ steamPrice: 30 }), around({ record: record() }))).toEqual([
      'when.reference.minSamples true: 7 days',
      'when.reference.maxAge true: 6 h old',
      'when.reference.maxJump true: +50 % from $20.00',
    ]);
    const worse = record({ samples: 6, newestAt: 20 * DAY_MS - 1 });
    expect(verdicts({ when }, offer({ steamPrice: 30.01 }), around({ record: worse }))).toEqual([
      'when.reference.minSamples false: 6 days',
      'when.reference.maxAge false: 6 h old',
      'when.reference.maxJump false: +50 % from $20.00',
    ]);
  });

  it('hold a fall of steamPrice against it as well as a rise', () => {
    const when = { reference: { maxJump: 0.25 } };
    const holds = (steamPrice: number): boolean =>
      strategyOf({ when }).matches(offer({ steamPrice }), around({ record: record() }));
    expect([14.99, 15, 25, 25.01].map(holds)).toEqual([false, true, true, false]);
  });

  it('are absent without a record, so that neither they nor their opposite buy', () => {
    for (const reference of [{ minSamples: 1 }, { maxAge: '90d' }, { maxJump: 1000 }]) {
      for (const when of [{ reference }, { not: { reference } }]) {
        expect(strategyOf({ when }).matches(offer(), around())).toBe(false);
        expect(strategyOf({ when }).matches(offer())).toBe(false);
      }
    }
    const [jump] = strategyOf({ when: { reference: { maxJump: 1 } } }).explain(
      offer({ steamPrice: null }),
      around({ record: record() }),
    );
    expect(jump?.verdict).toBe('absent');
  });

  it('do not go by a record that is days old, nor by one that comes from the future [money-23]', () => {
    const when = { reference: { maxAge: '3d' } };
    const holds = (newestAt: number): boolean => strategyOf({ when }).matches(offer(), around({ record: record({ newestAt }) }));
    expect([AT - 3 * DAY_MS - 1, AT - 3 * DAY_MS, AT, AT + 2 * DAY_MS].map(holds)).toEqual([false, true, true, false]);
  });
});

describe('price.maxOfMedian', () => {
  it('is exact, and absent without a record', () => {
    const price = { max: 1000, maxOfMedian: 0.575 };
    const holds = (priceWithFee: number): boolean =>
      strategyOf({ price }).matches(offer({ price: 1, priceWithFee }), around({ record: record({ median: dollars(100) }) }));
    expect([57.5, 57.500001, 57.49].map(holds)).toEqual([true, false, true]);
    expect(verdicts({ price }, offer(), around())).toEqual(['price.maxOfMedian absent: absent: no record of its steamPrice yet']);
  });

  it('does not hold for a Doppler, whose steamPrice blends all phases, unless the strategy says so', () => {
    const doppler = offer({ marketHashName: '★ Karambit | Doppler (Factory New)' });
    const where = around({ record: record({ median: dollars(100) }) });
    const price = { max: 1000, maxOfMedian: 0.7 };
    expect(strategyOf({ price }).matches(doppler, where)).toBe(false);
    expect(strategyOf({ price, doppler: true }).matches(doppler, where)).toBe(true);
  });
});

describe('price.belowFloor', () => {
  it('is so much below the cheapest other, by share, by dollars or both, exactly', () => {
    const holds = (belowFloor: unknown, priceWithFee: number): boolean =>
      strategyOf({ price: { max: 1000, belowFloor } }).matches(offer({ price: 1, priceWithFee }), around({ floor: 10 }));
    expect([9.5, 9.500001].map((cost) => holds(0.05, cost))).toEqual([true, false]);
    expect([9.25, 9.250001].map((cost) => holds({ dollars: 0.75 }, cost))).toEqual([true, false]);
    expect([9.25, 9.5].map((cost) => holds({ share: 0.05, dollars: 0.75 }, cost))).toEqual([true, false]);
    expect([4.75, 5].map((cost) => holds({ share: 0.525, dollars: 0.01 }, cost))).toEqual([true, false]);
  });

  it('is absent where there is no other', () => {
    expect(verdicts({ price: { max: 1000, belowFloor: 0.05 } }, offer(), around())).toEqual([
      'price.belowFloor absent: absent: no other listing of its name is known',
    ]);
  });
});

describe('rules on what is around a listing', () => {
  it('can only refuse: with them nothing is wanted that is not wanted without them', () => {
    let wanted = 0;
    fc.assert(
      fc.property(strategyDocuments, entries, surroundings, (document, entry, where) => {
        const { maxOfMedian: _, belowFloor: __, ...price } = document.price;
        const source = { text: '', hash: '' };
        const listing = offer(entry);
        if (!compileStrategy(document, source).matches(listing, where)) return;
        wanted += 1;
        expect(compileStrategy({ ...document, price }, source).matches(listing, where)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(wanted).toBeGreaterThan(50);
  });

  it('are reported as they decide, whatever is around', () => {
    fc.assert(
      fc.property(strategyDocuments, entries, surroundings, (document, entry, where) => {
        const strategy = compileStrategy(document, { text: '', hash: '' });
        const outermost = strategy.explain(offer(entry), where).filter(({ depth }) => depth === 0);
        expect(outermost.every(({ verdict }) => verdict === 'true')).toBe(strategy.matches(offer(entry), where));
      }),
      { numRuns: 500 },
    );
  });

  it('say what they look at, so that only who uses them pays for them', () => {
    expect(strategyOf({}).looksAround).toBeUndefined();
    expect(strategyOf({ when: { any: [{ not: { reference: { minSamples: 1 } } }] } }).looksAround).toBe('record');
    expect(strategyOf({ price: { max: 1, maxOfMedian: 1 } }).looksAround).toBe('record');
    expect(strategyOf({ when: { reference: { minSamples: 1 } }, price: { max: 1, belowFloor: 0.1 } }).looksAround).toBe('floor');
  });

  it('are no price by themselves: what nobody has bounded by the listing itself is refused', () => {
    for (const price of [{ maxOfMedian: 0.7 }, { belowFloor: 0.1 }]) {
      const parsed = parseStrategy({ name: 'tried', price }, { text: '', hash: '' });
      expect(parsed.ok).toBe(false);
    }
    expect(strategyOf({ price: { maxOfSteam: 0.7, maxOfMedian: 0.7 } }).matches(offer(), nothingAround)).toBe(false);
  });

  it('are doubted by `check` where they are legal and hardly meant', () => {
    const said = (price: Record<string, unknown>, name: string): readonly string[] => {
      const parsed = parseStrategy({ name: 'tried', when: { name }, price }, { text: '', hash: '' });
      return [...parsed.warnings, ...(parsed.ok ? [] : parsed.faults)].map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      );
    };
    expect(said({ max: 10, maxOfMedian: 1.5 }, 'AK-47 | Redline (Field-Tested)')).toEqual([
      'price.maxOfMedian: is 1.5: it allows more than the recorded price on Steam',
    ]);
    expect(said({ max: 10, maxOfMedian: 0.7 }, '★ Karambit | Doppler (Factory New)')).toEqual([
      'price.maxOfMedian: never holds for "★ Karambit | Doppler (Factory New)": the steamPrice of a Doppler blends all phases',
    ]);
    expect(said({ max: 10, belowFloor: 5 }, 'AK-47 | Redline (Field-Tested)')).toEqual([
      'price.belowFloor: must be a share above 0 and below 1, such as 0.05 for 5 %, or a block with share, dollars or both; found the number 5',
    ]);
  });
});
