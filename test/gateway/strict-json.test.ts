import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrictly } from '../../src/gateway/strict-json.ts';

describe('strict JSON', () => {
  it('reads what JSON.parse reads, when it is neither deep nor ambiguous', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value, undefined, 1);
        expect(parseStrictly(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('refuses whatever JSON.parse refuses, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const strict = parseStrictly(text);
        if (strict.ok) expect(JSON.parse(text)).toEqual(strict.value);
      }),
    );
  });

  it.each(['{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '[{"a":1 , "\\u0061" :2}]', '{"":1,"":1}', '{"__proto__":1,"__proto__":2}'])(
    'refuses a name that stands twice: %s [N22]',
    (text) => expect(parseStrictly(text)).toMatchObject({ ok: false }),
  );

  it.each(['{"a":"a","b":"a"}', '[{"a":1},{"a":1}]', '{"a":"\\"a\\":","b":["a","a"]}', '{"a":{"a":{"a":1}}}'])(
    'reads %s',
    (text) => {
      expect(parseStrictly(text)).toMatchObject({ ok: true });
    },
  );

  it('counts nesting, not brackets in text [N21]', () => {
    expect(parseStrictly(JSON.stringify('['.repeat(100)))).toMatchObject({ ok: true });
    expect(parseStrictly(`${'['.repeat(32)}${']'.repeat(32)}`)).toMatchObject({ ok: true });
    expect(parseStrictly(`${'['.repeat(33)}${']'.repeat(33)}`)).toMatchObject({ ok: false });
  });
});
