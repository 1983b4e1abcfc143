import { z } from 'zod';
import { isLoopback } from './loopback.ts';
import type { Duration } from './units.ts';
import { DURATION_PATTERN, SIZE_PATTERN, durationMs, sizeBytes } from './units.ts';

/*
 * The kinds of values a configuration is made of. What each kind wants is said once, in words, and is the message of every
 * check on it; the `title` names the kind in editors and on the reference page. Nothing here transforms, since the JSON Schema
 * is derived from it.
 */

/** No account of this kind of trade spends more; a larger amount is a slip, and stays far inside what exact money can hold. */
const DOLLARS_MAX = 10_000_000;
const COUNT_MAX = 1_000_000;

/** US dollars, 0 or more. */
export function dollars() {
  const wants = { error: `an amount in US dollars, from 0 to ${DOLLARS_MAX}` };
  return z.number(wants).min(0, wants).max(DOLLARS_MAX, wants).meta({ title: 'amount' });
}

export function number(bounds: { min?: number; above?: number; max: number }) {
  const least = bounds.above === undefined ? `from ${bounds.min ?? 0}` : `above ${bounds.above}`;
  const wants = { error: `a number ${least}${bounds.above === undefined ? ' to' : ', at most'} ${bounds.max}` };
  const bounded = z.number(wants).max(bounds.max, wants).meta({ title: 'number' });
  return bounds.above === undefined ? bounded.min(bounds.min ?? 0, wants) : bounded.gt(bounds.above, wants);
}

export function whole(min: number, max: number = COUNT_MAX) {
  const wants = { error: `a whole number from ${min} to ${max}` };
  return z.number(wants).int(wants).min(min, wants).max(max, wants).meta({ title: 'whole number' });
}

export function yesOrNo() {
  return z.boolean({ error: 'true or false' }).meta({ title: 'true or false' });
}

export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `one of ${words.join(', ')}` }).meta({ title: 'word' });
}

export function duration(min: Duration, max: Duration) {
  const wants = { error: `a duration from ${min} to ${max}, such as 500ms, 10s, 5m, 24h or 7d` };
  const inRange = (text: string): boolean => {
    const ms = durationMs(text) ?? Number.NaN;
    return ms >= (durationMs(min) ?? 0) && ms <= (durationMs(max) ?? 0);
  };
  return z
    .string(wants)
    .regex(DURATION_PATTERN, { ...wants, abort: true })
    .refine(inRange, wants)
    .meta({ title: `duration from ${min} to ${max}` });
}

/** A duration, or `auto` where it is to be found out. */
export function durationOrAuto(min: Duration, max: Duration) {
  const wants = { error: `auto, or a duration from ${min} to ${max}, such as 300ms or 2s` };
  return z
    .string(wants)
    .regex(/^(?:auto|\d{1,9}(?:ms|s|m|h|d))$/, { ...wants, abort: true })
    .refine((text) => text === 'auto' || duration(min, max).safeParse(text).success, wants)
    .meta({ title: `auto, or a duration from ${min} to ${max}` });
}

export function size(min: string, max: string) {
  const wants = { error: `a size from ${min} to ${max}, such as 500MB or 2GB` };
  const inRange = (text: string): boolean => {
    const bytes = sizeBytes(text) ?? Number.NaN;
    return bytes >= (sizeBytes(min) ?? 0) && bytes <= (sizeBytes(max) ?? 0);
  };
  return z
    .string(wants)
    .regex(SIZE_PATTERN, { ...wants, abort: true })
    .refine(inRange, wants)
    .meta({ title: `size from ${min} to ${max}` });
}

/** Any text that fits on a line; `what` says what it should be. */
export function text(what: string, pattern: RegExp = /^[^\r\n]{1,4096}$/) {
  const wants = { error: what };
  return z
    .string(wants)
    .regex(pattern, { ...wants, abort: true })
    .meta({ title: 'text' });
}

/** A shell turns ~ into the home folder; nobody does here, and a folder named ~ is not what was meant. */
export function path() {
  return text('a path, in which ~ has no meaning (write ${HOME})', /^(?!~)[^\r\n]{1,4096}$/).meta({ title: 'path' });
}

/** What may stand in a header: visible ASCII, no blanks. A line break caught from a file that held the key is not. */
export function key() {
  return text('a key: letters, digits and signs without blanks or line breaks', /^[\x21-\x7e]{1,1024}$/).meta({ title: 'key' });
}

/** http or https, without user, query and fragment. */
export function address() {
  const what = 'an address such as https://host or http://127.0.0.1:4010, without user, query and fragment';
  return text(what, /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#@]*)?$/i)
    .refine((value) => URL.canParse(value), { error: what })
    .meta({ title: 'address' });
}

const TRADE_URL_PATTERN = /^https:\/\/[^\s/?#@]+\/tradeoffer\/new\/\?partner=\d{1,20}&token=[^\s&#]{1,256}$/;

export function tradeUrl() {
  const what = 'a trade URL: https://HOST/tradeoffer/new/?partner=DIGITS&token=TEXT';
  return text(what, TRADE_URL_PATTERN)
    .refine((value) => URL.canParse(value), { error: what })
    .meta({ title: 'trade URL' });
}

/** https, or http to this machine alone; path and query may hold what makes it secret. */
export function secretAddress() {
  const what = 'an https address (http only to this machine, such as http://127.0.0.1:8080/told), without user and fragment';
  const isSafe = (value: string): boolean => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  };
  return text(what, /^https?:\/\/[^\s/?#@]+(?:[/?][\x21\x22\x24-\x7e]*)?$/i)
    .refine(isSafe, { error: what })
    .meta({ title: 'address' });
}

/** An hour and a minute of the day. */
export function timeOfDay() {
  return text('a time of day such as "08:00" or "21:30"', /^(?:[01]\d|2[0-3]):[0-5]\d$/).meta({ title: 'time of day' });
}

/** A map of exactly these keys. */
export function block<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape, { error: `a block of the keys ${Object.keys(shape).join(', ')}` });
}

/** A bound for each window; what is left out is not bounded, so a block without any would be "no limit" in disguise. */
export function perWindow<T extends z.ZodType>(bound: () => T, what: string) {
  return block({
    hour: bound().optional().describe(`${what} in any 60 minutes.`),
    day: bound().optional().describe(`${what} in any 24 hours.`),
    total: bound().optional().describe(`${what} for as long as the data folder exists.`),
  })
    .refine((bounds) => Object.keys(bounds).length > 0, { error: 'a block with at least one of hour, day, total' })
    .meta({ minProperties: 1 });
}

export function textList(what: string) {
  const wants = { error: `a list of ${what}, such as ["Souvenir *"]` };
  return z
    .array(text(`a text: ${what}`), wants)
    .max(10_000, wants)
    .meta({ title: 'list' });
}
