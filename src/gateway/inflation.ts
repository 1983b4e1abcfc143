import { createBrotliDecompress, createGunzip } from 'node:zlib';

const INFLATE_CHUNK = 256 * 1024;

const inflaters = {
  gzip: () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  'x-gzip': () => createGunzip({ chunkSize: INFLATE_CHUNK }),
  br: () => createBrotliDecompress({ chunkSize: INFLATE_CHUNK }),
} as const;

/** What we can inflate. */
export type Encoding = keyof typeof inflaters;

export function canInflate(encoding: string): encoding is Encoding {
  return Object.hasOwn(inflaters, encoding);
}

/** What we offer to inflate; anything else was not asked for. */
export const ACCEPT_ENCODING = 'gzip, br';

/** Inflates one body as it comes, and no more than `limitBytes` of it, counted on the way: a bomb costs no more than that. */
export class Inflation {
  readonly #stream: ReturnType<(typeof inflaters)[Encoding]>;
  readonly #pieces: Buffer[] = [];
  readonly #over: Promise<boolean>;
  #length = 0;

  /** `onPiece` is shown what has been inflated, as soon as it is; it must not throw. */
  constructor(encoding: Encoding, limitBytes: number, onPiece: (piece: Buffer) => void = () => undefined) {
    const stream = inflaters[encoding]();
    this.#stream = stream;
    this.#over = new Promise((resolve) => {
      stream.on('end', () => resolve(true));
      stream.on('error', () => resolve(false));
      stream.on('close', () => resolve(false));
    });
    stream.on('data', (piece: Buffer) => {
      this.#length += piece.length;
      if (this.#length > limitBytes) return void stream.destroy();
      this.#pieces.push(piece);
      onPiece(piece);
    });
  }

  push(raw: Buffer): void {
    if (!this.#stream.destroyed) this.#stream.write(raw);
  }

  /** All of it, when everything was pushed; undefined when it does not inflate, or to more than may be. */
  async end(): Promise<readonly Buffer[] | undefined> {
    if (!this.#stream.destroyed) this.#stream.end();
    return (await this.#over) ? this.#pieces : undefined;
  }

  /** Nobody wants the rest. */
  drop(): void {
    this.#stream.destroy();
  }
}
