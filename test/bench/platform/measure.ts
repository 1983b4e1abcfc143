import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../../src/domain/random.ts';
import { loadCatalogue } from '../../../src/sandbox/catalogue.ts';
import { drawStrategies } from '../strategies.ts';
import { inPlace } from '../wire/rivals.ts';
import type { Exchange } from './exchange-process.ts';
import type { PlatformFigures } from './platform-process.ts';

interface PlatformSize {
  readonly accounts: number;
  /** Of each account. */
  readonly strategies: number;
  readonly listings: number;
  readonly polls: number;
}

/** Of a platform that is started for the first time, where each account makes its ledger, and of one that is started again. */
interface StartFigures {
  readonly first: PlatformFigures;
  readonly again: PlatformFigures;
}

/** A whole platform and the exchange that it buys at, each in a process of its own, and what the platform tells of itself. */
async function measurePlatform(size: PlatformSize, place: string): Promise<StartFigures> {
  const exchange = start(new URL('exchange-process.ts', import.meta.url), [size.accounts, size.listings], place);
  try {
    const [at] = (await once(exchange, 'message')) as [Exchange];
    writePlatform(size, place, at);
    const first = await run(size, place);
    return { first, again: await run(size, place) };
  } finally {
    exchange.kill();
  }
}

async function run(size: PlatformSize, place: string): Promise<PlatformFigures> {
  const platform = start(new URL('platform-process.ts', import.meta.url), [place, size.polls], place);
  const [figures] = (await once(platform, 'message')) as [PlatformFigures];
  await once(platform, 'exit');
  return figures;
}

function start(file: URL, args: readonly unknown[], place: string): ChildProcess {
  return fork(fileURLToPath(file), args.map(String), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, TMPDIR: place },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** A configuration as an operator would write it, each account with a folder of strategies of its own. */
function writePlatform(
  { accounts, strategies }: PlatformSize,
  place: string,
  { baseUrl, topLevelKey, childKeys }: Exchange,
): void {
  const drawn = drawStrategies({ random: seededRandom(1, 'strategies'), catalogue: loadCatalogue() }, accounts * strategies);
  const blocks = childKeys.map((apiKey, at) => {
    const folder = join(place, 'strategies', String(at));
    mkdirSync(folder, { recursive: true });
    for (const [index, { wish }] of drawn.slice(at * strategies, (at + 1) * strategies).entries()) {
      writeFileSync(join(folder, `wish-${index}.yaml`), JSON.stringify({ name: `wish-${index}`, ...wish }));
    }
    const tradeUrl = `https://steamcommunity.com/tradeoffer/new/?partner=${100_000_000 + at}&token=benchTok`;
    return [`merchant-${at}`, { apiKey, tradeUrl, strategies: folder }];
  });
  const configuration = {
    ...{ mode: 'live', service: { baseUrl }, account: { partnerKey: topLevelKey } },
    limits: { maxPrice: 50, spend: { day: 200 } },
    accounts: Object.fromEntries(blocks) as unknown,
  };
  writeFileSync(join(place, 'magpie.yaml'), JSON.stringify(configuration), { mode: 0o600 });
}

/** npm run bench:platform -- [accounts] [polls]: on a file system in memory (TMPDIR) it leaves the waits for the disk out. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [accounts = 1_000, polls = 30] = process.argv.slice(2).map(Number);
  await inPlace(async (place) => {
    const figures = await measurePlatform({ accounts, strategies: 5, listings: 1_000, polls }, place);
    process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  });
}
