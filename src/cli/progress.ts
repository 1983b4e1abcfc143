import type { Io } from './io.ts';
import { span } from './time.ts';

/** What takes longer than this is said to go on. */
const SILENCE_MS = 2_000;
/** How often a terminal's line is renewed, and how often a log gets a new one. */
const TERMINAL_MS = 1_000;
const LOG_MS = 10_000;

/** Waits for work, and after two seconds says what is waited for and for how long already. */
export async function withProgress<T>(io: Io, words: string | (() => string), work: Promise<T>): Promise<T> {
  const { err, clock } = io;
  const beganAt = clock.mono();
  let shown = false;
  let cancel = clock.after(SILENCE_MS, tick);
  function tick(): void {
    const line = `${typeof words === 'string' ? words : words()} (${span(clock.mono() - beganAt)})`;
    err.write(err.isTerminal ? `\r\u001b[K${err.palette.dim(line)}` : `${line}\n`);
    shown = true;
    cancel = clock.after(err.isTerminal ? TERMINAL_MS : LOG_MS, tick);
  }
  try {
    return await work;
  } finally {
    cancel();
    if (shown && err.isTerminal) err.write('\r\u001b[K');
  }
}
