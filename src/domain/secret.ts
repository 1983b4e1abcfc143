/** The text that stands wherever a secret would have been printed. */
export const MASK = '***';

/**
 * A value that must appear nowhere but in the header or body it belongs to. Printing, logging, spreading or serialising it
 * gives the mask; only `reveal` gives the text.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }

  /** What Node's util.inspect prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }
}

/** A function that replaces every occurrence of the given secrets (and their URL-encoded and JSON-escaped forms) in a text. */
export function scrubber(secrets: readonly Secret[]): (text: string) => string {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const plain = secret.reveal();
    if (plain.length < 4) continue;
    for (const form of [plain, encodeURIComponent(plain), JSON.stringify(plain).slice(1, -1)]) forms.add(form);
  }
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  return (text) => {
    let clean = text;
    for (const form of ordered) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
    return clean;
  };
}
