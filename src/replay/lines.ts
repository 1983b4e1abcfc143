import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;
/** No line of ours is longer; one that is would be the whole of a file that is no list of lines. */
const LINE_BYTES_MAX = 4 << 20;

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The file ends without a line break: it may be cut off. */
  readonly cut: boolean;
}

/** The lines of a file, one after the other, whatever its size. Throws the system's error, or a RangeError for a line that is too long. */
export function* linesOf(path: string): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let number = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      let data: Buffer = Buffer.concat([rest, chunk.subarray(0, read)]);
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        yield { number: ++number, text: data.toString('utf8', 0, end), cut: false };
        data = data.subarray(end + 1);
      }
      rest = data;
      if (rest.length > LINE_BYTES_MAX) throw new RangeError(`line ${number + 1} is longer than any of a recording`);
    }
    if (rest.length > 0) yield { number: number + 1, text: rest.toString('utf8'), cut: true };
  } finally {
    closeSync(file);
  }
}
