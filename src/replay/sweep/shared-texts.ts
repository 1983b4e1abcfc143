/** Different texts in memory that threads share, found by number and by what they say. */
export interface SharedTexts {
  /** UTF-16 code units, one text after the other. */
  readonly units: Uint16Array<SharedArrayBuffer>;
  /** Where each ends. */
  readonly ends: Uint32Array<SharedArrayBuffer>;
  /** A hash table with open addressing: the number of a text plus one; 0: free. Its size is a power of two. */
  readonly slots: Uint32Array<SharedArrayBuffer>;
}

/** Puts texts into such memory; each may stand there once. */
export function shareTexts(texts: readonly string[]): SharedTexts {
  const units = new Uint16Array(new SharedArrayBuffer(2 * texts.reduce((sum, { length }) => sum + length, 0)));
  const ends = new Uint32Array(new SharedArrayBuffer(4 * texts.length));
  const slots = new Uint32Array(new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(2 * texts.length + 2))));
  let at = 0;
  for (const [number, text] of texts.entries()) {
    for (let index = 0; index < text.length; index++) units[at++] = text.charCodeAt(index);
    ends[number] = at;
    let slot = hashOf(text) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = number + 1;
  }
  return { units, ends, slots };
}

/** The number of a text; undefined where it is none of them. */
export function numberOfText(texts: SharedTexts, text: string): number | undefined {
  const { slots } = texts;
  for (let slot = hashOf(text) & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const found = slots[slot] as number;
    if (found === 0) return undefined;
    if (says(texts, found - 1, text)) return found - 1;
  }
}

export function textOfNumber({ units, ends }: SharedTexts, number: number): string {
  // A key or a name is short: its units are few enough to be arguments.
  return String.fromCharCode(...units.subarray(ends[number - 1] ?? 0, ends[number]));
}

function says({ units, ends }: SharedTexts, number: number, text: string): boolean {
  const from = ends[number - 1] ?? 0;
  if ((ends[number] as number) - from !== text.length) return false;
  for (let index = 0; index < text.length; index++) if (units[from + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** FNV-1a over code units. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return (hash ^ (hash >>> 15)) >>> 0;
}
