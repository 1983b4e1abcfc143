import { describe, expect, it } from 'vitest';
import { failure, success } from '../app/scripted-service.ts';
import { Orders, sees, stage } from './stage.ts';

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
    { timeout: 900_000 },
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
          () => daemon.look((ledger) => ledger.purchase(1)?.state) === state && daemon.text.includes('Start checks passed'),
        );
        await daemon.kill();
      }
      expect(service.asked('buy')).toBe(1);
    },
  );
});
