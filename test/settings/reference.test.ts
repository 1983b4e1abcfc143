import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/generate-reference.ts';
import { defaultsYaml } from '../../src/settings/defaults.ts';
import type { JsonSchema } from '../../src/settings/json-schema.ts';
import { configEditorSchema, configJsonSchema } from '../../src/settings/json-schema.ts';
import { configSchema } from '../../src/settings/schema.ts';
import { readYaml } from '../../src/settings/yaml-document.ts';
import { faultsOf, smallest } from './written.ts';

describe('the generated files', () => {
  it.each(Object.entries(generatedFiles()))(
    '%s says what the definitions say (npx tsx scripts/generate-reference.ts)',
    (path, text) => {
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});

describe('the definition of a configuration', () => {
  it('explains every key', () => {
    const unexplained = (schema: JsonSchema, path: string): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
        ...(value.description === undefined ? [`${path}${key}`] : []),
        ...unexplained(value, `${path}${key}.`),
      ]);
    expect(unexplained(configJsonSchema(), '')).toEqual([]);
  });

  it('has the defaults that `check --defaults` prints', () => {
    const { document, faults } = readYaml(defaultsYaml(), 'defaults', { references: false });
    expect(faults).toEqual([]);
    expect(configSchema.parse(document?.value)).toEqual(configSchema.parse({}));
    expect(defaultsYaml()).toMatch(/^mode: dry-run$/m);
    expect(defaultsYaml()).toMatch(/^ {2}# maxPrice: … \(amount\)$/m);
    expect(defaultsYaml()).toMatch(/^# {3}token: … \(key\)$/m);
  });

  it('prints defaults that are a configuration as soon as the service is named', () => {
    expect(faultsOf(`${smallest}${defaultsYaml()}`)).toBe('');
  });
});

describe('the JSON Schema for editors', () => {
  const accepts = new Ajv({ strict: false }).compile(configEditorSchema());
  const valueOf = (text: string): unknown =>
    JSON.parse(JSON.stringify(readYaml(text, 'f', { references: true }).document?.value));

  it('takes what Magpie takes, references to the environment included', () => {
    const shipped = readdirSync('config').filter((name) => name.endsWith('.yaml'));
    expect(shipped.filter((name) => accepts(valueOf(readFileSync(join('config', name), 'utf8'))))).toEqual(shipped);
    expect(
      accepts(valueOf(`${smallest}limits: { maxPrice: \${MAX}, perItem: { day: \${N:-2} } }\nfeed: { interval: \${I} }\n`)),
    ).toBe(true);
  });

  it('refuses unknown keys and wrong types', () => {
    expect(accepts(valueOf(`${smallest}limts: {}\n`))).toBe(false);
    expect(accepts(valueOf(`${smallest}limits: { maxPrice: "5" }\n`))).toBe(false);
    expect(accepts(valueOf(`${smallest}feed: { interval: 10 }\n`))).toBe(false);
  });
});
