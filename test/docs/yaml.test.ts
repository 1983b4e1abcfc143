import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { configEditorSchema } from '../../src/settings/json-schema.ts';
import { readYaml } from '../../src/settings/yaml-document.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { readPage } from './page.ts';
import { readPages } from './pages.ts';

const schema = configEditorSchema();
const isConfiguration = new Ajv({ strict: false, allErrors: true }).compile(schema);
const blocks = readPages().flatMap((page) =>
  page.blocks.filter(({ language }) => language === 'yaml').map(({ text, line }) => ({ place: `${page.path}:${line}`, text })),
);

/** What is wrong with an example that a reader would copy: a whole strategy, or blocks of a configuration. Those of other programs pass. */
function wrongWith(text: string): string[] {
  const { document, faults } = readYaml(`${text}\n`, 'example.yaml', { references: true });
  if (document === undefined) return faults.map(({ message }) => message);
  const value = JSON.parse(JSON.stringify(document.value)) as Record<string, unknown>;
  if ('when' in value || 'price' in value) {
    const parsed = parseStrategy(value, { text, hash: 'of-an-example' });
    return (parsed.ok ? parsed.warnings : parsed.faults).map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
  const known = Object.keys(schema.properties ?? {});
  if (!Object.keys(value).some((key) => known.includes(key)) || isConfiguration(value)) return [];
  return (isConfiguration.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message ?? ''}`);
}

describe('the examples in YAML', () => {
  it('are taken by Magpie as they stand', () => {
    expect(blocks.length).toBeGreaterThan(2);
    expect(blocks.flatMap(({ place, text }) => wrongWith(text).map((wrong) => `${place} ${wrong}`))).toEqual([]);
  });

  it('are found where they are not, be it a strategy or a configuration', () => {
    const { blocks: planted } = readPage(
      'README.md',
      ['```yaml', 'name: a', 'when: { nmae: x }', 'price: { max: 1 }', '```', '```yaml', 'limits: { maxPrise: 1 }', '```'].join(
        '\n',
      ),
    );
    expect(planted.map(({ text }) => wrongWith(text).length > 0)).toEqual([true, true]);
    expect(wrongWith('scrape_configs: []')).toEqual([]);
    expect(wrongWith('a: [')).not.toEqual([]);
  });
});
