import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from '../../src/app/daemon.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';

/** The whole daemon on that service, as a user would run it, once it is open to buy. `data`: where its ledger lies. */
export async function daemonAt(
  baseUrl: string,
  place: string,
  parse: string,
): Promise<{ readonly daemon: Daemon; readonly data: string }> {
  const config = {
    ...{ mode: 'live', service: { baseUrl }, reconcile: { interval: '5s' } },
    account: {
      ...{ apiKey: 'bench-account-0123456789abcdef', partnerKey: 'bench-top-level-0123456789abcdef' },
      tradeUrl: 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=benchTKn',
    },
    feed: { interval: '250ms', health: { interval: '1s' }, parse },
    rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 100, concurrent: 1 }, timeout: '5s' },
    limits: { maxPrice: 10, spend: { day: 1_000_000 }, openPurchases: 10_000 },
  };
  mkdirSync(join(place, 'strategies'));
  writeFileSync(join(place, 'magpie.yaml'), JSON.stringify(config), { mode: 0o600 });
  const strategy = { name: 'redline', when: { name: 'AK-47 | Redline*' }, price: { max: 2 } };
  writeFileSync(join(place, 'strategies', 'redline.yaml'), JSON.stringify(strategy));
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd: place, overrides: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const { settings } = loaded;
  const strategies = loadStrategies(settings.strategies, settings.strategies);
  if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
  let opened: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const started = await startDaemon({
    ...{
      settings,
      strategies: strategies.strategies,
      notices: [],
      env: { XDG_RUNTIME_DIR: place },
      version: 'bench',
      once: false,
    },
    ...{ clock: new SystemClock(), random: systemRandom, palette: plainPalette },
    write: (line) => {
      if (line.includes('Start checks passed')) opened();
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started));
  await open;
  return { daemon: started.daemon, data: settings.data };
}
