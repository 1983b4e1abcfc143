import { readFileSync, readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { Passage } from '../../scripts/proof/passage.ts';
import { ExchangeProcess } from '../../scripts/proof/programs.ts';
import { type Setup, writeSetup } from '../../scripts/proof/setup.ts';
import { noTrouble } from '../../scripts/proof/trouble.ts';
import { freshFolder } from './fresh-folder.ts';

/** Twenty times the usual pace, with answers that break off, come late or are pages, so that bodies and sockets are left over. */
const setup: Setup = {
  config: {
    feed: { interval: '50ms', health: { interval: '200ms' } },
    rate: { reads: { perSecond: 200, concurrent: 4 }, buys: { perSecond: 5, concurrent: 1 }, timeout: '1s' },
    reconcile: { interval: '1s' },
    recording: { maxSize: '20MB' },
  },
  limits: { maxPrice: 5, spend: { day: 100_000 }, perItem: { day: 100 }, openPurchases: 100_000, unknown: 1_000 },
  strategies: { cheap: { when: { name: '*' }, price: { max: 5 } } },
};
const trouble = {
  ...noTrouble,
  readLost: 0.02,
  readCut: 0.02,
  readHtml: 0.02,
  readLate: 0.02,
  readError: 0.02,
  buyLostAfter: 0.05,
  buyCut: 0.05,
};

/** Counted in polls: a busy machine takes longer to be warm. By then the heap has been as large as it grows between two collections. */
const WARM_POLLS = 1_400;
const WATCHED_POLLS = 1_400;

interface Sample {
  readonly megabytes: number;
  readonly handles: number;
}

function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return { megabytes: kilobytes / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
}

/** Memory goes up and down with each collection, and by chance at any moment: what does not grow reaches the same height again and again. */
function most(samples: readonly Sample[]): number {
  return Math.max(...samples.map(({ megabytes }) => megabytes));
}

function handlesIn(samples: readonly Sample[]): number {
  return samples.reduce((sum, { handles }) => sum + handles, 0) / samples.length;
}

it(
  'memory and open handles do not grow over thousands of polls at twenty times the usual pace',
  { timeout: 900_000 },
  async () => {
    const folder = freshFolder();
    writeSetup(folder, setup);
    const exchange = await ExchangeProcess.start(['--seed', '5', '--listings', '400', '--balance', '100000', '--speed', '5'], {
      cwd: folder,
    });
    onTestFinished(async () => void (await exchange.running.end('SIGTERM')));
    await exchange.setFaults(trouble);
    const passage = await Passage.open(exchange.keys.baseUrl);
    onTestFinished(() => passage.close());
    let polls = 0;
    passage.onPassing = (what) => {
      if (what === 'feed') polls += 1;
      return 'pass';
    };
    const daemon = new DaemonProcess(folder, { ...exchange.environment, MAGPIE_BASE_URL: passage.baseUrl });
    onTestFinished(async () => void (await daemon.kill()));
    daemon.start();
    while (polls < WARM_POLLS && daemon.isRunning) await pause(100);
    const samples: Sample[] = [];
    for (const until = polls + WATCHED_POLLS; polls < until && daemon.isRunning; await pause(500))
      samples.push(sampleOf(daemon.pid));
    const [first, last] = [samples.slice(0, samples.length / 2), samples.slice(samples.length / 2)];
    expect(daemon.isRunning).toBe(true);
    expect(await daemon.stop()).toBe(0);
    expect(most(last) / most(first)).toBeLessThan(1.2);
    expect(handlesIn(last) - handlesIn(first)).toBeLessThan(4);
  },
);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
