import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { readAssets } from '../../src/web/assets.ts';
import { begun, outcomes, readBalance } from '../ledger/support.ts';
import { listing } from '../support/values.ts';
import { alive, built, fill, hostile, recordedMarket, strategies } from './scenes.ts';
import { type Seat, type StageOfEach, stageOfEach } from './stage-of-each.ts';

const shops = ['shop-one', 'shop-two', 'shop-three', 'a-shop-with-a-name-that-goes-on', 'paper-shop', 'new-shop', 'shut-shop'];

/** A page with the built files, of accounts that are each in another way. */
export async function several(): Promise<StageOfEach> {
  const scene = await stageOfEach({
    names: shops,
    without: ['new-shop'],
    clock: new SystemClock(),
    assets: readAssets(built),
    files: strategies,
    given: { 'paper-shop': '{ mode: dry-run }' },
  });
  const now = Date.now();
  fill(scene.seat('shop-one'));
  recordedMarket(join(scene.cwd, 'data'));
  writeFileSync(
    join(scene.cwd, 'data', 'all-of-november.html'),
    readFileSync(join(scene.seat('shop-one').folder, 'redlines-in-november.html')),
  );
  const [two, three, long, paper] = ['shop-two', 'shop-three', shops[3] ?? '', 'paper-shop'].map((name) => scene.seat(name));
  if (two === undefined || three === undefined || long === undefined || paper === undefined) throw new Error('a seat is missing');
  spend(two, 480, now - 3_000);
  spend(long, 61.25, now - 9_000);
  two.ledger.halt('prices look odd: AK-47 | Redline at a tenth of yesterday’s', 'person', now - 720_000);
  three.ledger.recordAlert({
    kind: 'key',
    at: now - 120_000,
    message: `Its key is refused: ${hostile[0]}`,
    next: 'See `magpie doctor`.',
    purchaseId: undefined,
  });
  // A balance is believed for a minute.
  const read = (): void => [two, three, long, paper].forEach(({ ledger }) => void readBalance(ledger, 812.5, Date.now() - 2_000));
  read();
  const reading = setInterval(read, 20_000);
  onTestFinished(() => clearInterval(reading));
  alive(scene.seat('shop-one'), {});
  alive(two, {});
  alive(three, { blockers: [{ reason: 'orders-unread', detail: `the orders cannot be read: ${hostile[1]}` }] });
  alive(long, {});
  alive(paper, { mode: 'dry-run' });
  return scene;
}

/** A purchase of that amount, accepted and not delivered yet. */
function spend({ ledger }: Seat, amount: number, at: number): void {
  readBalance(ledger, 5_000, at - 2_000);
  const purchase = begun(ledger, 1, at - 1_000, { strategy: 'redlines', listing: listing({ id: '1', price: amount }) });
  ledger.recordOutcome(purchase.id, outcomes.bought('order-1'), { sentAt: at - 990, answeredAt: at - 900 }, undefined, at - 890);
}
