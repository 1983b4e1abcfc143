import { fileURLToPath } from 'node:url';
import { parentPort as port, workerData } from 'node:worker_threads';
import { SystemClock } from '../app/system-clock.ts';
import { sleep } from '../domain/clock.ts';
import { Secret, scrubber } from '../domain/secret.ts';
import type { SettingsRequest } from '../settings/load.ts';
import { readAssets } from '../web/assets.ts';
import type { FactsOfEach, PageFacts } from '../web/page-facts.ts';
import { servePage } from '../web/server.ts';
import { createFactsOfEach } from './page-facts-each.ts';
import { createPageFacts } from './page-facts.ts';
import type { PageOrder, PageWord } from './page-words.ts';
import { accountsLookedAt, keptOpen, keptOpenAmong, settingsLookedAt } from './page-sources.ts';

// Serves the page in a thread of its own: what it costs to look on is paid here, and never by the loop that buys.

/** An address that is taken may be free a minute later. */
const LISTEN_AGAIN_MS = 60_000;

/** As it was built, beside the program. */
const folderOfPage = fileURLToPath(new URL('../web/page/', import.meta.url));

const order = workerData as PageOrder;
const clock = new SystemClock();
const ending = new AbortController();
port?.once('message', () => ending.abort());

await serve();
process.exit(0);

async function serve(): Promise<void> {
  const { host, port, folder, request } = order;
  const token = new Secret(order.token);
  const { facts, scrub, close } = order.accounts.length === 0 ? one(folder, request, token) : each(order, token);
  const assets = readAssets(folderOfPage);
  while (!ending.signal.aborted) {
    try {
      const page = await servePage({ host, port, token, facts, assets, clock, scrub });
      tell({ kind: 'listening', address: page.address });
      await aborted(ending.signal);
      await page.close();
    } catch (error) {
      tell({ kind: 'unheard', message: error instanceof Error ? error.message : String(error) });
      await sleep(clock, LISTEN_AGAIN_MS, ending.signal);
    }
  }
  close();
}

interface Source {
  readonly facts: PageFacts | FactsOfEach;
  readonly scrub: (text: string) => string;
  readonly close: () => void;
}

function one(folder: string, request: SettingsRequest, token: Secret): Source {
  const settings = settingsLookedAt(request, folder, clock);
  const { reader, close } = keptOpen(folder);
  const scrub = scrubber([...settings().secrets, token]);
  const onResumed = (reason: string): void => tell({ kind: 'resumed', reason });
  return { facts: createPageFacts({ clock, folder, settings, reader, masked: scrub, onResumed }), scrub, close };
}

function each({ folder, request, accounts: names }: PageOrder, token: Secret): Source {
  const settings = accountsLookedAt(request, folder, names, clock);
  const ledgers = keptOpenAmong();
  const secrets = [...settings().values()].flatMap((own) => own.secrets);
  const scrub = scrubber([...new Map([...secrets, token].map((secret) => [secret.reveal(), secret])).values()]);
  const onResumed = (reason: string, account: string): void => tell({ kind: 'resumed', reason, account });
  const facts = createFactsOfEach({ clock, folder, names, settings, ledgers, masked: scrub, onResumed });
  return { facts, scrub, close: () => ledgers.close() };
}

function tell(word: PageWord): void {
  port?.postMessage(word, []);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
