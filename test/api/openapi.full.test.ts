import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/api/openapi.ts';

/** Compiling what its makers publish takes seconds, so that one is made for all. */
const validators: { one?: Validator } = {};
const validator = (): Validator => (validators.one ??= new Validator());

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 by the schema that its makers publish', { timeout: 900_000 }, async () => {
    const { valid, errors } = await validator().validate(structuredClone(openApi()));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator().version).toBe('3.1');
  });

  it(
    'would be found faulty without a title, or with a place for parameters that there is not',
    { timeout: 900_000 },
    async () => {
      const text = JSON.stringify(openApi());
      for (const wrong of [
        text.replace('"title":"Marketplace', '"name":"Marketplace'),
        text.replace('"in":"query"', '"in":"nowhere"'),
      ]) {
        expect(wrong).not.toBe(text);
        const { valid } = await validator().validate(JSON.parse(wrong) as Record<string, unknown>);
        expect(valid).toBe(false);
      }
    },
  );

  it('is the file that is published, with references that lead somewhere', () => {
    const text = readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApi())));
    const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, target]) => target);
    expect(new Set(references)).toEqual(new Set(['#/components/schemas/Failure']));
  });
});
