import type { Clock } from '../domain/clock.ts';
import { type Halt, JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import type { EngineState } from '../engine/state.ts';
import type { Told } from '../execution/told.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DaemonRequest } from '../ledger/requests.ts';
import type { Posted } from './engine-loop.ts';
import { notBuyingWords, onPaper } from './facts.ts';

/** How often the ledger is asked whether a command has changed it: a halt must be obeyed within half a second. */
const LOOK_MS = 200;

/** What the daemon itself has written since is not looked through when another comes to change something: so often it is passed over. */
const OWN_MS = 5_000;

/** A request that waited longer than this was asked of a daemon that is no more. */
const REQUEST_MAX_AGE_MS = 30_000;

export interface OutsideOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** From one look to the next, milliseconds. */
  readonly intervalMs?: number | undefined;
  readonly log: Log;
  readonly state: () => Readonly<EngineState>;
  readonly post: (event: Posted) => void;
  readonly told: Pick<Told, 'purchases' | 'journal'>;
  /** The journal takes nothing at present: each try may wait for a lock. */
  readonly journalFails: () => boolean;
  /** A halt has tripped and its row could not be written yet: that there is none says nothing. */
  readonly haltWaits: () => boolean;
  /** A halt that stands in the ledger, and was not known. */
  readonly onHalt: (halt: Halt) => void;
  /** What no rule of ours allows for: looking ends. */
  readonly onDefect: (error: unknown) => void;
  /** Does what a command asks and answers it in the ledger. */
  readonly obey: (request: DaemonRequest) => void;
}

/** What other processes did to the ledger beside a running daemon: halts, resumes, verdicts, requests. */
export class Outside {
  readonly #options: OutsideOptions;
  #evidenceSeq: number;
  #resumes: number;

  constructor(options: OutsideOptions) {
    this.#options = options;
    // A halt that the start has found in a row is over as soon as no row is left.
    this.#resumes = options.state().halt === undefined ? options.ledger.resumes() : -1;
    this.#evidenceSeq = options.ledger.evidenceSeq();
  }

  /** Looks until the signal is aborted. */
  start(signal: AbortSignal): void {
    const { clock, ledger, told, onDefect, journalFails, intervalMs = LOOK_MS } = this.#options;
    // Of a change one hears once, and a look that failed has not seen all of it. Of what was asked before the ledger was opened one never hears.
    let isOwed = true;
    let passedAt = clock.mono();
    const next = (): void => {
      const cancel = clock.after(intervalMs, () => {
        signal.removeEventListener('abort', cancel);
        try {
          const isDue = !isOwed && clock.mono() - passedAt >= OWN_MS;
          // Before it is asked whether others have changed anything: what they write after that has a later place.
          const own = isDue ? ledger.evidenceSeq() : undefined;
          if (ledger.changed() || (isOwed && !journalFails())) {
            isOwed = true;
            this.look();
            isOwed = false;
          } else if (own !== undefined) {
            this.#evidenceSeq = own;
            passedAt = clock.mono();
          }
        } catch (error) {
          if (!(error instanceof JournalFailure)) return onDefect(error);
          told.journal(error.message);
        }
        if (!signal.aborted) next();
      });
      signal.addEventListener('abort', cancel, { once: true });
    };
    next();
  }

  /** One look, whether or not anything has changed. */
  look(): void {
    const { ledger, clock, told, state, obey } = this.#options;
    this.#halt();
    // Read first: what is written in between is told with the next change once more, sooner than never.
    const seq = ledger.evidenceSeq();
    const touched = ledger.purchasesTouchedAfter(this.#evidenceSeq);
    this.#evidenceSeq = seq;
    if (touched.length > 0) told.purchases(touched);
    // Whoever asked has dated it by the machine's clock, from which the steady time may have parted.
    const next = (): DaemonRequest | undefined => ledger.takeUp(clock.wall(), REQUEST_MAX_AGE_MS);
    for (let request = next(); request; request = next()) obey(request);
    if (state().halt === undefined) this.#halt();
  }

  /** A halt ends when a person resumes, and for nothing else: one that no row tells of may be one that could not be written. */
  #halt(): void {
    const { ledger, clock, post, state, log, haltWaits } = this.#options;
    // First, so that a resume which comes in between is one for the next look.
    const resumes = ledger.resumes();
    const halt = ledger.halted();
    const resumed = resumes > this.#resumes;
    this.#resumes = resumes;
    const known = state().halt;
    if (halt !== undefined && known === undefined) {
      post({ type: 'halted', halt });
      log.error('halted', { reason: halt.reason, by: halt.by });
      this.#options.onHalt(halt);
    } else if (halt === undefined && known !== undefined && resumed && !haltWaits()) {
      post({ type: 'resumed' });
      log.info('resumed', { closed: notBuyingWords(state(), clock.now()), paper: onPaper(state()) });
    }
  }
}
