import type { Socket } from 'node:net';

/** When the bytes of one answer went, monotonic milliseconds. */
export interface Sent {
  /** The bytes of the listing that is looked for had been handed to the socket to the last. */
  readonly listingAt: number;
  /** All bytes had been. */
  readonly lastAt: number;
}

/** What an answer is written as: its bytes and how many of them end the listing that is looked for. */
export interface Written {
  readonly bytes: Buffer;
  readonly endOf: number;
}

/** All at once, as fast as the socket takes it. */
export function sendAtOnce(socket: Socket, { bytes }: Written): Promise<Sent> {
  return new Promise((resolve) => {
    socket.write(bytes, () => {
      const now = performance.now();
      resolve({ listingAt: now, lastAt: now });
    });
  });
}

const CHUNK = 8_192;

/** As a line of so many bits a second would carry it: a piece as often as it fills one. */
export function sendAtRate(socket: Socket, { bytes, endOf }: Written, bitsPerSecond: number): Promise<Sent> {
  const chunkMs = (CHUNK * 8 * 1_000) / bitsPerSecond;
  return new Promise((resolve) => {
    const began = performance.now();
    let sent = 0;
    let listingAt = Number.NaN;
    const go = (): void => {
      const due = Math.floor((performance.now() - began) / chunkMs) * CHUNK;
      while (sent < due && sent < bytes.length) {
        socket.write(bytes.subarray(sent, sent + CHUNK));
        sent += CHUNK;
        if (sent >= endOf && Number.isNaN(listingAt)) listingAt = performance.now();
      }
      if (sent >= bytes.length) resolve({ listingAt, lastAt: performance.now() });
      // Not as fast as the loop goes: this process must not take the processor from the one that is measured.
      else setTimeout(go, 1);
    };
    go();
  });
}
