import { mkdtempSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/domain/random.ts';
import type { Log } from '../../src/engine/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { type BotPlan, settingsOf, strategiesOf } from '../../test/simulation/bot-plan.ts';
import { Door } from '../../test/simulation/door.ts';
import { Network } from '../../test/simulation/network.ts';
import { SimProcess } from '../../test/simulation/process.ts';
import { ProcessClock, SimTime } from '../../test/simulation/sim-time.ts';
import { PollExchange } from './exchange.ts';
import { type Sample, sampleAfter } from './memory.ts';
import { steadyLimits, steadyPace } from './bot.ts';

const BEGIN = Date.UTC(2026, 10, 2, 9);
const INTERVAL_MS = 1_000;
const SAMPLES = 100;

/** Buys until the money of a day or of all is spent, then goes on watching. */
const bot: BotPlan = {
  ...steadyPace,
  dedicated: true,
  limits: { ...steadyLimits, spend: { hour: 100, day: 300, total: 1_000 } },
  strategies: [
    { name: 'half-price', priority: 1, price: { max: 5, maxOfSteam: 0.45 } },
    {
      name: 'one-team',
      priority: 2,
      when: { stickers: { name: ['*Team 1*'] } },
      price: { max: 6 },
      limits: { count: { day: 5 } },
    },
    { name: 'on-paper', mode: 'dry-run', priority: 0, price: { max: 3 }, limits: { count: { total: 100 } } },
  ],
};

/** Of each poll; what stands still until its time-out does so seldom, as each time costs ten polls. */
export const trouble = {
  ...{ connectRefused: 0.003, connectStalls: 0.0005, requestLost: 0.0005, requestSlow: 0.001, answerSilent: 0.0005 },
  ...{ answerSlow: 0.001, answerTorn: 0.003, answerGarbled: 0.003, answerKept: 0.001 },
};

export interface Wanted {
  readonly polls: number;
  /** Listings that give way to others from one answer to the next. */
  readonly replaced: number;
}

/** Where such a run stands. */
export interface VirtualSample extends Sample {
  /** Timers that have not fired. */
  readonly timers: number;
}

/** What a run of polls on virtual time has come to. */
export interface VirtualRun {
  readonly samples: readonly VirtualSample[];
  readonly polls: number;
  /** Answers of the exchange that were bad, and troubles of the network besides. */
  readonly bad: number;
  /** What was said, by its kind. */
  readonly said: Readonly<Record<string, number>>;
}

/**
 * The production's feed, engine, ledger and gateway (all of it that needs no socket), composed as the daemon composes them, watching a
 * market that never stands still for so many polls at one a second. Time is virtual, the ledger's files are real.
 */
export async function pollOnVirtualTime(
  { polls, replaced }: Wanted,
  onSample: (sample: VirtualSample) => void,
): Promise<VirtualRun> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'magpie-polls-'));
  const said: Record<string, number> = {};
  const time = new SimTime(BEGIN, rethrow);
  const exchange = new PollExchange(seededRandom(1, 'exchange'), () => time.now, replaced);
  const network = new Network(time, { seed: 1, rates: trouble, oneWayMs: [3, 20] }, (request) => exchange.answer(request));
  const clock = new ProcessClock(time, { ms: 0 }, () => true);
  const opened = openLedger({ folder: join(root, 'data'), clock });
  if (!opened.ok) throw new Error(opened.fault.message);
  try {
    const process_ = new SimProcess({
      ...{ time, offset: { ms: 0 }, ledger: opened.value.ledger, network, door: new Forgetful(), boot: 1, patience: 2 },
      ...{
        settings: settingsOf(bot, root),
        strategies: strategiesOf(bot),
        random: seededRandom(1, 'gateway'),
        log: counting(said),
      },
      ...{ keys: { account: 'account', partner: 'partner' }, tradeUrl: 'https://trade.example.invalid/?partner=1&token=t' },
      ...{ alive: () => true, point: nothing, onPost: nothing, onLeave: nothing, onDefect: rethrow },
    });
    process_.start();
    const samples: VirtualSample[] = [];
    const facts = process_.core.facts;
    while (facts.polls < polls) {
      await time.run(time.now + Math.max(1, Math.round(polls / SAMPLES)) * INTERVAL_MS);
      const sample = { ...sampleAfter(facts.polls), timers: time.waiting };
      samples.push(sample);
      onSample(sample);
    }
    const stopped = process_.stop();
    await time.run(time.now + 60_000);
    await stopped;
    const struck = [...network.struck.values()].reduce((sum, count) => sum + count, 0);
    return { samples, said, polls: facts.polls, bad: exchange.bad + struck };
  } finally {
    opened.value.ledger.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** What leaves is not audited here, so it is not kept. */
export class Forgetful extends Door {
  override post(post: Parameters<Door['post']>[0]): ReturnType<Door['post']> {
    const made = super.post(post);
    this.posts.length = 0;
    return made;
  }
}

function counting(said: Record<string, number>): Log {
  const count = (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const kind = event === 'alert' ? `alert ${String(fields['kind'])}` : event;
    said[kind] = (said[kind] ?? 0) + 1;
  };
  return { info: count, warn: count, error: count };
}

function nothing(): void {
  // Nobody listens.
}

function rethrow(error: unknown): never {
  throw error;
}
