import { seededRandom } from '../../../src/domain/random.ts';
import type { PollResult } from '../../../src/engine/snapshot.ts';
import { Tape } from '../../../src/replay/tape.ts';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import { dollars } from '../../support/values.ts';
import { SandboxMarket } from './sandbox-market.ts';

export interface RecordOptions {
  readonly path: string;
  readonly seed: number;
  readonly listings: number;
  readonly pace: number;
  readonly polls: number;
  readonly everyMs: number;
  /** Told of each poll; what it takes counts for nobody. */
  readonly onPoll?: (result: PollResult) => void;
}

export interface RecordedMarket {
  readonly events: number;
  /** CPU of all, and of what was not recording. */
  readonly ms: number;
  readonly marketMs: number;
}

/** When recordings of the bench begin. */
const BEGIN = Date.UTC(2026, 0, 5);
const HEALTH_MS = 5_000;
const BALANCE_MS = 15_000;

/** Records the sandbox's market as a daemon would: polls, health and balance, compacted at the end. Throws when it is not whole. */
export function recordMarket(options: RecordOptions): RecordedMarket {
  const began = cpuMs();
  const { path, polls, everyMs, seed, listings, pace } = options;
  const market = new SandboxMarket({ seed, listings, pace, from: BEGIN });
  const random = seededRandom(seed, 'health');
  const trouble = (told: unknown): never => {
    throw new Error(`the recording is not whole: ${JSON.stringify(told)}`);
  };
  const bounds = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 40 };
  const tape = new Tape({
    ...{ path, version: 'bench', mode: 'dry-run', startedAt: BEGIN, ...bounds, scrub: (text) => text, onTrouble: trouble },
  });
  let [events, marketMs] = [0, 0];
  let [healthAt, balanceAt] = [0, 0];
  for (let poll = 0; poll < polls; poll++) {
    const at = BEGIN + 1_000 + poll * everyMs;
    if (at - healthAt >= HEALTH_MS) {
      healthAt = at;
      const own = (): object => ({ status: 'ok', staleMs: Math.floor(random.next() * 2_000), service: true });
      tape.input('health', at, { status: 'ok', markets: { c5game: own(), ecosteam: own() }, receivedAt: at } as never);
    }
    if (at - balanceAt >= BALANCE_MS) {
      balanceAt = at;
      tape.input('balance', at, { amount: dollars(5_000), beganAt: at - 40, endedAt: at });
    }
    const before = cpuMs();
    const told = market.poll(at);
    events += told.events;
    options.onPoll?.(told.result);
    marketMs += cpuMs() - before;
    tape.poll(told.result);
  }
  tape.close(BEGIN + 2_000 + polls * everyMs);
  compactRecording(path);
  return { events, ms: cpuMs() - began, marketMs };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
