import { describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { busy, fresh } from './scenes.ts';
import { tour } from './tour.ts';

const views = [
  '',
  'purchases',
  'purchase/1',
  'purchase/46',
  'decisions',
  'strategies',
  'charts',
  'alerts',
  'why',
  'why/800000030',
  'reports',
];

describe.runIf(hasBrowser)('the page', () => {
  it('can be read in every view, light and dark, wide and narrow, by who sees and who does not', async () => {
    const browser = await openBrowser();
    const scene = await busy();
    expect(await tour(browser, { scene, name: 'busy', views, listens: true })).toEqual([]);
    const few = ['', 'alerts'];
    const old = Date.now() - 340_000;
    scene.beat({
      lastPollAt: old,
      blockers: [{ reason: 'snapshot-stale', detail: 'the newest whole answer of the live listings is 5 min 40 s old' }],
      health: { reason: 'failed', at: old, message: 'the health of the markets could not be read: connect ECONNREFUSED' },
    });
    expect(await tour(browser, { scene, name: 'failing', views: few, listens: false })).toEqual([]);
    scene.ledger.halt('prices look odd: AK-47 | Redline at a tenth of yesterday’s', 'person', Date.now() - 720_000);
    expect(await tour(browser, { scene, name: 'halted', views: few, listens: false })).toEqual([]);
  });

  it('can be read where nothing has happened yet', async () => {
    const views = ['', 'purchases', 'decisions', 'strategies', 'charts', 'alerts', 'reports'];
    expect(await tour(await openBrowser(), { scene: await fresh(), name: 'empty', views, listens: false })).toEqual([]);
  });
});
