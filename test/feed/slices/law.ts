import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Arrival, SlicedAnswer } from '../../../src/feed/slices/arrival.ts';
import { SliceReader } from '../../../src/feed/slices/reader.ts';
import { type Step, TextMarket, USUAL_FORMS, damaged, inPieces, series } from './hostile-answers.ts';

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
  /** Times that an answer was looked at before its end, and the entries it had shown by then. */
  parts: number;
  early: number;
}

export function nothingTried(): Tried {
  return { answers: 0, cut: 0, whole: 0, unreadable: 0, entries: 0, again: 0, parts: 0, early: 0 };
}

/**
 * For any series of answers, cut into any pieces, with any damage: what is read by what is new is what JSON.parse makes of the
 * whole, down to the order of names; what it shows while it arrives is what JSON.parse makes of the bytes that have come by then; what
 * was handed on before stays as it was; and what the service writes as it should is never left to JSON.parse.
 */
export function readsAsWhole(tried: Tried): fc.IProperty<[{ readonly first: number; readonly steps: readonly Step[] }]> {
  return fc.property(series, ({ first, steps }) => {
    const market = new TextMarket(first);
    const reader = new SliceReader(() => undefined);
    const handedOn: { readonly value: unknown; readonly text: string }[] = [];
    let before: ReadonlySet<unknown> = new Set();
    for (const step of steps) {
      market.take(step);
      const body = damaged(market.body(), step.damage);
      const whole = readWhole(body);
      const usual = market.form < USUAL_FORMS && step.damage.kind === 'none';
      const sliced = read(reader, inPieces(body, step.pieces), { ...step, usual }, tried);
      tried.answers++;
      if (sliced === undefined) {
        tried[whole.ok ? 'whole' : 'unreadable']++;
        const short = market.texts.every((text) => text.length < 60_000);
        if (usual && short) throw new Error('an ordinary answer was not cut');
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

/** In one go, or piece by piece as it arrives; some answers that break off are given up instead of ended. */
function read(
  reader: SliceReader,
  pieces: readonly Buffer[],
  step: Step & { readonly usual: boolean },
  tried: Tried,
): SlicedAnswer | undefined {
  if (!step.arriving) return reader.read(pieces);
  const arrival = reader.arriving();
  for (const [index, piece] of pieces.entries()) {
    arrival.push(piece);
    assertPart(arrival, Buffer.concat(pieces.slice(0, index + 1)), step.usual, tried);
  }
  if (step.damage.kind !== 'cut off' || step.damage.byte % 2 === 0) return arrival.end();
  arrival.drop();
  return undefined;
}

const CLOSED = ']}}';
const ENDING = Buffer.from('}]"');

/** So few bytes that each place where they might be closed can be tried. */
const FEW = 2_000;

function assertPart(arrival: Arrival, received: Buffer, usual: boolean, tried: Tried): void {
  tried.parts++;
  const part = arrival.soFar();
  if (part === undefined) return;
  const { value, listings, end } = part;
  if (!isUtf8(received.subarray(0, end))) throw new Error('what is not UTF-8 was shown');
  assertSame(value, received.toString('utf8', 0, end) + CLOSED);
  if ((value as { data: { listings: unknown } }).data.listings !== listings) throw new Error('another list');
  tried.early += listings.length;
  if (!usual || received.length > FEW) return;
  for (let longer = received.length; longer > end; longer--) {
    // A bare word may go on with what comes next.
    if (!ENDING.includes(received[longer - 1] ?? 0)) continue;
    if (countIn(received.subarray(0, longer)) > listings.length) throw new Error('an entry that had come was not shown');
  }
}

/** How many entries JSON.parse finds in the bytes when they are closed there; 0 when it finds no such answer. */
function countIn(bytes: Buffer): number {
  try {
    if (!isUtf8(bytes)) return 0;
    const { data } = JSON.parse(bytes.toString('utf8') + CLOSED) as { data: { listings: unknown[] } };
    return data.listings.length;
  } catch {
    return 0;
  }
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
