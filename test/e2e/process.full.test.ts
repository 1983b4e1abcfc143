import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { Running } from '../../scripts/proof/programs.ts';
import { listings, success } from '../app/scripted-service.ts';
import { offer, within } from '../app/stage.ts';
import { Orders, environmentOf, sees, stage } from './stage.ts';

describe('a daemon that is stopped', () => {
  it(
    'in the midst of a buy ends within ten seconds with 0, and the next start asks what became of it instead of buying again [P14]',
    { timeout: 900_000 },
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
});

describe('a daemon that ends', () => {
  const executed = (orders: Orders, body: string): Buffer =>
    success({ order: { orderId: 'u1', serviceOrderId: orders.execute(body), status: 'SUCCESS', message: null } });

  it('with nothing in flight ends at once with 0', { timeout: 900_000 }, async () => {
    const { daemon, service } = await stage({ live: () => listings([]) });
    daemon.start();
    await sees('a poll', daemon, () => service.asked('live') > 1);
    const beganAt = performance.now();
    expect(await daemon.stop()).toBe(0);
    expect(performance.now() - beganAt).toBeLessThan(3_000);
  });

  it('while the answer arrives: whatever was written, one order is one purchase [P7 P36]', { timeout: 900_000 }, async () => {
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
    { timeout: 900_000 },
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
    { timeout: 900_000 },
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
      await sees('the start', daemon, () => daemon.text.includes('Start checks passed'));
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
    { timeout: 900_000 },
    async () => {
      const { daemon, service } = await stage({ live: () => listings([]) });
      const env = { ...environmentOf(service), TMPDIR: daemon.folder, XDG_RUNTIME_DIR: daemon.folder };
      const running = new Running(['run', '--config', 'magpie.yaml'], { cwd: daemon.folder, env });
      onTestFinished(async () => void (await running.end('SIGKILL')));
      await within(() => service.asked('live') > 1, 120_000);
      running.child.kill('SIGUSR1');
      const before = service.asked('live');
      await within(() => service.asked('live') > before + 5, 120_000);
      expect(running.text).not.toContain('Debugger');
      running.child.stdout?.destroy();
      running.child.stderr?.destroy();
      const asked = service.asked('live');
      expect(await within(() => service.asked('live') > asked + 20, 120_000)).toBe(true);
      expect(running.isRunning).toBe(true);
    },
  );
});

function limitFiles(daemon: DaemonProcess, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(daemon.pid), `--fsize=${bytes}:unlimited`]);
}
