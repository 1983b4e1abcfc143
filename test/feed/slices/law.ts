import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { SliceReader } from '../../../src/feed/slices/reader.ts';
import { TextMarket, USUAL_FORMS, damaged, inPieces, series } from './hostile-answers.ts';

/** How often the law was tried, and on what. */
export interface Tried {
  answers: number;
  /** Read by what was new. */
  cut: number;
  /** Left to JSON.parse, which read it. */
  whole: number;
  /** What JSON.parse cannot read either. */
  unreadable: number;
  entries: number;
  /** Entries that were the very same object as in the answer before. */
  again: number;
}

export function nothingTried(): Tried {
  return { answers: 0, cut: 0, whole: 0, unreadable: 0, entries: 0, again: 0 };
}

/**
 * For any series of answers, cut into any pieces, with any damage: what is read by what is new is what JSON.parse makes of the
 * whole, down to the order of names; what was handed on before stays as it was; and what the service writes as it should is never
 * left to JSON.parse.
 */
export function readsAsWhole(tried: Tried): fc.IProperty<[{ readonly first: number; readonly steps: readonly unknown[] }]> {
  return fc.property(series, ({ first, steps }) => {
    const market = new TextMarket(first);
    const reader = new SliceReader(() => undefined);
    const handedOn: { readonly value: unknown; readonly text: string }[] = [];
    let before: ReadonlySet<unknown> = new Set();
    for (const step of steps) {
      market.take(step);
      const body = damaged(market.body(), step.damage);
      const whole = readWhole(body);
      const sliced = reader.read(inPieces(body, step.pieces));
      tried.answers++;
      if (sliced === undefined) {
        tried[whole.ok ? 'whole' : 'unreadable']++;
        const usual = market.form < USUAL_FORMS && market.texts.every((text) => text.length < 60_000);
        if (usual && step.damage.kind === 'none') throw new Error('an ordinary answer was not cut');
        continue;
      }
      tried.cut++;
      if (!whole.ok) throw new Error('what JSON.parse cannot read was read');
      assertSame(sliced.value, whole.text);
      if ((sliced.value as { data: { listings: unknown } }).data.listings !== sliced.listings) throw new Error('another list');
      handedOn.push({ value: sliced.value, text: whole.text });
      tried.entries += sliced.listings.length;
      tried.again += sliced.listings.filter((one) => typeof one === 'object' && before.has(one)).length;
      before = new Set(sliced.listings);
    }
    for (const { value, text } of handedOn) assertSame(value, text);
  });
}

function assertSame(value: unknown, text: string): void {
  const expected: unknown = JSON.parse(text);
  if (!isDeepStrictEqual(value, expected)) throw new Error(`read as ${JSON.stringify(value)}`);
  if (JSON.stringify(value) !== JSON.stringify(expected)) throw new Error('names stand in another order');
}

/** As the plain path has it. */
function readWhole(body: Buffer): { ok: true; text: string } | { ok: false } {
  if (!isUtf8(body)) return { ok: false };
  const text = body.toString('utf8');
  try {
    JSON.parse(text);
    return { ok: true, text };
  } catch {
    return { ok: false };
  }
}
