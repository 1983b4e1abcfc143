import type { FileFault } from './file-fault.ts';

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const LINE = new RegExp(`^\\s*(?:export\\s+)?(${NAME})[ \\t]*=[ \\t]*(.*)$`);
const QUOTED = /^(?:"([^"]*)"|'([^']*)')[ \t]*(?:#.*)?$/;

export interface EnvFile {
  readonly values: ReadonlyMap<string, string>;
  readonly faults: readonly FileFault[];
}

/**
 * Reads variables as Docker and systemd read them from such a file: `NAME=value`, one a line; `#` at the start of a line or behind a blank
 * begins a comment, quotes around a whole value are taken off, and nothing in a value means anything. What is no such line is a fault, and
 * so is a name that comes twice: a key that was mistyped must not pass for one that is missing. Values are quoted in no message.
 */
export function parseEnvFile(text: string, shown: string): EnvFile {
  const values = new Map<string, string>();
  const faults: FileFault[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(raw)) continue;
    const wrong = (message: string, suggestion: string, column = 1): void =>
      void faults.push({ file: shown, line: index + 1, column, path: '', message, suggestion });
    const [, name, rest] = LINE.exec(raw) ?? [];
    if (name === undefined || rest === undefined) {
      wrong('is no variable', 'write NAME=value; a comment begins with #');
      continue;
    }
    const value = valueOf(rest);
    if (value === undefined) wrong(`the value of ${name} has no end to its quotes`, 'close them on the same line', raw.length);
    else if (values.has(name)) wrong(`${name} stands there twice`, 'take one of them out');
    else values.set(name, value);
  }
  return { values, faults };
}

/** undefined: a quote that has no end. */
function valueOf(rest: string): string | undefined {
  const quoted = QUOTED.exec(rest);
  if (quoted) return quoted[1] ?? quoted[2];
  return /^["']/.test(rest) ? undefined : rest.replace(/(?:^|[ \t])#.*$/, '').trimEnd();
}
