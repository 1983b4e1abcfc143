import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import { listenForHooks, type HookEvent, type HookRefusal } from '../monitor/hook.ts';
import type { ListeningServer } from '../monitor/listening.ts';
import type { Tape } from '../replay/tape.ts';
import { isLoopback } from '../settings/loopback.ts';
import type { Settings } from '../settings/settings.ts';
import type { Core } from './core.ts';

export interface HooksOptions {
  readonly at: NonNullable<Settings['webhooks']>;
  readonly core: { readonly bell: Pick<Core['bell'], 'once' | 'again'>; readonly looks: Pick<Core['looks'], 'soon'> };
  readonly clock: Clock;
  readonly log: Log;
  readonly tape: Pick<Tape, 'input'> | undefined;
}

/** From one look that an event has asked for to the next, milliseconds: a flood costs no more of the rate than this. */
const LOOK_GAP_MS = 5_000;
/** Ids of events that are remembered; a service repeats an event within minutes. */
const IDS_MAX = 1_000;
/** An address that is taken may be free a minute later. */
const LISTEN_AGAIN_MS = 60_000;
/** From one line about what was turned away to the next. */
const REFUSED_LINE_MS = 600_000;

/**
 * Events that the service posts. Each is kept in the recording and is a reason to look at the account's orders now, which is asked of
 * the service at its rate as any look is; nothing that an event says is believed.
 */
export class Hooks {
  readonly #options: HooksOptions;
  readonly #ids = new Set<string>();
  #lookedAt: EpochMs = Number.NEGATIVE_INFINITY;
  #isDue = false;
  #refusals = 0;
  #refusedLineAt: EpochMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();
  #signal = new AbortController().signal;

  constructor(options: HooksOptions) {
    this.#options = options;
  }

  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#running = this.#serve(signal);
  }

  /** After the signal; resolves within moments. */
  finished(): Promise<void> {
    return this.#running;
  }

  /** What cannot be listened at is told and tried again: looks go on at their own times meanwhile. */
  async #serve(signal: AbortSignal): Promise<void> {
    const { at, clock, core, log } = this.#options;
    let server: ListeningServer | undefined;
    while (!signal.aborted && server === undefined) {
      try {
        server = await this.#listen();
        log.info('hooks-at', { address: server.address });
        core.bell.again('hooks');
      } catch (error) {
        core.bell.once('hooks', unheard(at, error, clock.now()));
        await sleep(clock, LISTEN_AGAIN_MS, signal);
      }
    }
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await server?.close();
  }

  #listen(): Promise<ListeningServer> {
    const { at, clock } = this.#options;
    const { host, names } = at;
    const ours = new Set(names.map((name) => name.toLowerCase()));
    const isOurName = (name: string): boolean => !isLoopback(host) || isLoopback(name) || ours.has(name.toLowerCase());
    const told = (event: HookEvent): void => this.#told(event);
    return listenForHooks({ ...at, clock, isOurName, told, refused: (why) => this.#refused(why) });
  }

  #told({ id, type, body }: HookEvent): void {
    const { clock, log, tape } = this.#options;
    const again = id !== undefined && this.#ids.has(id);
    const now = clock.now();
    tape?.input('webhook', now, { id, type, again, body });
    // What was told already has been looked at since.
    if (again) return;
    if (id !== undefined) this.#remember(id);
    log.info('hook', { type: printable(type ?? 'an event without a type', 60) });
    this.#ask(now);
  }

  #remember(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > IDS_MAX && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Looks now, or as soon as the gap is over: the last of many events is never the one that is missed. */
  #ask(now: EpochMs): void {
    if (this.#isDue) return;
    const wait = this.#lookedAt + LOOK_GAP_MS - now;
    if (wait <= 0) return this.#look(now);
    this.#isDue = true;
    void sleep(this.#options.clock, wait, this.#signal).then(() => {
      this.#isDue = false;
      if (!this.#signal.aborted) this.#look(this.#options.clock.now());
    });
  }

  #look(now: EpochMs): void {
    this.#lookedAt = now;
    this.#options.core.looks.soon();
  }

  #refused(why: HookRefusal): void {
    const { clock, log } = this.#options;
    this.#refusals++;
    if (clock.now() - this.#refusedLineAt < REFUSED_LINE_MS) return;
    log.warn('hooks-refused', { why: words[why], count: this.#refusals });
    this.#refusedLineAt = clock.now();
    this.#refusals = 0;
  }
}

const words: Readonly<Record<HookRefusal, string>> = {
  signature: 'its signature is not that of webhooks.secret',
  size: 'it is longer than 64 kB',
  rate: 'there were more than 120 in a minute',
  form: 'it is no JSON object',
};

function unheard({ host, port }: HooksOptions['at'], error: unknown, at: EpochMs): Parameters<Core['bell']['ring']>[0] {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why = code === 'EADDRINUSE' ? 'another program listens there' : error instanceof Error ? error.message : String(error);
  return {
    kind: 'monitoring',
    at,
    message: `No webhook can be told at ${host}:${port}: ${why}`,
    next: 'stop what listens there, or give webhooks another port; Magpie tries again each minute, and looks at its own times meanwhile',
    purchaseId: undefined,
  };
}
