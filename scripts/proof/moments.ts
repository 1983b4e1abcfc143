import { type Random, chance, pick } from '../../src/domain/random.ts';
import type { Fate, Passage, Passing } from './passage.ts';

/** When a process is killed, seen from what passes between it and the exchange. */
export const moments = [
  'at any moment',
  'as it decides',
  'before a buy arrives',
  'as a buy arrives',
  'while a buy is under way',
  'as the answer comes',
  'after the answer has come',
] as const;
export type Moment = (typeof moments)[number];

/** Most of them in the midst of a buy. */
const weighted: readonly Moment[] = [...moments, ...moments.slice(2), 'as it decides', 'while a buy is under way'];

interface Aim {
  readonly on: Passing;
  /** So many of them are let pass before. */
  readonly after: number;
  readonly fate: Fate;
  readonly afterMs: number;
}

/** Draws a moment, and how exactly it is aimed at. */
export function drawMoment(random: Random): { readonly moment: Moment; readonly aim: Aim } {
  const moment = pick(random, weighted);
  const within = (ms: number): number => ms * random.next() ** 2;
  return { moment, aim: { ...aimAt(moment, random, within), after: Math.floor(BUYS_BEFORE * random.next() ** 2) } };
}

/** A process buys up to so many times before it is killed. */
const BUYS_BEFORE = 8;

function aimAt(moment: Moment, random: Random, within: (ms: number) => number): Omit<Aim, 'after'> {
  switch (moment) {
    case 'at any moment':
      return { on: 'feed', fate: 'pass', afterMs: within(1_000) };
    case 'as it decides':
      return { on: 'feed', fate: 'pass', afterMs: within(30) };
    case 'before a buy arrives':
      return { on: 'buy', fate: 'lost', afterMs: 0 };
    case 'as a buy arrives':
      return { on: 'buy', fate: 'pass', afterMs: 0 };
    case 'while a buy is under way':
      return { on: 'buy', fate: 'pass', afterMs: within(100) };
    case 'as the answer comes':
      return { on: 'answer', fate: chance(random, 0.5) ? 'lost' : 'pass', afterMs: 0 };
    case 'after the answer has come':
      return { on: 'answer', fate: 'pass', afterMs: within(20) };
  }
}

/** Calls `strike` once, when what is aimed at passes. Resolves whether that was within the time given. */
export function struck(passage: Passage, aim: Aim, strike: () => void, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (inTime: boolean): void => {
      clearTimeout(timer);
      passage.onPassing = () => 'pass';
      resolve(inTime);
    };
    const timer = setTimeout(() => done(false), waitMs);
    let passed = 0;
    passage.onPassing = (what) => {
      if (what !== aim.on || passed++ < aim.after) return 'pass';
      passage.onPassing = () => 'pass';
      const now = (): void => {
        strike();
        done(true);
      };
      if (aim.afterMs < 1) now();
      else setTimeout(now, aim.afterMs);
      return aim.fate;
    };
  });
}
