import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseOf, targetOf } from '../../src/gateway/target.ts';

const base = baseOf('https://api.example:8443/partner/');

describe('the base address', () => {
  it.each([
    '',
    'api.example',
    'ftp://api.example',
    'https://key@api.example',
    'https://api.example/?key=1',
    'https://api.example/#x',
  ])('is not %j', (url) => {
    expect(() => baseOf(url)).toThrow(TypeError);
  });

  it('does not repeat in its refusal what may be a secret', () => {
    expect(() => baseOf('https://user:hunter2@api.example')).toThrow(/^(?!.*hunter2)/);
  });
});

describe('the target of a request', () => {
  it('has every part encoded', () => {
    expect(targetOf(base, { path: '/v1/item/{id}/overview' }, { a: 'x&y=z', b: 2, c: undefined }, { id: '../a b?' })).toBe(
      '/partner/v1/item/..%2Fa%20b%3F/overview?a=x%26y%3Dz&b=2',
    );
  });

  it('needs its path parameters, and none that climbs', () => {
    for (const id of [undefined, '', '.', '..']) {
      expect(() => targetOf(base, { path: '/v1/item/{id}' }, {}, id === undefined ? {} : { id })).toThrow(TypeError);
    }
    expect(() => targetOf(base, { path: '/v1/{constructor}' })).toThrow(TypeError);
  });

  it('encodes half a surrogate pair too', () => {
    expect(targetOf(base, { path: '/{id}' }, { q: 'a\ud800' }, { id: '\udc00' })).toBe('/partner/%EF%BF%BD?q=a%EF%BF%BD');
  });

  it('stays on its origin and below its path, whatever the parts are [S21]', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' }), (id, q) => {
        fc.pre(!/^\.+$/.test(id));
        const url = new URL(targetOf(base, { path: '/v1/item/{id}' }, { q }, { id }), base.url);
        expect(url.origin).toBe('https://api.example:8443');
        expect(url.pathname.startsWith('/partner/v1/item/')).toBe(true);
        expect(url.hash).toBe('');
      }),
    );
  });
});
