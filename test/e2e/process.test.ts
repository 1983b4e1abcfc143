import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { Running } from '../../scripts/proof/programs.ts';
import { type Setup, writeSetup } from '../../scripts/proof/setup.ts';
import { ScriptedService, type Scripts, failure, listings, success } from '../app/scripted-service.ts';
import { offer, within } from '../app/stage.ts';
import { freshFolder } from './fresh-folder.ts';

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
class Orders {
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

async function stage(scripts: Scripts, setup: Setup = quick): Promise<Stage> {
  const service = await ScriptedService.open({ live: () => listings([offer('1')]), ...scripts });
  const folder = freshFolder();
  writeSetup(folder, setup);
  const { baseUrl, childKey, topLevelKey, tradeUrl } = service.address;
  const env = { MAGPIE_BASE_URL: baseUrl, MAGPIE_API_KEY: childKey, MAGPIE_PARTNER_KEY: topLevelKey, MAGPIE_TRADE_URL: tradeUrl };
  const daemon = new DaemonProcess(folder, env);
  onTestFinished(() => daemon.kill());
  return { daemon, service };
}

async function sees(what: string, daemon: DaemonProcess, condition: () => boolean, ms = 20_000): Promise<void> {
  if (!(await within(condition, ms))) throw new Error(`not within ${ms} ms: ${what}\n${daemon.text.slice(-2_000)}`);
}

describe('a daemon that is stopped', () => {
  it(
    'in the midst of a buy ends within ten seconds with 0, and the next start asks what became of it instead of buying again [P14]',
    { timeout: 60_000 },
    async () => {
      const orders = new Orders();
      const { daemon, service } = await stage({
        buy: ({ body }) => (orders.execute(body), () => undefined),
        orders: () => orders.shown(),
      });
      daemon.start();
      await sees('a buy', daemon, () => service.asked('buy') === 1);
      const beganAt = performance.now();
      expect(await daemon.stop()).toBe(0);
      expect(performance.now() - beganAt).toBeLessThan(10_000);
      expect(daemon.text).toMatch(/Stopped after .*: 1 unknown/);

      daemon.start();
      await sees('the purchase found', daemon, () => daemon.look((ledger) => ledger.purchase(1)?.state) === 'bought');
      expect(daemon.look((ledger) => ledger.purchase(1)?.serviceOrderId)).toBe(orders.ids[0]);
      expect(service.asked('buy')).toBe(1);
    },
  );

  it('with nothing in flight ends at once with 0', { timeout: 60_000 }, async () => {
    const { daemon, service } = await stage({ live: () => listings([]) });
    daemon.start();
    await sees('a poll', daemon, () => service.asked('live') > 1);
    const beganAt = performance.now();
    expect(await daemon.stop()).toBe(0);
    expect(performance.now() - beganAt).toBeLessThan(3_000);
  });
});

describe('a daemon that is killed at the worst moment', () => {
  const executed = (orders: Orders, body: string): Buffer =>
    success({ order: { orderId: 'u1', serviceOrderId: orders.execute(body), status: 'SUCCESS', message: null } });
  it.each([
    ['before the service has done anything', (): Buffer => failure(500, 'X', 'never sent'), 'unknown'],
    [
      'after the service has done it, before it answers',
      (orders: Orders, body: string): Buffer => executed(orders, body),
      'bought',
    ],
  ] as const)(
    '%s: the purchase is held until evidence settles it, and never sent again [P5 P6 P36]',
    { timeout: 60_000 },
    async (_, execute, state) => {
      const orders = new Orders();
      const { daemon, service } = await stage({
        buy: ({ body }) => {
          execute(orders, body);
          void daemon.kill();
          return () => undefined;
        },
        orders: () => orders.shown(),
      });
      daemon.start();
      await sees('the death', daemon, () => !daemon.isRunning);
      expect(daemon.look((ledger) => ledger.purchase(1)?.state)).toBe('intended');
      for (let start = 0; start < 2; start++) {
        daemon.start();
        await sees(
          state,
          daemon,
          () => daemon.look((ledger) => ledger.purchase(1)?.state) === state && daemon.text.includes('buying is open'),
        );
        await daemon.kill();
      }
      expect(service.asked('buy')).toBe(1);
    },
  );

  it('while the answer arrives: whatever was written, one order is one purchase [P7 P36]', { timeout: 90_000 }, async () => {
    for (const waitMs of [0, 1, 3, 8]) {
      const orders = new Orders();
      const { daemon, service } = await stage({
        buy: ({ body }) => {
          setTimeout(() => void daemon.kill(), waitMs);
          return executed(orders, body);
        },
        orders: () => orders.shown(),
      });
      daemon.start();
      await sees('the death', daemon, () => !daemon.isRunning);
      daemon.start();
      await sees('bought', daemon, () => daemon.look((ledger) => ledger.purchase(1)?.state) === 'bought');
      expect(daemon.look((ledger) => [ledger.purchases().length, ledger.adoptedOrders().length])).toEqual([1, 0]);
      expect(service.asked('buy')).toBe(1);
      await daemon.kill();
    }
  });
});

describe('a daemon and its machine', () => {
  it(
    'a second one on the same folder is refused with 3; after kill -9 the next one gets it [P12]',
    { timeout: 60_000 },
    async () => {
      const { daemon, service } = await stage({ live: () => listings([]) });
      daemon.start();
      await sees('a poll', daemon, () => service.asked('live') > 1);
      const second = await daemon.command('run', '--for', '1s');
      expect(second.code).toBe(3);
      expect(second.stderr).toContain('another process is at work with this data folder');
      await daemon.kill();
      expect((await daemon.command('run', '--for', '1s')).code).toBe(0);
    },
  );

  it(
    'a full disk: nothing is bought, it stays up and says why, and goes on when there is room again [P17 unattended-4]',
    { timeout: 90_000 },
    async () => {
      let offers: readonly unknown[] = [];
      const orders = new Orders();
      const { daemon, service } = await stage({
        live: () => listings(offers),
        buy: ({ body }) =>
          success({ order: { orderId: 'u1', serviceOrderId: orders.execute(body), status: 'SUCCESS', message: null } }),
        orders: () => orders.shown(),
      });
      daemon.start();
      await sees('the start', daemon, () => daemon.text.includes('buying is open'));
      // No file may grow beyond what it holds now: what a full disk looks like to one process.
      limitFiles(daemon, '8192');
      offers = [offer('1')];
      await sees('why', daemon, () => daemon.text.includes('nothing is bought meanwhile'));
      const asked = service.asked('live');
      await sees('polls all the same', daemon, () => service.asked('live') > asked + 10);
      expect(service.asked('buy')).toBe(0);
      const lines = daemon.text.split('\n').length;
      await sees('more polls', daemon, () => service.asked('live') > asked + 40);
      expect(daemon.text.split('\n').length - lines).toBeLessThan(12);
      limitFiles(daemon, 'unlimited');
      await sees('the purchase', daemon, () => daemon.look((ledger) => ledger.purchase(1)?.state) === 'bought');
      expect(service.asked('buy')).toBe(1);
      expect(await daemon.stop()).toBe(0);
    },
  );

  it(
    'SIGUSR1 opens no inspector, and a reader of its lines that goes away does not end it [P16 P34 S32]',
    { timeout: 60_000 },
    async () => {
      const { daemon, service } = await stage({ live: () => listings([]) });
      const env = daemonEnvironment(daemon, service);
      const running = new Running(['run', '--config', 'magpie.yaml'], { cwd: daemon.folder, env });
      onTestFinished(async () => void (await running.end('SIGKILL')));
      await within(() => service.asked('live') > 1, 20_000);
      running.child.kill('SIGUSR1');
      const before = service.asked('live');
      await within(() => service.asked('live') > before + 5, 20_000);
      expect(running.text).not.toContain('Debugger');
      running.child.stdout?.destroy();
      running.child.stderr?.destroy();
      const asked = service.asked('live');
      expect(await within(() => service.asked('live') > asked + 20, 20_000)).toBe(true);
      expect(running.isRunning).toBe(true);
    },
  );
});

function limitFiles(daemon: DaemonProcess, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`]);
}

function daemonEnvironment(daemon: DaemonProcess, service: ScriptedService): Record<string, string> {
  const { baseUrl, childKey, topLevelKey, tradeUrl } = service.address;
  const keys = {
    MAGPIE_BASE_URL: baseUrl,
    MAGPIE_API_KEY: childKey,
    MAGPIE_PARTNER_KEY: topLevelKey,
    MAGPIE_TRADE_URL: tradeUrl,
  };
  return { ...keys, TMPDIR: daemon.folder, XDG_RUNTIME_DIR: daemon.folder };
}
