/** A rule on several fields of a body. As data, so that checks, documents and JSON Schema all come from it. */
export type FieldRule =
  | { readonly kind: 'exactly-one'; readonly fields: readonly string[] }
  | { readonly kind: 'at-least-one'; readonly fields: readonly string[] };

/** The rule in words, such as `exactly one of toEmail and toApiKeyId`. */
export function ruleText({ kind, fields }: FieldRule): string {
  return `${kind === 'exactly-one' ? 'exactly one' : 'at least one'} of ${fields.join(' and ')}`;
}

/** The first of the rules that a body breaks; undefined when it keeps all. A field that is undefined is not there. */
export function brokenRule(rules: readonly FieldRule[], body: unknown): FieldRule | undefined {
  return rules.find((rule) => !isKept(rule, body));
}

function isKept({ kind, fields }: FieldRule, body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const given = fields.filter((field) => Object.hasOwn(body, field) && (body as Record<string, unknown>)[field] !== undefined);
  return kind === 'exactly-one' ? given.length === 1 : given.length > 0;
}

/** The rule as JSON Schema, to stand beside the properties. */
export function ruleSchema({ kind, fields }: FieldRule): Readonly<Record<string, unknown>> {
  const each = fields.map((field) => ({ required: [field] }));
  return kind === 'exactly-one' ? { oneOf: each } : { anyOf: each };
}
