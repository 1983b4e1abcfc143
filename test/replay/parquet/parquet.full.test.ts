import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entry } from '../../support/feed-entries.ts';
import { type MadeUp, digests, filesOf, imported, linesOf, lists, made, market } from './exported.ts';

/** Parts so small that a few polls make several. */
const SMALL = { events: 5, text: 3_000 };

const names = fc.oneof(
  fc.constantFrom('\u{feff}c5game', "'; DROP TABLE", '\u0000', '', 'ecosteam', '‮gnp.exe', '★ Karambit | Doppler', '../..'),
  fc.string({ unit: 'grapheme' }),
);
const listing = fc
  .tuple(names, fc.dictionary(fc.string(), fc.jsonValue()), fc.double({ min: 0.01, max: 1e6, noNaN: true }))
  .map(([name, unknown, price]) =>
    JSON.stringify({ ...entry({ marketHashName: name, price, priceWithFee: price * 1.05 }), ...unknown }),
  );
const event = fc.record({
  kind: fc.constantFrom('appeared', 'repriced', 'changed', 'bad'),
  market: names,
  id: names,
  text: fc.oneof(listing, fc.constantFrom('{}', 'null', '[1,"ü"]')),
  position: fc.option(fc.integer({ min: 0, max: 2 ** 31 }), { nil: undefined }),
  chunk: fc.option(fc.nat(), { nil: undefined }),
  reason: fc.option(names, { nil: undefined }),
});
const gone = fc.record({ kind: fc.constant('gone' as const), market: names, id: names, position: fc.constant(undefined) });
const poll: fc.Arbitrary<MadeUp> = fc.record({
  events: fc.array(fc.oneof(event, gone), { maxLength: 4 }) as fc.Arbitrary<MadeUp['events']>,
  inputs: fc.array(fc.record({ value: fc.jsonValue() }), { maxLength: 2 }),
  // An empty one is recorded as none.
  message: fc.option(fc.string({ unit: 'grapheme', minLength: 1 }), { nil: undefined }),
  gap: fc.option(names, { nil: undefined }),
  ok: fc.boolean(),
});
const sessions = fc.array(fc.array(poll, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 });

describe('an export in Parquet', () => {
  it('gives any recording back, whatever its names and listings are: its lines of JSON are the same to the byte, and so are its own files', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (all) => {
        const path = made(all);
        const files = await filesOf(path, SMALL);
        const back = await imported(files);
        expect(back.result.broken).toBeUndefined();
        expect(linesOf(back.path)).toBe(linesOf(path));
        expect(digests(await filesOf(back.path, SMALL))).toEqual(digests(files));
      }),
      { numRuns: 30 },
    );
  });

  it('that is damaged never costs more than its part, whatever byte is wrong, and whether the list of its files tells it or not', async () => {
    const path = market();
    const files = await filesOf(path, { events: 60, text: 1e9 });
    const whole = linesOf(path);
    const unlisted = new Map(files);
    unlisted.delete('recording.json');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...unlisted.keys()),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (name, at, mask) => {
          const bytes = Uint8Array.from(files.get(name)!);
          bytes[at % bytes.length]! ^= mask;
          const { result } = await imported(new Map([...files, [name, bytes]]));
          expect(result.broken?.file).toBe(name);
          // Without the list a wrong byte may go unseen; that it may have is said all the same.
          const blind = await imported(new Map([...unlisted, [name, bytes]]));
          expect(blind.result.broken).toBeDefined();
          expect(lists(linesOf(blind.path), 'session').length).toBeLessThanOrEqual(lists(whole, 'session').length);
        },
      ),
      { numRuns: 30 },
    );
  });
});
