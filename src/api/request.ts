import type { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { brokenRule, ruleText } from './field-rules.ts';

/** What is wrong with a request, by the document's own rules. */
export interface RequestFault {
  readonly where: 'path' | 'query' | 'body';
  /** Dotted path of the field; empty where it is about the whole. */
  readonly field: string;
  /** The rule that is broken, in words. */
  readonly rule: string;
}

/** A part of a request as the schema takes it, or what is wrong with it. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: RequestFault };

export function checkedQuery(endpoint: Pick<Endpoint, 'query'>, query: unknown): Checked {
  return checked('query', endpoint.query, query);
}

/** A body for an endpoint that takes none is passed over, as services do. */
export function checkedBody(endpoint: Pick<Endpoint, 'body' | 'rules'>, body: unknown): Checked {
  if (!endpoint.body) return { ok: true, value: undefined };
  const outcome = checked('body', endpoint.body, body);
  const broken = outcome.ok ? brokenRule(endpoint.rules ?? [], body) : undefined;
  if (broken === undefined) return outcome;
  return { ok: false, fault: { where: 'body', field: broken.fields.join(', '), rule: `${ruleText(broken)} must be given` } };
}

/** Whether a call without a body may be meant. */
export function mayLackBody({ body }: Pick<Endpoint, 'body'>): boolean {
  return body === undefined || body.safeParse(undefined).success;
}

/** Every parameter of the path must be there, and be no way to another path. */
export function pathFault({ path }: Pick<Endpoint, 'path'>, given: Readonly<Record<string, string>>): RequestFault | undefined {
  for (const name of parametersOf(path)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || /^\.*$/.test(value)) return { where: 'path', field: name, rule: 'is required' };
  }
  return undefined;
}

/** The names in braces. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** `body.amount: Too small: expected number to be >=10` */
export function requestFaultText({ where, field, rule }: RequestFault): string {
  return `${where}${field === '' ? '' : `.${field}`}: ${rule}`;
}

function checked(where: RequestFault['where'], schema: z.ZodType, value: unknown): Checked {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [first] = parsed.error.issues;
  const field = first?.path.map(String).join('.') ?? '';
  return { ok: false, fault: { where, field, rule: first?.message ?? 'wrong shape' } };
}
