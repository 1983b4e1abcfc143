import type { z } from 'zod';

/**
 * Query parameters as they stand in an address (text) in the types of an endpoint's schema: what should be a number and
 * reads as one becomes one. Everything else is left as it is, for the schema to judge.
 */
export function queryFromText(schema: z.ZodObject, texts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    const isNumber = innermost(schema.shape[name] as z.core.$ZodType | undefined) === 'number';
    query[name] = isNumber && typeof text === 'string' && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  }
  return query;
}

function innermost(schema: z.core.$ZodType | undefined): string | undefined {
  const def = schema?._zod.def as { readonly type: string; readonly innerType?: z.core.$ZodType } | undefined;
  return def?.innerType ? innermost(def.innerType) : def?.type;
}
