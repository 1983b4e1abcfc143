import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PartResult, VariantResult } from './part.ts';

/** A result as it stands in a line of the file: its checksum, a blank, and this as JSON. */
interface Line {
  readonly variant: string;
  readonly train: PartLine;
  readonly test: PartLine;
}

type PartLine = Omit<PartResult, 'blocks'> & { /** Deflated, in base64. */ readonly blocks: string };

/**
 * Results that are kept in a file as they come, so that a sweep that was ended in whatever way goes on where it was. A line that is not
 * whole is passed over. Throws what the file system throws.
 */
export class KeptResults {
  /** By the hash of the variant. */
  readonly found: ReadonlyMap<string, VariantResult>;
  readonly #file: number;

  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, 'a+', 0o600);
    this.found = resultsIn(readFileSync(path, 'utf8'));
    // What was broken off ends here, and takes nothing with it that comes after.
    if (!this.#endsWithLine()) appendFileSync(this.#file, '\n');
  }

  add(variant: string, { train, test }: VariantResult): void {
    const text = JSON.stringify({ variant, train: lineOf(train), test: lineOf(test) } satisfies Line);
    appendFileSync(this.#file, `${crc32(text)} ${text}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }

  #endsWithLine(): boolean {
    const { size } = fstatSync(this.#file);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(this.#file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
  }
}

function resultsIn(text: string): ReadonlyMap<string, VariantResult> {
  const found = new Map<string, VariantResult>();
  for (const line of text.split('\n')) {
    const [, sum, json] = /^(\d+) (.*)$/.exec(line) ?? [];
    if (json === undefined || crc32(json) !== Number(sum)) continue;
    const { variant, train, test } = JSON.parse(json) as Line;
    found.set(variant, { train: partOf(train), test: partOf(test) });
  }
  return found;
}

function lineOf({ blocks, ...rest }: PartResult): PartLine {
  const bytes = new Uint8Array(blocks.buffer, blocks.byteOffset, blocks.byteLength);
  return { ...rest, blocks: deflateRawSync(bytes).toString('base64') };
}

function partOf({ blocks, ...rest }: PartLine): PartResult {
  const bytes = inflateRawSync(Buffer.from(blocks, 'base64'));
  return { ...rest, blocks: new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)) };
}
