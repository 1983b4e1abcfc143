import { stripVTControlCharacters } from 'node:util';
import type { Voice } from './io.ts';

const ESCAPE = '\u001b';

/** The other screen of a terminal, its cursor away; and back to what stood there before. */
const BEGIN = '\u001b[?1049h\u001b[?25l';
const END = '\u001b[?25h\u001b[?1049l';
/** Between these a terminal that knows them shows nothing half drawn. */
const HOLD = '\u001b[?2026h';
const SHOW = '\u001b[?2026l';
const HOME = '\u001b[H';
const REST_OF_LINE = '\u001b[K';
const REST_OF_SCREEN = '\u001b[J';
const PLAIN = '\u001b[0m';

/** What is redrawn in its place: each picture in one write, over the one before, so that nothing flickers. */
export class Screen {
  readonly #out: Voice;
  #shown: string | undefined;

  constructor(out: Voice) {
    this.#out = out;
  }

  begin(): void {
    this.#out.write(BEGIN);
  }

  end(): void {
    this.#out.write(END);
  }

  /** Shows lines from the top, as many as fit; what is the same as before is not written again. */
  draw(text: string): void {
    const { width, height } = this.#out;
    const lines = text
      .replace(/\n$/, '')
      .split('\n')
      .flatMap((line) => folded(line, width));
    const fit =
      lines.length <= height
        ? lines
        : [...lines.slice(0, height - 1), `… ${lines.length - height + 1} more lines: a taller window shows them`];
    const picture = fit.map((line) => `${line}${PLAIN}${REST_OF_LINE}`).join('\r\n');
    if (picture === this.#shown) return;
    this.#shown = picture;
    this.#out.write(`${HOLD}${HOME}${picture}${REST_OF_SCREEN}${SHOW}`);
  }
}

/** Blanks, words, and what colours them, which takes no room. */
const PARTS = new RegExp(`${ESCAPE}\\[[\\d;]*m|\\s+|[^\\s${ESCAPE}]+`, 'g');

/** A line in pieces no wider than the screen, broken at blanks where there are any; colours go on in the next piece. */
function folded(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line];
  const pieces: string[] = [];
  let [piece, used] = ['', 0];
  for (const part of line.match(PARTS) ?? []) {
    for (const bit of widthOf(part) > width ? (part.match(/.{1,20}/gsu) ?? []) : [part]) {
      const room = widthOf(bit);
      if (used + room > width) {
        pieces.push(piece);
        [piece, used] = [/^\s/.test(bit) ? '' : bit, /^\s/.test(bit) ? 0 : room];
      } else [piece, used] = [piece + bit, used + room];
    }
  }
  return [...pieces, piece];
}

/** Columns that a text takes: the signs of East Asia take two each, what only colours or combines takes none. */
function widthOf(text: string): number {
  let width = 0;
  for (const sign of stripVTControlCharacters(text)) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(sign)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        sign,
      )
        ? 2
        : 1;
  }
  return width;
}
