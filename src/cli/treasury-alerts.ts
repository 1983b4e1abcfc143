import { channelsOf } from '../app/channels.ts';
import { Deliveries } from '../app/deliveries.ts';
import { printable } from '../domain/text.ts';
import { Delivery } from '../notify/delivery.ts';
import type { NotifySettings } from '../settings/settings.ts';
import type { TreasuryPolicy } from '../treasury/decide/policy.ts';
import { type Standing, type Trouble, standingSince, troublesOf } from '../treasury/decide/troubles.ts';
import type { TreasuryJournal } from '../treasury/journal.ts';
import { REPEAT_FOR_MS, type Round } from '../treasury/treasury.ts';
import { TroubleQueue } from '../treasury/trouble-queue.ts';
import type { Io } from './io.ts';
import { utc } from './time.ts';

export interface TreasuryAlertsOptions {
  readonly notify: NotifySettings | undefined;
  readonly journal: TreasuryJournal;
  readonly policy: TreasuryPolicy;
  /** In dry-run the letters say so. */
  readonly moves: boolean;
}

/** Since when each child has had its reason, in the journal: rounds that are processes of their own are told apart from none. */
const STANDING = 'standing';

/** What a channel may take after a single round, milliseconds. */
const ONCE_MS = 30_000;

/** Tells the channels of the configuration what is wrong with the treasury, beside its rounds: none of them waits for a channel. */
export class TreasuryAlerts {
  readonly #options: TreasuryAlertsOptions;
  readonly #io: Io;
  readonly #deliveries: Deliveries;
  #standing: ReadonlyMap<string, Standing>;
  /** undefined before the first round. */
  #troubles: readonly Trouble[] | undefined;
  #hasFailed = false;

  constructor(io: Io, options: TreasuryAlertsOptions) {
    this.#io = io;
    this.#options = options;
    const kept = options.journal.fact(STANDING);
    this.#standing = new Map(kept === undefined ? [] : (JSON.parse(kept) as [string, Standing][]));
    const { clock, env } = io;
    const each = channelsOf(options.notify, { clock, env }).flatMap(({ name, only, channel }) => {
      if (channel === undefined || only?.includes('treasury') === false) return [];
      const queue = new TroubleQueue(name, options.journal, clock, () => this.#troubles);
      const say = (words: string): void => io.err.line(`${utc(clock.wall())}  notify.${name} ${words}`);
      return new Delivery({
        ...{ channel, clock, from: `Magpie treasury${options.moves ? '' : ' (dry-run)'}`, waiting: () => queue.waiting() },
        onFailing: ({ message }, tries) => {
          if (tries === 1) say(`takes no alerts, which wait meanwhile: ${printable(message)}`);
        },
        onWell: () => say('takes alerts again'),
      });
    });
    this.#deliveries = new Deliveries(clock, each);
  }

  /** What a round has found: what stands from now on. */
  note({ verdicts, at }: Round): void {
    const { journal, policy } = this.#options;
    this.#standing = standingSince(this.#standing, verdicts, at);
    journal.learn(STANDING, JSON.stringify([...this.#standing]));
    const books = { policy, verdicts, standing: this.#standing, repeatForMs: REPEAT_FOR_MS };
    this.#troubles = troublesOf({ ...books, halts: journal.halts(), open: journal.open() }, this.#io.clock.now());
  }

  /** The rounds have come to an end that nobody asked for. Where there was none yet, whoever has started them sees it. */
  ended(why: string): void {
    if (this.#troubles === undefined) return;
    const at = this.#io.clock.now();
    const next = 'see to it, then start `magpie treasury run` again: until then no child gets anything';
    this.#troubles = [...this.#troubles, { mark: `ended ${at}`, at, message: `the treasury has ended by itself: ${why}`, next }];
    this.#hasFailed = true;
  }

  /** Tells until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#deliveries.start(signal);
  }

  /**
   * At the end: what still waits is told where a channel takes it at once; after a single round, and where it ended by itself, for which
   * nobody waits, with patience.
   */
  finish(once: boolean): Promise<void> {
    return this.#deliveries.finish(once || this.#hasFailed ? ONCE_MS : undefined);
  }
}
