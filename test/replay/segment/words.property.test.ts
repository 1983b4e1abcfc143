import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Words } from '../../../src/replay/segment/build.ts';
import { WordReader } from '../../../src/replay/segment/words.ts';

const marks = ['"', '\\', '],["', ']],"deliveries":', '"items":[["', '],[', '★', '™', '\ud800', '龍', '\u0000', 'null', ' '];
const texts = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...marks, 'AK-47', 'x'), { maxLength: 5 }).map((parts) => parts.join('')) },
  fc.string({ unit: 'binary' }),
);
const items = fc.array(fc.tuple(texts, texts, fc.option(texts), fc.option(texts)), { maxLength: 6 });
const words = fc.record({
  ...{
    markets: fc.array(texts, { maxLength: 2 }),
    reasons: fc.array(texts, { maxLength: 2 }),
    listings: fc.array(texts, { maxLength: 2 }),
  },
  items,
});
const before = fc.tuple(words, fc.option(fc.array(texts, { maxLength: 2 }))).map(
  // Segments of before have no deliveries.
  ([each, deliveries]): Words => (deliveries === null ? each : { ...each, deliveries }),
);

function bytesOf(each: Words): Buffer {
  return Buffer.from(JSON.stringify(each));
}

describe('the words of segments', () => {
  it('are what was written, whatever was written and read before', () => {
    fc.assert(
      fc.property(fc.array(before, { minLength: 1, maxLength: 5 }), (segments) => {
        const reader = new WordReader();
        for (const each of [...segments, ...segments])
          expect(reader.read(bytesOf(each))).toEqual(JSON.parse(bytesOf(each).toString()));
      }),
      { numRuns: 400 },
    );
  });

  it('have the very same array for an item that stood in a segment before', () => {
    const reader = new WordReader();
    const wordsWith = (items: Words['items']): Words => ({
      ...{ markets: ['c5game'], reasons: [], listings: [], items, deliveries: ['auto'] },
    });
    const knife = ['1', '★ Karambit | "Doppler" \\ (Factory New)', null] as const;
    const first = reader.read(bytesOf(wordsWith([knife, ['2', 'P250 | Sand Dune']])));
    const next = reader.read(bytesOf(wordsWith([['3', 'M4A4 | Howl'], knife])));
    expect(next.items[1]).toEqual(knife);
    expect(next.items[1]).toBe(first.items[0]);
  });
});
