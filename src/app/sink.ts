import { pino } from 'pino';

/** Text that a reader has not taken yet is kept up to this; what comes after is dropped until the reader goes on. */
const WAITING_CHARACTERS_MAX = 4 * 1024 * 1024;

/** When it matters that all was read, a reader that stands still is waited for this long. */
const LAST_MS = 1_000;

/** Lines for a reader whom the daemon must never wait for: a pipe that is full or a stopped terminal costs lines, not purchases. */
export interface Sink {
  write(text: string): void;
  /** Resolves when everything so far is written, or the reader has had its time. */
  flushed(): Promise<void>;
}

/** A sink to an open file descriptor. */
export function openSink(fd: number): Sink {
  // With a least length of 0 its flush does not wait for what is being written; with 1 it does, and each line still leaves at once.
  const stream = pino.destination({ dest: fd, sync: false, minLength: 1, maxLength: WAITING_CHARACTERS_MAX });
  let gone = false;
  // A reader that has gone away is no reason to end, and must not be written to again: not even by the last flush at exit.
  stream.on('error', () => {
    gone = true;
    stream.destroy();
  });
  return {
    write: (text) => void (gone || stream.write(text)),
    flushed: () =>
      new Promise((resolve) => {
        if (gone) return resolve();
        stream.once('close', () => resolve());
        const late = setTimeout(resolve, LAST_MS);
        stream.flush(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
}
