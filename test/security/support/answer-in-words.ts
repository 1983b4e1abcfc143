import { z } from 'zod';
import type { Endpoint } from '../../../src/api/endpoint.ts';

/** JSON Schema, as far as the shapes of the API use it. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Gives a text, for as many characters as may stand there. */
type Words = (limit: number) => string;

/** An answer of an endpoint as its shape has it, in which each text that may be any is one of those words. */
export function answerInWords({ whole, data }: Pick<Endpoint, 'whole' | 'data'>, words: Words): unknown {
  return valueOf(z.toJSONSchema(whole ?? data, { io: 'input' }) as Shape, words);
}

function valueOf(shape: Shape, words: Words): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  const [first] = shape.anyOf ?? [];
  if (first !== undefined) return valueOf(first, words);
  switch (Array.isArray(shape.type) ? (shape.type as readonly string[])[0] : shape.type) {
    case 'object':
      return objectOf(shape, words);
    case 'array':
      return [valueOf(shape.items ?? {}, words), valueOf(shape.items ?? {}, words)];
    case 'number':
    case 'integer':
      return Math.max(1, shape.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return fittingText(shape, words);
    default:
      return { id: words(60), name: words(1_000), type: 'credit', amount: 1, timestamp: Date.now() };
  }
}

function objectOf({ properties = {}, additionalProperties }: Shape, words: Words): unknown {
  const known = Object.entries(properties).map(([name, shape]) => [name, valueOf(shape, words)]);
  const more = additionalProperties === false ? [] : [[words(60), words(1_000)]];
  return Object.fromEntries([...known, ...more]) as unknown;
}

/** Where words cannot stand, what the document shows of such texts does. */
function fittingText({ pattern, maxLength = 1_000 }: Shape, words: Words): string {
  const texts = [words(maxLength), 'a'.repeat(24), '0123456789abcdef', '123456', 'a@example.com', 'USD'];
  const fits = texts.find((text) => text.length <= maxLength && (pattern === undefined || new RegExp(pattern).test(text)));
  return fits ?? '';
}
