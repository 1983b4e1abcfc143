import { z } from 'zod';
import { DOLLARS_MAX } from '../domain/money.ts';

/*
 * The kinds of values a strategy is made of. What each kind must be is said once, in words, and is the message of every check
 * on it.
 */

const TEXT_LENGTH_MAX = 200;
const LIST_LENGTH_MAX = 1000;

export function number(low: number, high: number) {
  const wants = { error: `a number from ${low} to ${high}` };
  return z.number(wants).min(low, wants).max(high, wants);
}

export function whole(low: number, high: number) {
  const wants = { error: `a whole number from ${low} to ${high}` };
  return z.int(wants).min(low, wants).max(high, wants);
}

/** An amount that is spent: more than nothing. */
export function dollars() {
  const wants = { error: 'an amount in dollars above 0, such as 12.50' };
  return z.number(wants).positive(wants).max(DOLLARS_MAX, wants);
}

function listOf<T extends z.ZodType>(element: T, words: string, most = LIST_LENGTH_MAX) {
  return z
    .array(element, { error: words })
    .min(1, { error: words })
    .max(most, { error: `${words}, at most ${most} of them` });
}

function text(words: string) {
  const wants = { error: words };
  return z
    .string(wants)
    .min(1, wants)
    .max(TEXT_LENGTH_MAX, { error: `${words}, at most ${TEXT_LENGTH_MAX} characters` });
}

/** A text or a list of texts. */
export function oneOrMore(what: 'glob' | 'word') {
  const words = what === 'glob' ? 'a text in which * and ? stand for anything' : 'a text';
  return z.union([text(words), listOf(text(words), `a list of texts`)], { error: `${words}, or a list of such texts` });
}

/** true, false, or a text or list of texts. */
export function yesNoOr(what: string) {
  const words = `true, false, or ${what}`;
  return z.union([z.boolean({ error: words }), text(what), listOf(text(what), 'a list of texts')], { error: words });
}

/** A list of seeds or a range of them. */
export function seeds() {
  const words = 'a list of paint seeds from 0 to 1000, such as [661, 670], or a range, such as { min: 1, max: 20 }';
  const seed = whole(0, 1000);
  return z.union([listOf(seed, words, 1001), range(seed)], { error: words });
}

const hourMs = 3_600_000;
const AGE = /^(\d{1,4})(h|d)$/;

/** Whole hours or days, as text. */
export function age() {
  const wants = { error: 'an age in hours or days, such as 36h or 3d' };
  return z.string(wants).regex(AGE, wants).meta({ title: 'age such as 36h or 3d' });
}

/** Milliseconds of such a text; undefined for any other. */
export function ageMs(text: string): number | undefined {
  const parts = AGE.exec(text);
  return parts ? Number(parts[1]) * hourMs * (parts[2] === 'd' ? 24 : 1) : undefined;
}

/** How much less something must cost: a share, or a share or an amount or both by name. */
export function belowFloorOf() {
  const words = 'a share above 0 and below 1, such as 0.05 for 5 %, or a block with share, dollars or both';
  const share = z.number({ error: words }).gt(0, { error: words }).lt(1, { error: words });
  const named = atLeastOne({
    share: share.optional().describe('At least this share less: 0.05 is 5 %.'),
    dollars: dollars().optional().describe('At least so many dollars less.'),
  });
  return z.union([share, named], { error: words });
}

/** Groups of conditions side by side. */
export function groups<T extends z.ZodType>(group: T) {
  return listOf(group, 'a list of blocks of conditions, such as [{ market: ecosteam }, { delivery: auto }]', 100);
}

/** A block of these keys; nothing else may stand in it. */
export function block<S extends z.ZodRawShape>(shape: S, meaning?: string) {
  return z.strictObject(shape, { error: meaning ?? `a block with ${listed(Object.keys(shape))}` });
}

/** A block in which at least one of the keys must stand; the check and the JSON Schema both say so. */
export function atLeastOne<S extends z.ZodRawShape>(shape: S) {
  const words = `a block with at least one of ${listed(Object.keys(shape))}`;
  const holdsSomething = (value: object): boolean => Object.keys(value).length > 0;
  return block(shape, words).refine(holdsSomething, { error: words }).meta({ minProperties: 1 });
}

/** Bounds on a number, one at least. */
export function range(bound: z.ZodNumber) {
  return atLeastOne({
    min: bound.optional().describe('At least this.'),
    max: bound.optional().describe('At most this.'),
    above: bound.optional().describe('More than this.'),
    below: bound.optional().describe('Less than this.'),
  });
}

/** A bound for each window, one at least. */
export function perWindow(bound: z.ZodNumber, what: string) {
  return atLeastOne({
    hour: bound.optional().describe(`${what} in any 60 minutes.`),
    day: bound.optional().describe(`${what} in any 24 hours.`),
    total: bound.optional().describe(`${what} for as long as the data folder exists.`),
  });
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}
