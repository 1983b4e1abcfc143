/** As much of a JSON Schema as the table's shapes use. */
interface Wire {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Wire>>;
  readonly required?: readonly string[];
  readonly items?: Wire;
  readonly anyOf?: readonly Wire[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** One field of a request or an answer, for a reader. */
export interface Field {
  /** Those of listed objects by `list[].field`. */
  readonly name: string;
  /** What it takes, in words. */
  readonly takes: string;
  readonly isRequired: boolean;
}

/** The fields of a shape given as JSON Schema, in its order; none where it shows none. */
export function fieldsOf(schema: unknown): Field[] {
  return fieldsBelow(schema as Wire, '');
}

function fieldsBelow(schema: Wire, prefix: string): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    const shape = withFields(value);
    const isRequired = schema.required?.includes(key) === true;
    const words = alternatives(value).map((each) => takes(each));
    const field = { name, takes: words.join(', or '), isRequired };
    return shape === undefined ? [field] : [field, ...fieldsBelow(shape.schema, `${name}${shape.isList ? '[]' : ''}.`)];
  });
}

/** The object inside, directly or as the first kind of a list's elements. */
function withFields(schema: Wire): { readonly schema: Wire; readonly isList: boolean } | undefined {
  const own = alternatives(schema).find(({ properties }) => properties);
  if (own) return { schema: own, isList: false };
  const items = alternatives(schema).find((each) => each.items)?.items;
  const element = items && alternatives(items).find(({ properties }) => properties);
  return element && { schema: element, isList: true };
}

function alternatives(schema: Wire): readonly Wire[] {
  return schema.anyOf && !schema.properties ? schema.anyOf.flatMap(alternatives) : [schema];
}

function takes(schema: Wire): string {
  if (schema.title !== undefined) return schema.title;
  if (schema.enum) return schema.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (schema.items) return `list${between(schema.minItems, schema.maxItems, ' of ')}`;
  if (schema.properties) return 'object';
  if (schema.type === 'number' || schema.type === 'integer') return numberWords(schema);
  if (schema.type === undefined) return 'anything';
  return [schema.type]
    .flat()
    .map((type) => (type === 'string' ? 'text' : type))
    .join(' or ');
}

function between(least: number | undefined, most: number | undefined, word: string): string {
  if (least !== undefined && most !== undefined) return `${word}${least} to ${most}`;
  return least === undefined ? '' : `${word}at least ${least}`;
}

function numberWords({ type, minimum, maximum, exclusiveMinimum }: Wire): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  if (exclusiveMinimum !== undefined) return `${kind} above ${exclusiveMinimum}`;
  // Every whole number has these as its bounds.
  const bound = (value: number | undefined): number | undefined =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value;
  return `${kind}${between(bound(minimum), bound(maximum), ', ')}`;
}
