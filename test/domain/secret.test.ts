import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, Secret, scrubber, secretsOfTradeUrl } from '../../src/domain/secret.ts';
import { patternOf } from '../../src/domain/secret-forms.ts';
import { printable, serviceMessage } from '../../src/domain/text.ts';
import { formsOf } from '../security/support/planted-secrets.ts';

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

  it('is scrubbed from a cell of CSV, which doubles quotes', () => {
    const scrub = scrubber([new Secret('canary"key"1'), new Secret('other/key"')]);
    expect(scrub('a,"x canary""key""1",b')).toBe(`a,"x ${MASK}",b`);
    expect(scrub(JSON.stringify({ a: 'other/key"' }))).toBe(`{"a":"${MASK}"}`);
  });

  it('too short to be one is no reason to mask half of every line', () => {
    expect(scrubber([new Secret(''), new Secret('ab')])('abc')).toBe('abc');
  });
});

describe('the scrub', () => {
  const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => String.fromCharCode(0x21 + index));
  const aSecret = fc.string({ unit: fc.constantFrom(...visible), minLength: 8, maxLength: 40 });
  const aside = fc.string({ maxLength: 8 });

  it('finds whatever a configuration takes for a key, in whatever form and between whatever else [S1 S3]', () => {
    fc.assert(
      fc.property(aSecret, aside, aside, (secret, left, right) => {
        const scrub = scrubber([new Secret(secret)]);
        const twice = [encodeURIComponent(encodeURIComponent(secret)), JSON.stringify(JSON.stringify(secret)).slice(3, -3)];
        for (const form of [...formsOf(secret), ...twice, secret.toUpperCase(), secret.toLowerCase()]) {
          expect({ form, shown: scrub(`${left}${form}${right}`).toLowerCase().includes(form.toLowerCase()) }).toEqual({
            form,
            shown: false,
          });
        }
        const encoded = Buffer.from(`${left}${secret}${right}`).toString('base64');
        expect(scrub(encoded)).not.toBe(encoded);
      }),
    );
  });

  it('of thousands of secrets masks what a search for each of them would, and nothing else [S1]', () => {
    const alike = fc.integer({ min: 0, max: 9 }).map((at) => `sandbox-child-0123456789abcdef-${at}`);
    const secrets = fc.array(fc.oneof(aSecret, alike, fc.string({ minLength: 4, maxLength: 9 })), {
      minLength: 1,
      maxLength: 30,
    });
    const others = Array.from({ length: 20 }, (_, at) => `other-merchant-${at}-${(at * 7_919).toString(36)}-key`);
    fc.assert(
      fc.property(secrets, aside, aside, fc.nat(), (own, left, right, pick) => {
        const all = [...new Set([...own, ...others])].sort((a, b) => b.length - a.length);
        const scrub = scrubber(all.map((text) => new Secret(text)));
        const each = patternOf(all);
        const secret = own[pick % own.length] ?? '';
        const twice = [encodeURIComponent(encodeURIComponent(secret)), JSON.stringify(JSON.stringify(secret)).slice(3, -3)];
        const encoded = Buffer.from(`${left}${secret}${right}`).toString('base64');
        for (const form of [...formsOf(secret), ...twice, secret.toUpperCase(), secret.toLowerCase(), encoded, left]) {
          const text = `${left}${form}${right} ${form}`;
          expect(scrub(text)).toBe(text.replace(each, MASK));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('leaves every other text as it is', () => {
    const scrub = scrubber([new Secret('sk_live_9f8e7d6c5b4a3928'), new Secret('AbC+dEf/')]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        expect(scrub(text)).toBe(text);
      }),
    );
  });

  it('masks a trade URL, and its token alone, as it is written and as a form would read it [S1]', () => {
    const scrub = scrubber(secretsOfTradeUrl(new Secret('https://trade.example/tradeoffer/new/?partner=12345&token=aB+c%2Fd9')));
    const texts = [
      'see https://trade.example/tradeoffer/new/?partner=12345&token=aB+c%2Fd9',
      'token aB+c%2Fd9',
      'token "aB c/d9"',
      'partner 12345',
    ];
    expect(texts.map(scrub)).toEqual(['see ***', 'token ***', 'token "***"', 'partner 12345']);
    expect(secretsOfTradeUrl(new Secret('no trade URL')).map((secret) => secret.reveal())).toEqual(['no trade URL']);
    expect(secretsOfTradeUrl(new Secret('?token=%zz')).map((secret) => secret.reveal())).toEqual(['?token=%zz', '%zz']);
  });
});

describe('text from outside', () => {
  it('cannot move the cursor, colour, reorder or hide anything [N28 S18]', () => {
    expect(printable('\u001b[31mred\u0007 \u202etxt \ud800 a\nb')).toBe('\\u001b[31mred\\u0007 \\u202etxt \\ud800 a\\u000ab');
    expect(printable('a\u009bb\u061cc\u00add\u{e0041}')).toBe('a\\u009bb\\u061cc\\u00add\\udb40\\udc41');
    expect(printable('龍王 ★ StatTrak™')).toBe('龍王 ★ StatTrak™');
    expect(printable('x'.repeat(1_000_000))).toHaveLength(200);
  });

  it('loses its tags and its length when it is a message of the service [transport-5]', () => {
    expect(serviceMessage('<html><b>Bad</b>\n gateway</html>')).toBe('Bad gateway');
    expect(serviceMessage(`<${'a'.repeat(1_000_000)}`)).toHaveLength(200);
  });
});
