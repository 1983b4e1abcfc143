/** What was read from a file of somebody else's. Each reader throws a TypeError that says what is wrong. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function numberOf(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`${name} is no number`);
}

export function optionalNumber(fields: Fields, name: string): number | undefined {
  return isAbsent(fields[name]) ? undefined : numberOf(fields, name);
}

export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} is no text`);
}

export function optionalText(fields: Fields, name: string): string | undefined {
  return isAbsent(fields[name]) ? undefined : textOf(fields, name);
}

export function wordOf<const W extends string>(fields: Fields, name: string, words: readonly W[]): W {
  const found = words.find((word) => word === fields[name]);
  if (found !== undefined) return found;
  throw new TypeError(`${name} is none of ${words.join(', ')}`);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
