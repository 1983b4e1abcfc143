import { Subscription } from 'rxjs';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { scrubber } from '../domain/secret.ts';
import { counted } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import type { PollResult } from '../engine/snapshot.ts';
import { watchHealth, watchListings } from '../feed/watch.ts';
import type { Settings } from '../settings/settings.ts';
import { type Held, type Holdings, takeHold } from './holdings.ts';
import { createLog } from './log.ts';
import type { Palette } from './narrate.ts';
import { recordingPathOf, tapeOf } from './recording.ts';
import { gatewayOf, secretsOf } from './way-to-service.ts';

export interface RecorderOptions {
  readonly settings: Settings;
  readonly notices: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly palette: Palette;
  /** Where lines go; must not throw. */
  readonly write: (line: string) => void;
}

export interface Recorder {
  /** Ends it in order. */
  stop(why: string): Promise<void>;
}

export type RecorderStarted = { readonly ok: true; readonly recorder: Recorder } | Extract<Held, { ok: false }>;

/** How often it says how much there is by now. */
const STATUS_MS = 60_000;

/**
 * Watches the live listings and the health of the markets, and records them. It holds the data folder (and in live mode the key) as a
 * daemon does, so that rates hold; nothing is built that could decide or buy.
 */
export async function startRecorder(options: RecorderOptions): Promise<RecorderStarted> {
  const { settings, clock, env, palette, write } = options;
  const lines: { log?: Log } = {};
  const onStoreFailure = (error: unknown): void => lines.log?.error('sandbox-not-kept', { message: String(error) });
  const held = await takeHold({ settings, clock, env, onStoreFailure });
  if (!held.ok) return held;
  const scrub = scrubber(secretsOf(settings, held.holdings));
  const log = createLog({ ...settings.log, scrub, palette, write });
  lines.log = log;
  return { ok: true, recorder: record(options, held.holdings, log, scrub) };
}

function record(options: RecorderOptions, holdings: Holdings, log: Log, scrub: (text: string) => string): Recorder {
  const { settings, notices, clock, version } = options;
  const { feed } = settings;
  log.info('recording', {
    version,
    service: holdings.partner.name,
    interval: `${feed.intervalMs / 1000} s`,
    file: recordingPathOf(settings),
  });
  for (const message of [...notices, ...holdings.notices]) log.info('notice', { message });
  const gateway = gatewayOf(options, holdings, log, (until, { message }) => log.warn('slowed-down', { until, message }));
  const tape = tapeOf({ settings, clock, version, mode: 'record' }, scrub, log, (trouble) => {
    if (trouble.kind === 'paused') log.error('recording-paused', { message: trouble.message, next: trouble.next });
  });
  const tally = new Tally(log, clock);
  const { service } = gateway;
  const watched = new Subscription();
  watched.add(
    watchHealth({ service, clock, intervalMs: feed.health.intervalMs }).subscribe((health) =>
      tape?.input('health', clock.now(), health),
    ),
  );
  watched.add(
    watchListings({ service, clock, intervalMs: feed.intervalMs, parse: feed.parse }).subscribe((poll) => {
      tape?.poll(poll);
      tally.note(poll);
    }),
  );
  return { stop: async (why) => ended(why) };

  async function ended(why: string): Promise<void> {
    log.info('stopping-recording', { why });
    watched.unsubscribe();
    tape?.close(clock.now());
    await gateway.close();
    log.info('stopped', { summary: `Stopped; ${tally.words()} recorded.` });
    await holdings.release();
  }
}

/** What was recorded in this run, told now and then. */
class Tally {
  readonly #log: Log;
  readonly #clock: Clock;
  #polls = 0;
  #events = 0;
  #failures = 0;
  #toldAt: number;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#toldAt = clock.now();
  }

  note(poll: PollResult): void {
    this.#polls++;
    this.#events += (poll.change?.changed.length ?? 0) + (poll.change?.gone.length ?? 0);
    if (!poll.ok) {
      this.#failures++;
      if (this.#failures === 1) this.#log.warn('poll-failed', { message: poll.fault.message, cause: poll.fault.cause, times: 1 });
    } else if (this.#failures > 0) {
      this.#log.info('poll-recovered', { times: this.#failures });
      this.#failures = 0;
    }
    if (this.#clock.now() - this.#toldAt < STATUS_MS) return;
    this.#toldAt = this.#clock.now();
    this.#log.info('recorded', { words: this.words() });
  }

  words(): string {
    return `${counted(this.#polls, 'poll')} with ${counted(this.#events, 'event')} of listings`;
  }
}
