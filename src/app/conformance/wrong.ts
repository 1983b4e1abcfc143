/** As much of a JSON Schema as the rules of requests use. */
interface Wire {
  readonly properties?: Readonly<Record<string, Wire>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Wire;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A right request with one thing wrong in it. */
export interface Wrong {
  /** Without the places in lists: `items.market`. */
  readonly field: string;
  /** Which kind of rule is broken. */
  readonly keyword: 'required' | 'extra' | 'enum' | 'pattern' | 'length' | 'integer' | 'minimum' | 'items';
  /** The rule, in words. */
  readonly words: string;
  /** The whole value, with the wrong part in its place. */
  readonly value: unknown;
}

type Replace = (part: unknown) => unknown;
type Fields = Readonly<Record<string, unknown>>;

/** Every way in which one rule of the schema is broken, and nothing else. `right` is a value that keeps all. */
export function wrongOnes(schema: unknown, right: unknown): readonly Wrong[] {
  return below(schema as Wire, right, '', (part) => part);
}

function below(schema: Wire, right: unknown, field: string, replace: Replace): readonly Wrong[] {
  if (schema.properties) return inObject(schema, (right ?? {}) as Fields, field, replace);
  if (schema.items) return inList(schema, (right ?? []) as readonly unknown[], field, replace);
  const wrong = (keyword: Wrong['keyword'], words: string, part: unknown): Wrong => ({
    field,
    keyword,
    words,
    value: replace(part),
  });
  return [...words(schema, wrong), ...numbers(schema, wrong)];
}

function inObject(schema: Wire, right: Fields, field: string, replace: Replace): readonly Wrong[] {
  const found: Wrong[] = [];
  for (const name of schema.required ?? []) {
    const { [name]: _, ...rest } = right;
    found.push({ field: joined(field, name), keyword: 'required', words: `${name} is required`, value: replace(rest) });
  }
  if (schema.additionalProperties === false) {
    const value = replace({ ...right, notInTheDocument: 1 });
    found.push({ field, keyword: 'extra', words: 'no extra properties', value });
  }
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    found.push(...below(part, right[name], joined(field, name), (value) => replace({ ...right, [name]: value })));
  return found;
}

function inList(schema: Wire, right: readonly unknown[], field: string, replace: Replace): readonly Wrong[] {
  const { minItems, maxItems, items = {} } = schema;
  const words = `${minItems ?? 0} to ${maxItems ?? 'any number of'} elements`;
  const of = (length: number): Wrong => {
    const value = replace(Array.from({ length }, () => right[0]));
    return { field, keyword: 'items', words: `${words}, not ${length}`, value };
  };
  return [
    ...(minItems === undefined ? [] : [of(minItems - 1)]),
    ...(maxItems === undefined ? [] : [of(maxItems + 1)]),
    ...below(items, right[0], field, (part) => replace([part, ...right.slice(1)])),
  ];
}

type Make = (keyword: Wrong['keyword'], words: string, part: unknown) => Wrong;

function words({ type, enum: choices, const: only, pattern, minLength, maxLength }: Wire, wrong: Make): readonly Wrong[] {
  const found: Wrong[] = [];
  const allowed = choices ?? (only === undefined ? undefined : [only]);
  if (allowed) found.push(wrong('enum', `one of ${allowed.join(', ')}`, type === 'string' ? 'no-such-word' : 99));
  if (pattern !== undefined) found.push(wrong('pattern', 'the right form', 'not of this form!'));
  if (maxLength !== undefined) found.push(wrong('length', `at most ${maxLength} characters`, 'x'.repeat(maxLength + 1)));
  if (minLength !== undefined && minLength === maxLength)
    found.push(wrong('length', `exactly ${minLength} characters`, 'x'.repeat(minLength - 1)));
  return found;
}

function numbers({ type, minimum, exclusiveMinimum }: Wire, wrong: Make): readonly Wrong[] {
  const found: Wrong[] = [];
  // Every whole number has that as its bound.
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER)
    found.push(wrong('minimum', `at least ${minimum}`, type === 'integer' ? minimum - 1 : minimum - 0.5));
  if (exclusiveMinimum !== undefined) found.push(wrong('minimum', `above ${exclusiveMinimum}`, exclusiveMinimum));
  if (type === 'integer') found.push(wrong('integer', 'a whole number', 1.5));
  return found;
}

function joined(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
