/** The environment, as it was handed in. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** `${NAME}`, `${NAME:-}` and `${NAME:-text}`; `$${` stands for a literal `${`. */
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}/g;

/** The same where it may stand in YAML text: a default with quotes or backslashes is left to the quotes around it. */
const IN_YAML = /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^{}"'\\\n]*)?\}/g;

/** As a JSON Schema pattern: a value that holds a reference somewhere. */
export const REFERENCE_PATTERN = '\\$\\{[A-Za-z_][A-Za-z0-9_]*(:-[^{}]*)?\\}';

/** First of 128 private-use characters that stand in for ASCII ones while YAML reads the text. */
const STAND_IN = 0xe000;
const STAND_INS = /[\ue000-\ue07f]/g;

/** Whether a text uses the characters that `maskReferences` needs for itself. */
export function usesStandIns(text: string): number | undefined {
  const at = text.search(STAND_INS);
  return at === -1 ? undefined : at;
}

/**
 * Braces, commas and colons of references would mean something to YAML inside `{ … }` and `[ … ]`. They are replaced one for one,
 * so that lines and columns stay what they are.
 */
export function maskReferences(text: string): string {
  return text.replace(IN_YAML, (reference) =>
    reference.replace(/[\x20-\x23\x25-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]/g, (c) =>
      String.fromCharCode(STAND_IN + c.charCodeAt(0)),
    ),
  );
}

export function unmaskReferences(text: string): string {
  return text.replace(STAND_INS, (c) => String.fromCharCode(c.charCodeAt(0) - STAND_IN));
}

export type Substituted =
  /** `names`: the variables it was made from, none when the text holds no reference. */
  | { readonly ok: true; readonly text: string; readonly names: readonly string[] }
  /** `unset`: nothing is wrong with the text, but a variable is missing. */
  | { readonly ok: false; readonly unset: boolean; readonly message: string; readonly suggestion: string | undefined };

/**
 * Replaces the references of one text. A variable that is set but empty counts as unset where there is a default, and is a
 * fault where there is none, as an unset one is. Values are put in as they are: references inside them are not followed.
 */
export function substitute(text: string, env: Environment): Substituted {
  const names: string[] = [];
  const missing: string[] = [];
  const parts = text.split('$${').map((part) => {
    const filled = part.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
      names.push(name);
      const value = valueOf(env, name);
      if (value === undefined && fallback === undefined) missing.push(name);
      return value ?? fallback ?? '';
    });
    return { filled, broken: part.replace(REFERENCE, '').includes('${') };
  });
  if (parts.some((part) => part.broken)) {
    return {
      ok: false,
      unset: false,
      message: 'holds a ${ that is no reference',
      suggestion: 'write ${NAME} or ${NAME:-text}, or $${ for the characters themselves',
    };
  }
  const [first] = missing;
  if (first !== undefined) return { ok: false, unset: true, ...unset(first, env) };
  return { ok: true, text: parts.map((part) => part.filled).join('${'), names };
}

function valueOf(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === '' ? undefined : value;
}

function unset(name: string, env: Environment): { message: string; suggestion: string } {
  const how = Object.hasOwn(env, name) && env[name] !== undefined ? 'is set but empty' : 'is not set';
  return { message: `the environment variable ${name} ${how}`, suggestion: `set ${name}, or give a default: \${${name}:-text}` };
}
