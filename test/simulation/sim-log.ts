import { type Hash, createHash } from 'node:crypto';
import type { EpochMs } from '../../src/domain/clock.ts';
import type { Log } from '../../src/engine/ports.ts';

export interface LogLine {
  readonly at: EpochMs;
  readonly boot: number;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Lines that are kept for a timeline. */
const KEPT = 20_000;

/** Everything that the bot says, in order; its hash tells two runs of one life apart. */
export class SimLog {
  readonly lines: LogLine[] = [];
  readonly #hash: Hash = createHash('sha256');
  readonly #now: () => EpochMs;

  constructor(now: () => EpochMs) {
    this.#now = now;
  }

  /** All that was said is kept. */
  get isWhole(): boolean {
    return this.lines.length < KEPT;
  }

  /** The log of one start of the process: silent once it is dead. */
  of(boot: number, alive: () => boolean): Log {
    const write = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      if (alive()) this.note(boot, event, fields);
    };
    return { info: write, warn: write, error: write };
  }

  note(boot: number, event: string, fields: Readonly<Record<string, unknown>>): void {
    const line = { at: this.#now(), boot, event, fields };
    this.#hash.update(JSON.stringify(line));
    if (this.lines.length < KEPT) this.lines.push(line);
  }

  /** Ends the hash; more cannot be written after it. */
  digest(more: readonly string[]): string {
    for (const text of more) this.#hash.update(text);
    return this.#hash.digest('hex');
  }
}
