import { type JsonSchema, mapped } from '../src/settings/json-schema.ts';

interface Row {
  readonly key: string;
  readonly takes: string;
  readonly fallback: string;
  readonly meaning: string;
}

/** The keys of a JSON Schema as a Markdown table, nested ones by their full path below `prefix`. */
export function referenceTable(schema: JsonSchema, root: JsonSchema, prefix = ''): string {
  const rows = rowsOf(schema, root, prefix);
  const withDefaults = rows.some((row) => row.fallback !== '');
  const head = withDefaults ? ['Key', 'Takes', 'Default', 'Meaning'] : ['Key', 'Takes', 'Meaning'];
  const cells = rows.map(({ key, takes, fallback, meaning }) => {
    const shown = [`\`${key}\``, takes, ...(withDefaults ? [fallback] : []), meaning];
    return shown.map((cell) => cell.replaceAll('|', '\\|'));
  });
  const line = (parts: readonly string[]): string => `| ${parts.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...cells.map(line)].join('\n');
}

function rowsOf(schema: JsonSchema, root: JsonSchema, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = `${prefix}${name}`;
    const about = value.description ?? definitionOf(value, root)?.description ?? '';
    const meaning = [schema.required?.includes(name) ? '**Required.**' : '', about].join(' ').trim();
    const row = { key, takes: takes(value, root), fallback: fallbackOf(value), meaning };
    if (value.items?.properties) return [row, ...rowsOf(value.items, root, `${key}[].`)];
    const each = mapped(value);
    if (each !== undefined) return [row, ...rowsOf(each, root, `${key}.NAME.`)];
    return value.properties && !isUniform(value) ? [row, ...rowsOf(value, root, `${key}.`)] : [row];
  });
}

function fallbackOf({ default: value, properties }: JsonSchema): string {
  if (value === undefined || properties) return '';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** What a key takes, in words. */
function takes(schema: JsonSchema, root: JsonSchema): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return `a block of ${nameOf(reference)}`;
  if (schema.enum) return schema.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (schema.anyOf && !schema.properties) return schema.anyOf.map((part) => takes(part, root)).join('; or ');
  if (schema.items) return `a list: ${takes(schema.items, root)}`;
  if (schema.properties) return blockWords(schema, root);
  if (mapped(schema)) return 'a block of names, each with a block';
  if (schema.type === 'number' || schema.type === 'integer') return numberWords(schema);
  if (schema.type === 'boolean') return '`true`, `false`';
  return schema.title ?? 'text';
}

function blockWords(schema: JsonSchema, root: JsonSchema): string {
  const [first] = Object.values(schema.properties ?? {});
  if (!first || !isUniform(schema)) return 'a block';
  const keys = Object.keys(schema.properties ?? {}).map((key) => `\`${key}\``);
  return `a block of ${keys.join(', ')}, each ${takes(first, root)}`;
}

/** A block whose keys all take the same, so that one row says it. */
function isUniform(schema: JsonSchema): boolean {
  const parts = Object.values(schema.properties ?? {}).map(({ description: _, ...rest }) => JSON.stringify(rest));
  return parts.length > 1 && new Set(parts).size === 1;
}

function numberWords({ type, title, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const kind = title ?? (type === 'integer' ? 'whole number' : 'number');
  const least = minimum === undefined ? (exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum},`) : `from ${minimum}`;
  const most = maximum === undefined ? (exclusiveMaximum === undefined ? '' : `below ${exclusiveMaximum}`) : `to ${maximum}`;
  return [kind, least, most].filter((part) => part !== '').join(' ');
}

function referenceOf(schema: JsonSchema): string | undefined {
  return schema.$ref ?? schema.allOf?.[0]?.$ref;
}

function definitionOf(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const reference = referenceOf(schema);
  return reference === undefined ? undefined : root.definitions?.[nameOf(reference)];
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? reference;
}
