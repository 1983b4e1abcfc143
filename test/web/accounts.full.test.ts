import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { readAssets } from '../../src/web/assets.ts';
import { accessibilityFaults, hasBrowser, openBrowser, phone, picture, visit } from '../support/browser.ts';
import { built, hostile } from './scenes.ts';
import { several } from './scenes-of-each.ts';
import { type StageOfEach, stageOfEach } from './stage-of-each.ts';
import { TOKEN } from './stage.ts';
import { enter, tour } from './tour.ts';

const table = (page: Page): ReturnType<Page['locator']> =>
  page.getByRole('region', { name: 'A line an account' }).locator('tbody tr');

const sizeOf = (page: Page): Promise<number> => page.evaluate("document.querySelectorAll('*').length");

function haltOf(scene: StageOfEach, name: string): string | undefined {
  return scene.seat(name).ledger.halted()?.reason;
}

const ofOne = [
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
const views = [
  '',
  '?state=halted',
  'purchases',
  'purchases?state=none-such',
  'alerts',
  'reports',
  ...ofOne.map((view) => `accounts/shop-one/${view}`),
  'accounts/shop-two/',
  'accounts/new-shop/',
];

describe.runIf(hasBrowser)('the page of several accounts', () => {
  it('can be read in every view, light and dark, wide and narrow, by who sees and who does not', async () => {
    const scene = await several();
    expect(await tour(await openBrowser(), { scene, name: 'accounts', views, listens: true })).toEqual([]);
  });

  it('leads from all to one and back, by a click and by a link, and shows nothing of another', async () => {
    const scene = await several();
    const { page, complaints } = await visit(await openBrowser());
    await enter({ page }, scene);
    expect(await table(page).count()).toBe(7);
    await table(page).getByRole('link', { name: 'shop-one' }).click();
    await page.getByText('All purchases').waitFor();
    expect(page.url()).toBe(`${scene.page.address}/#/accounts/shop-one/`);
    await page.getByRole('link', { name: hostile[0] }).waitFor();
    await page.getByRole('link', { name: 'Purchases', exact: true }).click();
    await page.getByRole('region', { name: 'Purchases, newest first' }).waitFor();
    expect(page.url()).toBe(`${scene.page.address}/#/accounts/shop-one/purchases`);

    await page.goto(`${scene.page.address}/#/accounts/shop-two/purchases`);
    const rows = page.getByRole('region', { name: 'Purchases, newest first' }).locator('tbody tr');
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(1);
    expect(await page.title()).toBe('Purchases · shop-two · Magpie');
    expect(await page.locator('body').innerText()).not.toContain('hacked');

    await page.getByRole('link', { name: 'All accounts' }).click();
    await table(page).first().waitFor();
    await page.goto(`${scene.page.address}/#/accounts/nobody/`);
    await page.getByText('There is no account nobody here.').waitFor();
    await page.getByRole('link', { name: 'All that there is' }).click();
    await table(page).first().waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints.filter((each) => !each.includes('404'))).toEqual([]);
  });

  it('stops all of them with the keyboard alone, on a phone as well, and lets them buy again one after another', async () => {
    const scene = await several();
    const { page } = await visit(await openBrowser(), { size: phone });
    await enter({ page }, scene);
    await page.getByRole('button', { name: 'Stop all' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(haltOf(scene, 'shop-one')).toBeUndefined();
    await page.keyboard.press('Enter');
    await page.getByLabel('Why all of them are stopped').waitFor();
    await picture(page, 'page/accounts/stopping-all-phone-light');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('input:focus, textarea:focus').waitFor();
    await page.keyboard.type('the market looks odd');
    await page.keyboard.press('Enter');
    await page.getByText('7 are stopped').waitFor();
    expect(['shop-one', 'shop-three', 'paper-shop'].map((name) => haltOf(scene, name))).toEqual(
      Array.from({ length: 3 }, () => 'the market looks odd'),
    );
    expect(await page.getByRole('button', { name: /Allow|Stop/ }).count()).toBe(0);

    await table(page).getByRole('link', { name: 'shop-three' }).click();
    await page.getByRole('button', { name: 'Allow buying' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('input:focus, textarea:focus').waitFor();
    await page.keyboard.type('it is well');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop buying' }).waitFor();
    expect([haltOf(scene, 'shop-three'), haltOf(scene, 'shop-one')]).toEqual([undefined, 'the market looks odd']);
    expect(scene.resumed).toEqual(['shop-three: it is well']);
  });

  it('asks nobody about an account that is no longer looked at', async () => {
    const scene = await several();
    const { page } = await visit(await openBrowser());
    await page.goto(`${scene.page.address}/#token=${TOKEN}`);
    await table(page).first().waitFor();
    await page.goto(`${scene.page.address}/#/accounts/shop-one/`);
    await page.getByRole('button', { name: 'Stop buying' }).click();
    await page.getByText('Stop buying? (shop-one)').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Stop all' }).waitFor();
    await expect.poll(() => page.getByRole('dialog').isVisible(), { timeout: 30_000 }).toBe(false);
    expect(haltOf(scene, 'shop-one')).toBeUndefined();
  });

  it('stays light with a thousand accounts: a hundred lines at a time, and any of them found', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `merchant-${String(index + 1).padStart(4, '0')}`);
    const scene = await stageOfEach({ names, without: names, clock: new SystemClock(), assets: readAssets(built) });
    const { page } = await visit(await openBrowser());
    await enter({ page }, scene);
    await table(page).first().waitFor();
    expect(await table(page).count()).toBe(100);
    await page.getByText('1,000 are not running').waitFor({ timeout: 120_000 });
    await picture(page, 'page/accounts/thousand-desk-light');
    const before = await sizeOf(page);
    const gaps: number = await page.evaluate(`new Promise((resolve) => {
      let last = performance.now(), longest = 0, frames = 0;
      const next = (at) => { longest = Math.max(longest, at - last); last = at; (frames += 1) < 600 ? requestAnimationFrame(next) : resolve(longest); };
      requestAnimationFrame(next);
    })`);
    expect(gaps).toBeLessThan(5_000);
    expect(await sizeOf(page)).toBe(before);
    await page.getByLabel('Name of an account').fill('0777');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1,000 accounts').waitFor();
    await table(page).getByRole('link', { name: 'merchant-0777' }).click();
    await page.getByText('merchant-0777', { exact: true }).first().waitFor();
    await page.getByText('Magpie gives no sign of life').waitFor();
  });
});
