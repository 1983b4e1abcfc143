import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { strategyJsonSchema } from '../../src/strategy/schema.ts';

const validate = new Ajv({ strict: false }).compile(strategyJsonSchema());
const price = { max: 1 };

describe('the JSON Schema of strategies', () => {
  it('is draft 7, for editors', () => {
    expect(strategyJsonSchema()['$schema']).toBe('http://json-schema.org/draft-07/schema#');
  });

  it.each([
    { name: 'a', price },
    { name: 'a', price: { maxOfSteam: 0.7 }, when: { any: [{ charm: true }, { not: { charm: ['*a'] } }] } },
    {
      name: 'a',
      price,
      when: { paintSeed: [0, 1000], wear: { min: 0 }, stickers: { name: 'x' } },
      limits: { count: { day: 1 } },
    },
    { name: 'a' },
    { name: 'a', price: {} },
    { name: 'a', price: { steamFee: 0.1 } },
    { name: 'A b', price },
    { name: 'a', price, when: {} },
    { name: 'a', price, when: { wear: {} } },
    { name: 'a', price, when: { not: {} } },
    { name: 'a', price, when: { any: [] } },
    { name: 'a', price, when: { paintSeed: 5 } },
    { name: 'a', price, when: { wear: { max: 2 } } },
    { name: 'a', price, limits: { count: { day: 0 } } },
    { name: 'a', price, unknown: 1 },
  ])('accepts and refuses the same as the check: %j', (document) => {
    expect(validate(document)).toBe(parseStrategy(document, { text: '', hash: '' }).ok);
  });

  it('describes every key', () => {
    const bare: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const {
        properties = {},
        description,
        allOf,
        $ref,
      } = node as {
        properties?: Record<string, unknown>;
        description?: string;
        allOf?: unknown;
        $ref?: unknown;
      };
      if (description === undefined && allOf === undefined && $ref === undefined) bare.push(path);
      for (const [key, child] of Object.entries(properties)) visit(child, `${path}.${key}`);
    };
    const schema = strategyJsonSchema();
    visit(schema, '');
    visit((schema['definitions'] as Record<string, unknown>)['conditions'], 'conditions');
    expect(bare).toEqual([]);
  });
});
