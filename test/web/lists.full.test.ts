import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { readAssets } from '../../src/web/assets.ts';
import { begun, outcomes, readBalance, settled } from '../ledger/support.ts';
import { hasBrowser, openBrowser, phone, picture, visit } from '../support/browser.ts';
import { listing } from '../support/values.ts';
import { built, hostile } from './scenes.ts';
import { several } from './scenes-of-each.ts';
import { type Seat, stageOfEach } from './stage-of-each.ts';
import { asked } from './stage.ts';
import { enter } from './tour.ts';

const rowsIn = (page: Page): ReturnType<Page['locator']> =>
  page.getByRole('region', { name: 'Purchases, newest first' }).locator('tbody tr');

const wordsOf = (found: ReturnType<Page['locator']>): Promise<string[]> =>
  found.evaluateAll((rows) => rows.map((row) => (row as unknown as { innerText: string }).innerText.replace(/\s+/g, ' ')));

/** A purchase of one dollar that the service accepted. */
function bought({ ledger }: Seat, number: number, at: number, name = `Case ${number}`): void {
  readBalance(ledger, 5_000, at - 1);
  const purchase = begun(ledger, number, at, { strategy: 'redlines', listing: listing({ id: `7${number}`, price: 1, name }) });
  settled(ledger, purchase, outcomes.bought(`order-7${number}`), at + 1);
}

/** On which each look takes a few milliseconds at least, however fast the machine: else a thousand were looked at before anybody sees. */
class SlowMachine extends SystemClock {
  #spentMs = 0;

  override mono(): number {
    this.#spentMs += 2;
    return super.mono() + this.#spentMs;
  }
}

describe.runIf(hasBrowser)('the lists of all accounts', () => {
  it('show what was bought last, whoever bought it, and lead to that purchase of that account', async () => {
    const scene = await several();
    const { page, complaints } = await visit(await openBrowser());
    await enter({ page }, scene);
    await page.getByRole('link', { name: 'All purchases' }).click();
    await rowsIn(page).first().waitFor();
    expect(await page.title()).toBe('Purchases · Magpie');
    const { purchases } = (await asked(scene.page, '/api/purchases')) as {
      purchases: readonly { account: string; marketHashName: string; strategy: string }[];
    };
    const shown = await wordsOf(rowsIn(page));
    expect(shown.length).toBe(purchases.length);
    expect(new Set(purchases.map(({ account }) => account)).size).toBeGreaterThan(2);
    for (const [index, { account, marketHashName, strategy }] of purchases.entries()) {
      expect(shown[index]?.startsWith(`${account} ${marketHashName.replace(/\s+/g, ' ')}`)).toBe(true);
      expect(shown[index]).toContain(strategy);
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();

    await rowsIn(page).filter({ hasText: 'shop-two' }).getByRole('link').last().click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(page.url()).toBe(`${scene.page.address}/#/accounts/shop-two/purchase/1`);
    await page.goBack();
    await rowsIn(page).getByRole('link', { name: 'shop-two' }).click();
    await expect.poll(() => rowsIn(page).count(), { timeout: 30_000 }).toBe(1);
    expect(page.url()).toBe(`${scene.page.address}/#/accounts/shop-two/purchases`);
    expect(complaints).toEqual([]);
  });

  it('can be narrowed and gone through, and the address keeps it', async () => {
    const scene = await several();
    const now = Date.now();
    for (let number = 0; number < 80; number += 1) bought(scene.seat('shop-three'), number, now + number * 7);
    for (let number = 0; number < 80; number += 1)
      bought(scene.seat('a-shop-with-a-name-that-goes-on'), 100 + number, now + number * 7);
    const { page } = await visit(await openBrowser(), { size: phone });
    await enter({ page }, scene);
    await page.goto(`${scene.page.address}/#/purchases`);
    await page.getByLabel("Item's name, or a listing's number").fill('case');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowsIn(page).count(), { timeout: 30_000 }).toBe(100);
    const first = await wordsOf(rowsIn(page));
    await page.getByRole('link', { name: 'Older' }).click();
    await expect.poll(() => rowsIn(page).count(), { timeout: 30_000 }).toBe(60);
    expect(page.url()).toMatch(/#\/purchases\?words=case&before=\d+(\.\d+)?_\d+_(shop-three|a-shop-with-a-name-that-goes-on)$/);
    const items = [...first, ...(await wordsOf(rowsIn(page)))].map((words) => /^\S+ Case \d+/.exec(words)?.[0]);
    expect(new Set(items).size).toBe(160);
    await page.reload();
    await expect.poll(() => rowsIn(page).count(), { timeout: 30_000 }).toBe(60);
    await page.getByRole('link', { name: 'Newest' }).click();
    await page.getByLabel('State').selectOption('not certain');
    await page.getByText('No purchase fits.').waitFor();
    expect(page.url()).toBe(`${scene.page.address}/#/purchases?words=case&state=unknown`);
  });

  it('tell what went wrong anywhere, newest first, whose it is and what to do', async () => {
    const scene = await several();
    const { page } = await visit(await openBrowser());
    await enter({ page }, scene);
    await page.getByRole('link', { name: 'All alerts' }).click();
    const lines = page.locator('.timeline > li');
    await lines.first().waitFor();
    const told = await wordsOf(lines);
    expect(told[0]).toContain(`shop-three: Its key is refused: ${hostile[0]}`);
    expect(told[0]).toContain('What to do: See magpie doctor.');
    expect(told.slice(1).every((words) => words.includes('shop-one: '))).toBe(true);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.getByRole('link', { name: '1 purchase is not certain' }).click();
    await expect
      .poll(() => wordsOf(rowsIn(page)), { timeout: 30_000 })
      .toEqual([expect.stringMatching(/^shop-one .* not certain /)]);
    await page.goto(`${scene.page.address}/#/alerts`);
    await lines.first().getByRole('link', { name: 'shop-three' }).click();
    await expect.poll(() => page.url()).toBe(`${scene.page.address}/#/accounts/shop-three/alerts`);
  });

  it('follow by themselves what happens in any account', async () => {
    const scene = await several();
    const { page } = await visit(await openBrowser());
    await enter({ page }, scene);
    await page.goto(`${scene.page.address}/#/purchases`);
    await rowsIn(page).first().waitFor();
    bought(scene.seat('shop-three'), 1, Date.now(), 'Just now');
    await page.getByRole('link', { name: 'Just now' }).waitFor();
    expect((await wordsOf(rowsIn(page)))[0]).toMatch(/^shop-three Just now bought /);
    await page.goto(`${scene.page.address}/#/alerts`);
    const alert = { kind: 'key', at: Date.now(), message: 'It has just happened', next: undefined, purchaseId: 1 } as const;
    scene.seat('shop-two').ledger.recordAlert(alert);
    await page.getByRole('link', { name: alert.message }).click();
    await expect.poll(() => page.url()).toBe(`${scene.page.address}/#/accounts/shop-two/purchase/1`);
  });

  it('of a thousand accounts come in a few at a time, and say of how many they are', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `merchant-${String(index + 1).padStart(4, '0')}`);
    const busy = names.filter((_, index) => index % 100 === 99);
    const without = names.filter((name) => !busy.includes(name));
    const scene = await stageOfEach({ names, without, clock: new SlowMachine(), assets: readAssets(built) });
    for (const [number, name] of busy.entries()) bought(scene.seat(name), number + 1, Date.now() - 50_000 + number);
    const { page } = await visit(await openBrowser());
    await enter({ page }, scene);
    await page.goto(`${scene.page.address}/#/purchases`);
    await page.getByText(/^Looked at \d+ of 1,000 accounts so far/).waitFor({ timeout: 240_000 });
    await expect.poll(() => rowsIn(page).count(), { timeout: 240_000 }).toBe(busy.length);
    await page.getByText(/^Looked at/).waitFor({ state: 'detached', timeout: 240_000 });
    const shown = await wordsOf(rowsIn(page));
    expect(shown.map((words) => words.split(' ', 1)[0])).toEqual(busy.toReversed());
    await picture(page, 'page/accounts/purchases-of-a-thousand-desk-light');
  });
});
