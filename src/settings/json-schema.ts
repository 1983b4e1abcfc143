import { z } from 'zod';
import type { Path } from './file-fault.ts';
import { REFERENCE_PATTERN } from './references.ts';
import { configSchema } from './schema.ts';

/** As much of JSON Schema (draft 7) as the definitions of this project come to. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  /** Of a map with names of its own: what stands behind each; false where there is none. */
  readonly additionalProperties?: JsonSchema | false;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** The configuration's definition as JSON Schema. A block that is there when nobody writes it has the default `{}`. */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' }) as JsonSchema;
}

/** What editors check configuration files with: every single value may also be a reference to the environment. */
export function configEditorSchema(): JsonSchema {
  return { ...orReference(withoutEmptyDefaults(configJsonSchema())), title: 'Magpie configuration' };
}

/** The keys that may stand in the block at a path; undefined where there is no block of fixed keys. */
export function keysAt(schema: JsonSchema, path: Path): readonly string[] | undefined {
  let at: JsonSchema | undefined = schema;
  for (const part of path) at = typeof part === 'number' ? at?.items : (at?.properties?.[part] ?? (at && mapped(at)));
  return at?.properties && Object.keys(at.properties);
}

/** What stands behind each name of a map with names of its own; undefined where there is no such map. */
export function mapped({ additionalProperties: each }: JsonSchema): JsonSchema | undefined {
  return typeof each === 'object' && Object.keys(each).length > 0 ? each : undefined;
}

/** A block that is filled by the defaults of its keys has none of its own to show in an editor. */
function withoutEmptyDefaults(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ default: value, ...rest }) => {
    const empty = rest.properties && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return empty || value === undefined ? rest : { ...rest, default: value };
  });
}

function orReference(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    const single = part.type === 'number' || part.type === 'integer' || part.type === 'boolean' || part.enum || part.pattern;
    if (!single) return part;
    const { title, description, default: value, ...check } = part;
    const kept = { title, description, default: value };
    return { ...kept, anyOf: [check, { type: 'string', pattern: REFERENCE_PATTERN }] };
  });
}

function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items } = schema;
  const each = mapped(schema);
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, mapSchema(value, change)])),
    }),
    ...(each && { additionalProperties: mapSchema(each, change) }),
    ...(items && { items: mapSchema(items, change) }),
  });
}
