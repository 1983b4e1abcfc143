import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, compileGlobs } from '../../src/domain/glob.ts';
import { foldCase } from '../../src/domain/text.ts';

const matches = (pattern: string, text: string): boolean => compileGlob(pattern)(foldCase(text));

/** The textbook definition, exponential and plainly right. */
function naive(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const rest = pattern.slice(1);
  if (pattern[0] === '*') return naive(rest, text) || (text !== '' && naive(pattern, text.slice(1)));
  return text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && naive(rest, text.slice(1));
}

/**
 * A hundred times what a busy machine needs for a million characters, and a hundredth of what it takes where anything is tried twice: this
 * tells a kind of work from another, not a fast run from a slow one. CPU time, so that a busy machine does not count.
 */
const LIMIT_MS = 4_000;

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('a glob', () => {
  it('takes in the whole name and not a part of it [configuration-8]', () => {
    expect(matches('AK-47 | Redline', 'AK-47 | Redline (Field-Tested)')).toBe(false);
    expect(matches('Redline*', 'AK-47 | Redline (Field-Tested)')).toBe(false);
    expect(matches('AK-47 | Redline*', 'AK-47 | Redline (Field-Tested)')).toBe(true);
    expect(matches('*Redline*', 'StatTrak™ AK-47 | Redline (Well-Worn)')).toBe(true);
  });

  it('compares without case and in NFC [N28]', () => {
    expect(matches('ak-47 | REDLINE*', 'AK-47 | Redline (Field-Tested)')).toBe(true);
    expect(matches('* | J\u00f6rmungandr*', 'Desert Eagle | Jo\u0308rmungandr (Minimal Wear)')).toBe(true);
    expect(matches('M4A4 | 龍王*', 'M4A4 | 龍王 (Dragon King) (Field-Tested)')).toBe(true);
  });

  it('knows no other sign than * and ?', () => {
    expect(matches('M4A4 | [a-z]*', 'M4A4 | Howl')).toBe(false);
    expect(matches('a.c', 'abc')).toBe(false);
    expect(matches('a\\*', 'a\\b')).toBe(true);
    expect(matches('(a|b)', 'a')).toBe(false);
  });

  it('lets ? stand for exactly one character', () => {
    expect(matches('MP?', 'MP7')).toBe(true);
    expect(matches('MP?', 'MP')).toBe(false);
    expect(matches('MP?', 'MP55')).toBe(false);
    expect(matches('*??', 'a')).toBe(false);
    expect(matches('*M4??S*', 'StatTrak™ M4A1S')).toBe(true);
    expect(matches('*🔥?🔥b*', 'a 🔥a🔥b c')).toBe(true);
  });

  it('does not let two pieces share a character', () => {
    expect(matches('ab*ba', 'aba')).toBe(false);
    expect(matches('*ab*bc*', 'abc')).toBe(false);
    expect(matches('*ab*bc*', 'abbc')).toBe(true);
  });

  it('agrees with the textbook definition', () => {
    const letters = fc.constantFrom('a', 'b', '?', '*');
    const pattern = fc.array(letters, { maxLength: 9 }).map((list) => list.join(''));
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 12 }).map((list) => list.join(''));
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(compileGlob(p)(t)).toBe(naive(p, t));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with the textbook definition for pieces longer than a machine word', () => {
    const filler = fc.array(fc.constantFrom('a', '?'), { minLength: 30, maxLength: 70 }).map((list) => list.join(''));
    const text = fc
      .array(fc.constantFrom('a', 'a', 'a', 'a', 'a', 'a', 'a', 'b'), { maxLength: 150 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(filler, text, (piece, t) => {
        const expected = Array.from(t, (_, at) => t.slice(at, at + piece.length)).some((cut) => naive(piece, cut));
        expect(compileGlob(`*${piece}*`)(t)).toBe(expected);
      }),
    );
  });

  it('matches any text it was made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        fc.pre(!/[*?]/.test(text));
        expect(matches(text, text)).toBe(true);
        expect(matches('*', text)).toBe(true);
      }),
    );
  });

  it('is linear in the length of the name, however hostile [C20 S23]', () => {
    const long = 'a'.repeat(1_000_000);
    const patterns = [
      '*a*a*a*a*b',
      `*${'a'.repeat(100)}b*`,
      `*b${'a'.repeat(100)}*`,
      `*${'a?'.repeat(15)}b*`,
      `*${'?a'.repeat(14)}b*a`,
    ];
    for (const pattern of patterns) {
      const glob = compileGlob(pattern);
      expect({ pattern, linear: cpuMs(() => expect(glob(long)).toBe(false)) < LIMIT_MS }).toEqual({ pattern, linear: true });
    }
  });

  it('takes several patterns as alternatives', () => {
    const glob = compileGlobs(['AK-47 |*', 'M4A4 |*']);
    expect(glob('m4a4 | howl')).toBe(true);
    expect(glob('awp | asiimov')).toBe(false);
  });
});
