/** A JSON object, or undefined for anything else: null, lists, text and numbers have no fields. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

/** The value at a path of own fields, so that no name reaches a prototype; undefined where the path ends early. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    const object = asObject(at);
    if (!object || !Object.hasOwn(object, name)) return undefined;
    at = object[name];
  }
  return at;
}
