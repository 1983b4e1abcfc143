import { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { type Setup, writeSetup } from '../../scripts/proof/setup.ts';
import { ScriptedService, type Scripts, listings, success } from '../app/scripted-service.ts';
import { PATIENCE_MS, offer, within } from '../app/stage.ts';
import { freshFolder } from './fresh-folder.ts';
import { onlyEnded } from './only-ended.ts';

const quick: Setup = {
  config: {
    feed: { interval: '200ms', health: { interval: '500ms' } },
    rate: { reads: { perSecond: 30, concurrent: 4 }, buys: { perSecond: 10, concurrent: 1 }, timeout: '20s' },
    reconcile: { interval: '1s' },
  },
  limits: { maxPrice: 30, spend: { day: 500 }, perItem: { day: 9 } },
  strategies: { cheap: { when: { name: '*' }, price: { max: 30 } } },
};

/** The orders that the service shows: what it was asked to buy, as far as it executed it. */
export class Orders {
  readonly ids: string[] = [];

  execute(body: string): string {
    const { itemId } = JSON.parse(body) as { itemId: string };
    const id = `65f000000000000000000${itemId.padStart(3, '0')}`;
    this.ids.push(id);
    return id;
  }

  shown(): Buffer {
    const orders = this.ids.map((id) => ({
      ...{ id, item: 'AK-47 | Redline (Field-Tested)', itemId: '10807006fab895f4', amount: 10.5, currency: 'USD' },
      ...{
        status: { code: 'PENDING', label: 'Waiting' },
        timestamp: Date.now(),
        cancelType: 0,
        cancelReason: '',
        settlementTime: null,
      },
    }));
    return success({ total: orders.length, returned: orders.length, orders, message: 'orders' });
  }
}

interface Stage {
  readonly daemon: DaemonProcess;
  readonly service: ScriptedService;
}

export async function stage(scripts: Scripts, setup: Setup = quick): Promise<Stage> {
  const service = await ScriptedService.open({ live: () => listings([offer('1')]), ...scripts });
  const folder = freshFolder();
  writeSetup(folder, setup);
  const daemon = onlyEnded(new DaemonProcess(folder, environmentOf(service)));
  return { daemon, service };
}

export async function sees(what: string, daemon: DaemonProcess, condition: () => boolean, ms = PATIENCE_MS): Promise<void> {
  if (!(await within(condition, ms))) throw new Error(`not within ${ms} ms: ${what}\n${daemon.text.slice(-2_000)}`);
}

/** What a configuration needs to be sent to this service. */
export function environmentOf(service: ScriptedService): Record<string, string> {
  const { baseUrl, childKey, topLevelKey, tradeUrl } = service.address;
  return {
    MAGPIE_BASE_URL: baseUrl,
    MAGPIE_API_KEY: childKey,
    MAGPIE_PARTNER_KEY: topLevelKey,
    MAGPIE_TRADE_URL: tradeUrl,
  };
}
