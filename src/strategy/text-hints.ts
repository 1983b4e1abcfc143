/** What is odd about the characters of a text, and what was probably meant. */
export interface TextHint {
  readonly problem: string;
  /** undefined when it cannot be told. */
  readonly instead: string | undefined;
}

/** Signs that a word processor or a message has put there: no name has them, so they match nothing. */
export function quoteHint(text: string): TextHint | undefined {
  if (!/[“”„‟‘’‚‛«»]/.test(text)) return undefined;
  const bare = text.replace(/^[“„‟«](.*)[”“»]$/, '$1').replace(/^‘(.*)’$/, '$1');
  const instead = bare.replace(/[“”„‟«»]/g, '"').replace(/[‘’‚‛]/g, "'");
  return { problem: 'holds typographic quotes, as no name does', instead };
}

/** A reference to the environment, which counts in configurations only. */
export function referenceHint(text: string): TextHint | undefined {
  const name = /\$\{[^}]*\}/.exec(text)?.[0];
  if (name === undefined) return undefined;
  return { problem: `holds ${name}, which is replaced in configurations only and stands for itself here`, instead: undefined };
}
