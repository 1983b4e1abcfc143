import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MASK, Secret, scrubber } from '../../src/domain/secret.ts';
import { printable, serviceMessage } from '../../src/domain/text.ts';

describe('a secret', () => {
  const key = new Secret('canary/key+1');

  it('prints as a mask in every ordinary shape [S1]', () => {
    const shapes = [
      String(key),
      `${key}`,
      JSON.stringify({ headers: { key } }),
      inspect({ deep: { key } }, { depth: 9, showHidden: true }),
      // oxlint-disable-next-line typescript/no-misused-spread -- a spread is one of the ordinary ways to lose a secret
      JSON.stringify({ ...key }),
      Object.values(key).join(),
    ];
    expect(shapes.join()).not.toContain('canary');
    expect(key.reveal()).toBe('canary/key+1');
  });

  it('is scrubbed from text in its plain, URL and JSON forms', () => {
    const scrub = scrubber([key, new Secret('a"b\\c')]);
    expect(scrub('x canary/key+1 y canary%2Fkey%2B1 z a\\"b\\\\c')).toBe(`x ${MASK} y ${MASK} z ${MASK}`);
  });

  it('too short to be one is no reason to mask half of every line', () => {
    expect(scrubber([new Secret(''), new Secret('ab')])('abc')).toBe('abc');
  });
});

describe('text from outside', () => {
  it('cannot move the cursor, colour, reorder or hide anything [N28 S18]', () => {
    expect(printable('\u001b[31mred\u0007 \u202etxt \ud800 a\nb')).toBe('\\u001b[31mred\\u0007 \\u202etxt \\ud800 a\\u000ab');
    expect(printable('龍王 ★ StatTrak™')).toBe('龍王 ★ StatTrak™');
    expect(printable('x'.repeat(1_000_000))).toHaveLength(200);
  });

  it('loses its tags and its length when it is a message of the service [transport-5]', () => {
    expect(serviceMessage('<html><b>Bad</b>\n gateway</html>')).toBe('Bad gateway');
    expect(serviceMessage(`<${'a'.repeat(1_000_000)}`)).toHaveLength(200);
  });
});
