/** C0 and C1 controls, bidirectional overrides, zero-width characters and lone surrogates: never shown raw. */
// oxlint-disable-next-line no-control-regex -- naming the control characters is the purpose
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/**
 * Text from outside made safe for a terminal or a log line: anything that could move the cursor, colour, reorder or hide text
 * becomes a visible escape such as `\u001b`, and the result is cut to `limit` characters.
 */
export function printable(text: string, limit = 200): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return cut.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A message of the service kept word for word but harmless: no tags, no control characters, at most 200 characters. */
export function serviceMessage(text: string): string {
  return printable(
    text
      .slice(0, 10_000)
      .replace(/<[^<>]{0,500}>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

/** The form in which names and words are compared: Unicode NFC, lower case. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
