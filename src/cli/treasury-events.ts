import { isTold } from '../domain/repetition.ts';
import type { TreasuryEvent } from '../treasury/event.ts';
import { eventLine } from './treasury-text.ts';

interface Row {
  readonly why: string;
  readonly times: number;
}

/** Tells what happens in the rounds of a treasury. What is the same in one round after the other is told ever less often. */
export class TreasuryEvents {
  readonly #line: (text: string) => void;
  /** What went on in the round before, and what goes on in this one. */
  #before: ReadonlyMap<string, Row> = new Map();
  #now = new Map<string, Row>();

  constructor(line: (text: string) => void) {
    this.#line = line;
  }

  tell(event: TreasuryEvent): void {
    const row = rowOf(event);
    if (row === undefined) return this.#line(eventLine(event));
    const { what, why } = row;
    const before = this.#before.get(what);
    const times = before?.why === why ? before.times + 1 : 1;
    this.#now.set(what, { why, times });
    if (isTold(times)) this.#line(`${eventLine(event)}${times > 1 ? ` (${times} rounds in a row)` : ''}`);
  }

  /** To be called after each. */
  roundOver(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }
}

/** What may go on and on, and why; undefined: each is news. */
function rowOf(event: TreasuryEvent): { readonly what: string; readonly why: string } | undefined {
  if (event.kind === 'unread') return { what: `unread ${event.who}`, why: event.why };
  // Its words tell the time.
  return event.kind === 'clock-wrong' ? { what: event.kind, why: '' } : undefined;
}
