/** Controls (C0 and C1), format characters (bidirectional overrides, zero widths, tags), line separators, lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside made safe for a terminal or a log line: anything that could move the cursor, colour, reorder or hide text
 * becomes a visible escape such as `\u001b`, and the result is cut to `limit` characters.
 */
export function printable(text: string, limit = 200): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return cut.replace(UNSAFE, escapes);
}

/** Whether a text holds characters that `printable` would have to escape. */
function hidesCharacters(text: string): boolean {
  return text.search(UNSAFE) >= 0;
}

/** JSON text that says the same and is safe for a terminal: what JSON.stringify leaves raw is escaped, line breaks between values stay. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, (character) => (character === '\n' ? character : escapes(character)));
}

/** As in JSON and JavaScript; a character beyond the first 65,536 takes two. */
function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
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

/** Letters that show as nothing or as a blank, and blanks that are no plain space. */
const PASSES_FOR_BLANK = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/**
 * Why no item is called so; undefined for a name that one may have. What differs from a true name only by what nobody sees would pass
 * by every limit and list that goes by names. Two blanks in a row do stand in true names: `foldCase` makes them one.
 */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'is blank';
  if (hidesCharacters(name) || PASSES_FOR_BLANK.test(name)) return 'holds characters that cannot be seen';
  return name === name.trim() ? undefined : 'begins or ends with a blank';
}

/** The form in which names and words are compared: Unicode NFC, lower case, blanks in a row as one. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/ {2,}/g, ' ');
}

/** What purchases of one item have in common, however a list writes its name; empty for no name. */
export function itemKey(name: string): string {
  const known = itemKeys.get(name);
  if (known !== undefined) return known;
  const key = foldCase(name.replace(/[\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu, ' ')).trim();
  if (name.length > ITEM_NAME_MAX) return key;
  if (itemKeys.size === ITEM_KEYS_MAX) itemKeys.clear();
  itemKeys.set(name, key);
  return key;
}

/** Every match is held against its item's caps, and names come again and again. */
const itemKeys = new Map<string, string>();
const ITEM_KEYS_MAX = 4_096;
/** No item's name is longer, and what is kept must not grow by one that is. */
const ITEM_NAME_MAX = 256;

/** `1 listing`, `2 listings`; `many` where it is no plain s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `640 kB`, `12.3 MB`, `2.1 GB`: powers of ten, as sizes are written in the configuration. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
