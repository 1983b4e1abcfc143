import { type Clock, sleep } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import type { RuleChangeRow } from '../ledger/rule-changes.ts';
import { type RuleDifference, type RuleSet, differenceOf, someOf } from '../settings/rule-difference.ts';
import type { RuleFiles, RulesRead } from '../settings/rule-files.ts';
import type { Settings } from '../settings/settings.ts';
import type { Bell } from './bell.ts';

/** Rules as the daemon takes them from its files. */
export interface ReadRules extends RuleSet {
  readonly settings: Settings;
}

export interface ReloaderOptions {
  readonly files: RuleFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly bell: Pick<Bell, 'ring' | 'once' | 'again'>;
  /** What counts now. */
  readonly current: ReadRules;
  /** false: only on request. */
  readonly onSave: boolean;
  /** Writes them down and puts them in force; false when they could not be written, and nothing has changed. */
  readonly apply: (
    next: ReadRules,
    why: RuleChangeRow['why'],
    what: readonly string[],
    breathe: () => Promise<void>,
  ) => Promise<boolean>;
  /** From one look at the files to the next, milliseconds. */
  readonly intervalMs?: number | undefined;
  /** Until the first look, milliseconds: many accounts must not all read their files at once. By default none. */
  readonly offsetMs?: number | undefined;
  /** What was asked for is done: the files were read, whatever came of it. */
  readonly onDone?: (() => void) | undefined;
  readonly onDefect: (error: unknown) => void;
}

/** From one look at the files to the next. A change counts when two looks agree, so that nothing half saved is read. */
const LOOK_MS = 1_000;

/** Files are read and checked for so long at a time, between which everything else has its turn. */
const BREATH_MS = 3;

/** Follows the files of limits and strategies: all of a change counts, or nothing. */
export class Reloader {
  readonly #options: ReloaderOptions;
  #current: ReadRules;
  /** The state of the files that has been dealt with, and the one that was seen last. */
  #settled: string | undefined;
  #last: string | undefined;
  #asked = false;
  /** Whoever asked has not been told yet that it is done. */
  #owed = false;
  #faulty = false;
  #waitingTold = '';

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#current = options.current;
  }

  /** Looks at the files until the signal is aborted. The first time they are read whatever they seem: they may have changed by then. */
  async start(signal: AbortSignal): Promise<void> {
    const { clock, onSave, intervalMs = LOOK_MS, offsetMs = 0, onDefect } = this.#options;
    try {
      if (offsetMs > 0) await sleep(clock, offsetMs, signal);
      while (!signal.aborted) {
        if (onSave || this.#asked) await this.#look();
        await sleep(clock, intervalMs, signal);
      }
    } catch (error) {
      onDefect(error);
    }
  }

  /** The files have a fault, so that what was changed in them does not count. */
  get faulty(): boolean {
    return this.#faulty;
  }

  /** Reads the files anew with the next look, whether they seem changed or not. */
  ask(): void {
    this.#asked = true;
    this.#owed = true;
  }

  async #look(): Promise<void> {
    const mark = await this.#options.files.mark();
    const agrees = mark === this.#last;
    this.#last = mark;
    if (this.#asked) await this.#reload(mark, 'signal');
    else if (agrees && mark !== this.#settled) await this.#reload(mark, 'saved');
    // Whichever reading it was: it may have been asked for in the middle of one.
    if (!this.#owed || this.#asked) return;
    this.#owed = false;
    this.#options.onDone?.();
  }

  async #reload(mark: string, why: RuleChangeRow['why']): Promise<void> {
    const { files, log, apply, bell } = this.#options;
    const breathe = this.#breather();
    const read = await files.read(breathe, this.#current.strategies);
    // What was written while it was read is read again.
    if ((await files.mark()) !== mark) return;
    this.#asked = false;
    this.#settled = mark;
    this.#faulty = !read.ok;
    if (!read.ok) return this.#refused(read);
    bell.again('rules');
    const difference = differenceOf(this.#current, read);
    this.#tellWaiting(difference);
    if (difference.changed.length === 0) return;
    if (!(await apply(read, why, difference.changed, breathe))) {
      this.#settled = undefined;
      return;
    }
    this.#current = read;
    log.info('reloaded', { words: someOf(difference.changed), why });
    this.#alertRaised(difference);
  }

  #refused({ faults }: Extract<RulesRead, { ok: false }>): void {
    const { log, bell, clock } = this.#options;
    const [first] = faults;
    const words = first === undefined ? 'it cannot be read' : `${first.file}:${first.line}:${first.column}: ${first.message}`;
    log.error('reload-refused', { fault: words, more: faults.length - 1 });
    bell.once('rules', {
      kind: 'rules',
      at: clock.now(),
      message: `What was changed in the configuration or a strategy has a fault and does not count: ${words}`,
      next: 'Mend it; `magpie check` shows each fault with its line.',
      purchaseId: undefined,
    });
  }

  #tellWaiting({ waiting }: RuleDifference): void {
    const { bell, clock } = this.#options;
    const keys = waiting.join(', ');
    if (keys !== '' && keys !== this.#waitingTold) {
      bell.ring({
        kind: 'rules',
        at: clock.now(),
        message: `Only limits and strategies change while Magpie runs; what waits for the next start: ${keys}`,
        next: 'Stop the daemon and start `magpie run` again.',
        purchaseId: undefined,
      });
    }
    this.#waitingTold = keys;
  }

  #alertRaised({ raised }: RuleDifference): void {
    if (raised.length === 0) return;
    this.#options.bell.ring({
      kind: 'limits',
      at: this.#options.clock.now(),
      message: `More may be bought than before: ${someOf(raised)}`,
      next: 'Nothing, if you changed it; else see who may write the configuration and the strategies.',
      purchaseId: undefined,
    });
  }

  #breather(): () => Promise<void> {
    const { clock } = this.#options;
    let since = clock.mono();
    return async () => {
      if (clock.mono() - since < BREATH_MS) return;
      await sleep(clock, 0);
      since = clock.mono();
    };
  }
}
