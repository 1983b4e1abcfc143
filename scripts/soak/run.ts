import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Housekeeping } from '../../src/app/housekeeping.ts';
import { createLog } from '../../src/app/log.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { shadowSum } from '../../src/domain/shadow.ts';
import type { Log } from '../../src/engine/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { scheduledBackups } from '../../src/ledger/scheduled-backups.ts';
import { Tape } from '../../src/replay/tape.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type BotPlan, settingsOf, strategiesOf } from '../../test/simulation/bot-plan.ts';
import { Network } from '../../test/simulation/network.ts';
import { SimProcess } from '../../test/simulation/process.ts';
import { ProcessClock, SimTime } from '../../test/simulation/sim-time.ts';
import { PollExchange } from '../polls/exchange.ts';
import { open } from '../polls/http-run.ts';
import { sampleAfter } from '../polls/memory.ts';
import { Forgetful, trouble } from '../polls/virtual-run.ts';
import { Person } from './person.ts';
import type { SoakBounds, SoakCounts, SoakSample } from './verdict.ts';
import { steadyLimits, steadyPace } from '../polls/bot.ts';

const BEGIN = Date.UTC(2026, 10, 2, 7);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const RELOAD_MS = 2 * HOUR_MS;
const SAMPLES = 30;
const RECORDING_BYTES = 8_000_000;
const BACKUPS = 3;

/** In a shorter soak as many listings give way to others at each poll as fill in time what remembers a bounded number of them. */
const FEW_DAYS = 3;
const MANY_NEW = 3;

/** Within a tenth and a megabyte: what a write-ahead log holds beside the file. */
export const bounds: SoakBounds = { recording: RECORDING_BYTES * 1.1 + 4_000_000, backups: BACKUPS + 1 };

/** Buys a little each day for as long as it lives; on paper a little each hour. */
const bot: BotPlan = {
  ...steadyPace,
  dedicated: false,
  limits: { ...steadyLimits, spend: { hour: 10, day: 40, total: 100_000 } },
  strategies: [
    { name: 'half-price', priority: 1, price: { max: 5, maxOfSteam: 0.45 } },
    { name: 'on-paper', mode: 'dry-run', priority: 0, price: { max: 3 }, limits: { count: { hour: 4 } } },
  ],
};

/** The same with a strategy more and other limits: what a person saves now and then. */
const otherwise: BotPlan = {
  ...bot,
  limits: { ...bot.limits, spend: { hour: 8, day: 35, total: 100_000 } },
  strategies: [
    ...bot.strategies,
    {
      name: 'one-team',
      priority: 2,
      when: { stickers: { name: ['*Team 1*'] } },
      price: { max: 6 },
      limits: { count: { day: 2 } },
    },
  ],
};

export interface SoakRun {
  readonly samples: readonly SoakSample[];
  readonly counts: SoakCounts;
  readonly minutes: number;
}

/**
 * Days of polls at one a second on virtual time, under faults of network and service: engine, feed, gateway without its sockets, ledger,
 * recording, backups, nightly checks, digests, alerts, reloads, each at its own time, composed as the daemon composes them and on real
 * files. `plantedBytes` are left behind at each poll, to see whether that is found.
 */
export async function soak(days: number, plantedBytes: number, onSample: (sample: SoakSample) => void): Promise<SoakRun> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'magpie-soak-'));
  const data = join(root, 'data');
  const time = new SimTime(BEGIN, rethrow);
  const clock = new ProcessClock(time, { ms: 0 }, () => true);
  const opened = openLedger({ folder: data, clock });
  if (!opened.ok) throw new Error(opened.fault.message);
  const { ledger } = opened.value;
  const began = performance.now();
  try {
    const life = new Life(data, time, clock, ledger, days < FEW_DAYS ? MANY_NEW : 1);
    const samples = await life.live(days, plantedBytes, onSample);
    return { samples, counts: await life.end(), minutes: (performance.now() - began) / MINUTE_MS };
  } finally {
    ledger.close();
    rmSync(root, { recursive: true, force: true });
  }
}

class Life {
  readonly #data: string;
  readonly #time: SimTime;
  readonly #clock: ProcessClock;
  readonly #ledger: Ledger;
  readonly #exchange: PollExchange;
  readonly #network: Network;
  readonly #process: SimProcess;
  readonly #house: Housekeeping;
  readonly #person: Person;
  readonly #tape: Tape;
  readonly #stopping = new AbortController();
  readonly #planted: Buffer[] = [];
  readonly #made = { reloads: 0, backups: 0, checks: 0 };
  #logged = 0;

  constructor(data: string, time: SimTime, clock: ProcessClock, ledger: Ledger, replaced: number) {
    [this.#data, this.#time, this.#clock, this.#ledger] = [data, time, clock, ledger];
    this.#exchange = new PollExchange(seededRandom(1, 'exchange'), () => time.now, replaced);
    const answer: ConstructorParameters<typeof Network>[2] = (request) => this.#exchange.answer(request);
    this.#network = new Network(time, { seed: 1, rates: trouble, oneWayMs: [3, 20] }, answer);
    const recording = { maxBytes: RECORDING_BYTES, maxAgeMs: 30 * DAY_MS };
    this.#tape = new Tape({
      ...{ path: join(data, 'recording.db'), version: 'soak', mode: 'live', startedAt: clock.now(), ...recording },
      ...{ scrub: (text: string) => text, onTrouble: ({ kind }) => log.warn('recording', { kind }) },
    });
    const log = this.#log();
    const settings = this.#settings(bot);
    this.#process = new SimProcess({
      ...{
        time,
        offset: { ms: 0 },
        ledger,
        network: this.#network,
        door: new Forgetful(),
        boot: 1,
        patience: 2,
        tape: this.#tape,
      },
      ...{ settings, strategies: strategiesOf(bot), random: seededRandom(1, 'gateway'), log },
      ...{ keys: { account: 'account', partner: 'partner' }, tradeUrl: 'https://trade.example.invalid/?partner=1&token=t' },
      ...{ alive: () => true, point: nothing, onPost: nothing, onLeave: nothing, onDefect: rethrow },
    });
    const { core } = this.#process;
    const counted = {
      troubles: { space: nothing, backup: nothing, check: () => void this.#made.checks++ },
      keep: core.keep.bind(core),
    };
    this.#house = new Housekeeping({ core: counted, ledger, clock, log, settings, onDefect: rethrow });
    this.#process.start();
    this.#house.start(this.#stopping.signal);
    this.#person = new Person({ core, ledger, clock, random: seededRandom(1, 'person'), signal: this.#stopping.signal });
  }

  /** An hour more than the days asked for, so that what happens once a day has happened in a single one too. */
  async live(days: number, plantedBytes: number, onSample: (sample: SoakSample) => void): Promise<SoakSample[]> {
    const samples: SoakSample[] = [];
    const until = BEGIN + days * DAY_MS + HOUR_MS;
    const every = (until - BEGIN) / SAMPLES;
    let other = false;
    for (let next = BEGIN + RELOAD_MS; this.#time.now < until;) {
      const polls = this.#process.core.facts.polls;
      await this.#time.run(this.#time.now + MINUTE_MS);
      // Threads of backups and checks need real time, in which this one stands still.
      await this.#house.finished();
      if (plantedBytes > 0) this.#planted.push(Buffer.alloc((this.#process.core.facts.polls - polls) * plantedBytes, 1));
      if (this.#time.now >= next) {
        next += RELOAD_MS;
        other = !other;
        const plan = other ? otherwise : bot;
        this.#process.reload(this.#settings(plan), strategiesOf(plan), () => void this.#made.reloads++);
      }
      if (this.#time.now >= BEGIN + (samples.length + 1) * every) {
        const sample = this.#sample();
        samples.push(sample);
        onSample(sample);
      }
    }
    return samples;
  }

  async end(): Promise<SoakCounts> {
    this.#stopping.abort();
    const stopped = this.#process.stop();
    await this.#time.run(this.#time.now + MINUTE_MS);
    await stopped;
    await this.#house.finished();
    this.#tape.close(this.#clock.now());
    const { letters, digests, alerts } = this.#person;
    const states = this.#ledger.countsByState();
    const shadows = this.#ledger.shadowFigures(0);
    const struck = [...this.#network.struck.values()].reduce((sum, count) => sum + count, 0);
    return {
      ...{ bad: this.#exchange.bad + struck, purchases: states.bought + states.completed + states.refunded, ...this.#made },
      ...{ digests, alerts, letters, shadows: shadowSum(shadows, 'won').count + shadowSum(shadows, 'lost').count },
    };
  }

  #settings(plan: BotPlan): Settings {
    const settings = settingsOf(plan, this.#data);
    return { ...settings, backup: { everyMs: 6 * HOUR_MS, keep: BACKUPS }, disk: { minFreeBytes: 0 } };
  }

  /** Lines as the daemon writes them, counted and let go. */
  #log(): Log {
    const write = (line: string): void => void (this.#logged += Buffer.byteLength(line));
    const lines = createLog({ format: 'human', level: 'info', scrub: (text) => text, palette: plainPalette, write });
    const info: Log['info'] = (event, fields) => {
      if (event === 'backed-up') this.#made.backups++;
      lines.info(event, fields);
    };
    return { ...lines, info };
  }

  #sample(): SoakSample {
    const held = sampleAfter(this.#process.core.facts.polls);
    const { files } = open();
    const sizes = { ledger: bytesOf(this.#data, 'magpie.db'), recording: bytesOf(this.#data, 'recording.db') };
    const backups = scheduledBackups(this.#data).length;
    return { ...held, files, timers: this.#time.waiting, ...sizes, backups, logged: this.#logged };
  }
}

/** Of a database with its write-ahead log. */
function bytesOf(folder: string, name: string): number {
  return ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(join(folder, `${name}${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function nothing(): void {
  // Nobody listens.
}

function rethrow(error: unknown): never {
  throw error;
}
