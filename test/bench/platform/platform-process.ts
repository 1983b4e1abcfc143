import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPlatform } from '../../../src/app/accounts/platform.ts';
import { TurnDesk } from '../../../src/app/accounts/turn-desk.ts';
import { plainPalette } from '../../../src/app/narrate.ts';
import { openSink } from '../../../src/app/sink.ts';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { systemRandom } from '../../../src/app/system-random.ts';
import { loadSettings } from '../../../src/settings/load.ts';
import { ruleFilesOfAccounts } from '../../../src/settings/rule-files.ts';
import { loadStrategies } from '../../../src/settings/strategies.ts';

/** What the process has used by a moment. */
interface Moment {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** So long a start may take that is to be measured at all. */
const READY_MS_MAX = 300_000;

/** What a platform tells of itself. Times are since it began to read its configuration, milliseconds. */
export interface PlatformFigures {
  /** Configuration and strategies have been read. */
  readonly readMs: number;
  /** All ledgers are open. */
  readonly openMs: number;
  /** The first answer of the live listings has been judged by all. */
  readonly firstJudgedMs: number;
  /** Every account may buy: it is known, and its orders have been looked at. */
  readonly readyMs: number;
  /** At these moments. */
  readonly atRead: Moment;
  readonly atOpen: Moment;
  readonly atReady: Moment;
  /** CPU of each answer after that: telling it to all, and all turns, commits among it. */
  readonly pollsMs: readonly number[];
  /** CPU of the whole process while these came, of one core. */
  readonly load: number;
  /** Resident, after all of it and at most, bytes. */
  readonly rssBytes: number;
  readonly rssMaxBytes: number;
  readonly heapBytes: number;
  readonly down: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function momentNow(): Moment {
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuMs: Math.round(cpuMs()), rssBytes: rss, heapBytes: heapUsed };
}

/** What telling of each answer takes, however many pieces it comes in. */
class Meter {
  readonly polls: number[] = [];
  #ms = 0;
  #whole = false;

  watch(): void {
    const { afterAll, firstSeen } = TurnDesk.prototype;
    const seen = (): void => void (this.#whole = true);
    const told = (ms: number): void => {
      this.#ms += ms;
      if (!this.#whole) return;
      this.polls.push(this.#ms);
      [this.#ms, this.#whole] = [0, false];
    };
    TurnDesk.prototype.firstSeen = function (keys) {
      seen();
      firstSeen.call(this, keys);
    };
    TurnDesk.prototype.afterAll = function (work) {
      const from = cpuMs();
      afterAll.call(this, work);
      told(cpuMs() - from);
    };
  }
}

async function measure(folder: string, polls: number): Promise<PlatformFigures> {
  const meter = new Meter();
  meter.watch();
  const began = performance.now();
  const since = (): number => Math.round(performance.now() - began);
  const request = { file: 'magpie.yaml', env: {}, cwd: folder };
  const loaded = loadSettings(request);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults.slice(0, 3)));
  const filesOf = ruleFilesOfAccounts(request);
  const accounts = loaded.each.map((settings) => {
    const read = loadStrategies(settings.strategies, settings.strategies);
    if (!read.ok) throw new Error(JSON.stringify(read.faults.slice(0, 3)));
    return { settings, strategies: read.strategies, files: filesOf(settings) };
  });
  const readMs = since();
  const atRead = momentNow();
  const sink = openSink(openSync(join(folder, 'log'), 'a'));
  const started = await startPlatform({
    ...{ settings: loaded.settings, accounts, notices: [], once: false, version: 'bench', palette: plainPalette },
    ...{ env: { XDG_RUNTIME_DIR: folder }, clock: new SystemClock(), random: systemRandom, write: (line) => sink.write(line) },
  });
  if (!started.ok) throw new Error(started.message);
  const openMs = since();
  const atOpen = momentNow();
  const { platform } = started;
  const isReady = (): boolean => platform.accounts.every(({ daemon }) => daemon === undefined || daemon.core.gate.open);
  let firstJudgedMs: number | undefined;
  while (!isReady() || meter.polls.length === 0) {
    await sleep(20);
    if (meter.polls.length > 0) firstJudgedMs ??= since();
    if (since() > READY_MS_MAX) throw new Error(`not every account may buy within ${READY_MS_MAX / 1_000} s`);
  }
  const readyMs = since();
  const atReady = momentNow();
  const from = meter.polls.length;
  const [cpu, wall] = [cpuMs(), performance.now()];
  while (meter.polls.length < from + polls) await sleep(50);
  const load = (cpuMs() - cpu) / (performance.now() - wall);
  const { rss, heapUsed } = process.memoryUsage();
  return {
    ...{ readMs, openMs, firstJudgedMs: firstJudgedMs ?? readyMs, readyMs, atRead, atOpen, atReady },
    ...{ pollsMs: meter.polls.slice(from), load, rssBytes: rss, heapBytes: heapUsed },
    rssMaxBytes: process.resourceUsage().maxRSS * 1_024,
    down: platform.accounts.filter(({ down }) => down !== undefined).length,
  };
}

const [folder, polls] = process.argv.slice(2);
process.once('disconnect', () => process.exit());
const figures = await measure(folder ?? '', Number(polls));
process.send?.(figures);
process.exit();
