import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Daemon, startDaemon } from '../../src/app/daemon.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { writeSetup } from '../proof/setup.ts';
import { type Sample, sampleAfter } from './memory.ts';
import type { Wanted } from './virtual-run.ts';

const SAMPLES = 40;

/** As quick as the configuration allows, with a time-out that a run of minutes can afford. */
const setup = {
  config: {
    feed: { interval: '10ms', health: { interval: '100ms' } },
    rate: { reads: { perSecond: 1_000, concurrent: 4 }, buys: { perSecond: 5, concurrent: 2 }, timeout: '1s' },
    reconcile: { interval: '1s' },
    recording: { maxSize: '20MB' },
  },
  limits: { maxPrice: 10, spend: { total: 500 }, perItem: { day: 100 }, openPurchases: 1_000, unknown: 20 },
  strategies: { cheap: { when: { name: '*' }, price: { max: 5, maxOfSteam: 0.45 } } },
};

/** What the process holds open besides memory. */
export interface HttpSample extends Sample {
  readonly files: number;
  readonly sockets: number;
  readonly timers: number;
}

/** What a run of polls over real sockets has come to. */
export interface HttpRun {
  readonly polls: number;
  readonly failed: number;
  readonly samples: readonly HttpSample[];
}

/** The whole daemon in this process, against an exchange in another, for so many polls as fast as both can. */
export async function pollOverHttp({ polls, replaced }: Wanted, onSample: (sample: HttpSample) => void): Promise<HttpRun> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'magpie-polls-'));
  const program = fileURLToPath(new URL('./server.ts', import.meta.url));
  const server = fork(program, [String(replaced)], { execArgv: ['--import', 'tsx'] });
  const lines = { failed: 0 };
  try {
    const [url] = (await once(server, 'message')) as [string];
    const daemon = await started(folder, url, lines);
    const samples = await watch(daemon, polls, onSample);
    daemon.stop('the polls are done');
    const { exitCode } = await daemon.ended;
    if (exitCode !== 0) throw new Error(`the daemon ended with ${exitCode}`);
    return { polls: daemon.core.facts.polls, failed: lines.failed, samples };
  } finally {
    await ended(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(folder: string, baseUrl: string, lines: { failed: number }): Promise<Daemon> {
  const account = { apiKey: `key-of-polls-${process.pid}-0123456789abcdef`, partnerKey: 'partner-key-of-polls-0123456789' };
  const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=pollsTok';
  writeSetup(folder, { ...setup, config: { ...setup.config, service: { baseUrl }, account: { ...account, tradeUrl } } });
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd: folder, overrides: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const strategies = loadStrategies(loaded.settings.strategies, loaded.settings.strategies);
  if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
  const { feed } = loaded.settings;
  const result = await startDaemon({
    // Quicker than any configuration may ask for: the next poll begins as soon as the rate lets it.
    settings: { ...loaded.settings, feed: { ...feed, intervalMs: 1 } },
    ...{ strategies: strategies.strategies, notices: [], env: { XDG_RUNTIME_DIR: folder }, version: '0.0.0-polls' },
    ...{ clock: new SystemClock(), random: systemRandom, palette: plainPalette, once: false },
    write: (line) => {
      if (line.includes('No listings')) lines.failed++;
    },
  });
  if (!result.ok) throw new Error(result.message);
  return result.daemon;
}

async function watch(daemon: Daemon, polls: number, onSample: (sample: HttpSample) => void): Promise<HttpSample[]> {
  const samples: HttpSample[] = [];
  const { facts } = daemon.core;
  for (let next = 1; next <= SAMPLES; next++) {
    while (facts.polls < (polls * next) / SAMPLES) await pause(10);
    const sample = { ...sampleAfter(facts.polls), ...open() };
    samples.push(sample);
    onSample(sample);
  }
  return samples;
}

export function open(): Pick<HttpSample, 'files' | 'sockets' | 'timers'> {
  const files = readdirSync('/proc/self/fd').flatMap((name) => targetOf(name));
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  return { files: files.length, sockets: files.filter((target) => target.startsWith('socket:')).length, timers };
}

/** The one that the listing itself was read by is closed again by now. */
function targetOf(name: string): readonly string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${name}`)];
  } catch {
    return [];
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, 'exit');
  server.disconnect();
  await exit;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
