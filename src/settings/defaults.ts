import type { JsonSchema } from './json-schema.ts';
import { configJsonSchema } from './json-schema.ts';

const WIDTH = 100;

/**
 * What `magpie check --defaults` prints: a configuration in which every key stands with its default and its meaning. Keys and
 * blocks that have no default stand as comments, with the kind of value they take.
 */
export function defaultsYaml(): string {
  const head = ['# Every key of a configuration with its default. Keys without a default are commented out.', ''];
  const schema = configJsonSchema();
  const faults = schema.properties?.['service']?.properties?.['sandbox']?.properties?.['faults'];
  const lines = linesOf(schema, '', false, faults);
  if (faults === undefined) return `${[...head, ...lines].join('\n').trimEnd()}\n`;
  // Dozens of keys that only who tests something wants must not stand between the service and the account.
  const last = ['# What `faults` of the embedded exchange may hold (service.sandbox.faults):', ...linesOf(faults, '#   ', true)];
  return `${[...head, ...lines, ...last].join('\n').trimEnd()}\n`;
}

/** The same for a program: each key with its default, null where it has none, and its meaning. */
export function defaultsJson(): readonly Record<string, unknown>[] {
  return keysOf(configJsonSchema(), '');
}

function keysOf(schema: JsonSchema, above: string): Record<string, unknown>[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const key = `${above}${name}`;
    if (value.properties) return keysOf(value, `${key}.`);
    return [{ key, default: value.default ?? null, meaning: value.description ?? null }];
  });
}

/** `prefix` stands before every line; `off` says that it comments them out already; the keys of `atTheEnd` are left out. */
function linesOf(schema: JsonSchema, prefix: string, off: boolean, atTheEnd?: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const note = wrapped(value.description ?? '', WIDTH - prefix.length).map((line) => `${prefix}# ${line}`);
    const before = off || isGiven(value) ? prefix : `${prefix}# `;
    const gap = prefix === '' ? [''] : [];
    if (value === atTheEnd) return [...note, `${before}${key}: {}   # its keys stand at the end`];
    if (!value.properties) return [...note, `${before}${key}: ${shown(value)}`, ...gap];
    return [...note, `${before}${key}:`, ...linesOf(value, `${before}  `, off || !isGiven(value), atTheEnd), ...gap];
  });
}

function shown(value: JsonSchema): string {
  if (value.default === undefined) return `… (${value.title ?? value.type})`;
  return typeof value.default === 'string' ? value.default : JSON.stringify(value.default);
}

/** Whether a key has its value when nobody writes it. A block without a default inside would be empty, which is a fault. */
function isGiven(schema: JsonSchema): boolean {
  if (!schema.properties) return schema.default !== undefined;
  return schema.default !== undefined && Object.values(schema.properties).some(isGiven);
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
