import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, phone, visit, whileAsleep } from '../support/browser.ts';
import { type Scene, busy, decisions, fresh, hostile } from './scenes.ts';
import { pause } from '../app/stage.ts';
import { TOKEN } from './stage.ts';

async function enter(page: Page, scene: Scene): Promise<void> {
  await page.goto(`${scene.page.address}/#token=${TOKEN}`);
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** How many elements there are. */
const sizeOf = (page: Page): Promise<number> => page.evaluate("document.querySelectorAll('*').length");

/** In place of the stream of the server, one that says what a test wants, a thousand at a time between two frames. */
const newsByHand = `
  window.EventSource = class extends EventTarget {
    constructor() { super(); window.source = this; setTimeout(() => this.dispatchEvent(new Event('open'))); }
    close() { if (window.source === this) window.source = undefined; }
  };
  window.hear = async (said, seconds) => {
    const text = Object.entries(said).map(([name, value]) => [name, JSON.stringify(value)]);
    for (let second = 0; second < seconds; second++) {
      for (const [name, data] of text) window.source.dispatchEvent(new MessageEvent(name, { data }));
      if (second % 1_000 === 999) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  };
`;

describe.runIf(hasBrowser)('who opens the page', () => {
  it('sees nothing without the token, and asks no other host for anything [S6]', async () => {
    const scene = await fresh();
    const { page, requests, complaints } = await visit(await openBrowser());
    await page.goto(scene.page.address);
    const field = page.getByLabel('Token of this page');
    await field.waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/[$]|Purchases|magpie\.yaml/);
    await field.fill('a wrong one');
    await field.press('Enter');
    await page.getByText('That is not the token.').waitFor();
    await field.fill(TOKEN);
    await field.press('Enter');
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect(requests.filter((url) => !url.startsWith(`${scene.page.address}/`))).toEqual([]);
    expect(requests.filter((url) => url.includes(TOKEN))).toEqual([]);
    expect(complaints.filter((words) => !words.includes('401'))).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    await page.reload();
    await field.waitFor();
  });

  it('with the address that was printed at the start is in, and the token is gone from the address', async () => {
    const scene = await fresh();
    const { page, requests } = await visit(await openBrowser());
    await enter(page, scene);
    expect(page.url()).toBe(`${scene.page.address}/#/`);
    expect(requests.filter((url) => url.split('#', 1)[0]?.includes(TOKEN))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain(TOKEN);
  });

  it('reads what the ledger says, and a hostile name is text [S9]', async () => {
    const scene = await busy();
    const { page, complaints, context } = await visit(await openBrowser());
    await enter(page, scene);
    await page.getByRole('link', { name: 'All purchases' }).click();
    const rows = page.getByRole('region', { name: 'Purchases, newest first' }).locator('tbody tr');
    await rows.first().waitFor();
    const newest = scene.ledger.purchases({ limit: 100 });
    expect(await rows.count()).toBe(newest.length);
    const shown = await rows.evaluateAll((found) => found.map((row) => (row as unknown as { innerText: string }).innerText));
    newest.forEach((purchase, index) => {
      expect(shown[index]).toContain(purchase.marketHashName);
      expect(shown[index]).toContain(`$${((purchase.paid ?? purchase.cost) / 1_000_000).toFixed(2)}`);
      expect(shown[index]).toContain(purchase.strategy);
    });
    for (const name of hostile.slice(0, 3)) {
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.goBack();
      await rows.first().waitFor();
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(complaints).toEqual([]);

    await page.getByRole('link', { name: 'Reports' }).click();
    const [report] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'redlines-in-november.html' }).click(),
    ]);
    await report.waitForTimeout(1_000);
    expect(await report.title()).toBe('its script runs');
  });

  it('stops buying and allows it again with the keyboard alone, on a phone as well', async () => {
    const scene = await fresh();
    const { page } = await visit(await openBrowser(), { size: phone });
    await enter(page, scene);
    await page.getByRole('button', { name: 'Stop buying' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(scene.ledger.halted()).toBeUndefined();
    await page.keyboard.press('Enter');
    const reason = page.getByLabel('Why it is stopped');
    await page.keyboard.type('prices look odd');
    await reason.waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Buying is stopped', { exact: true }).waitFor();
    expect(scene.ledger.halted()).toMatchObject({ reason: 'prices look odd', by: 'person' });
    await page.getByRole('button', { name: 'Allow buying' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('they are well');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop buying' }).waitFor();
    expect([scene.ledger.halted(), scene.resumed]).toEqual([undefined, ['they are well']]);
  });
});

describe.runIf(hasBrowser)('a page that stays open', () => {
  it('says that the line is broken, and comes back by itself when Magpie does', async () => {
    const scene = await fresh();
    const { page } = await visit(await openBrowser());
    await enter(page, scene);
    await scene.page.close();
    await page.getByText('The connection to Magpie is broken').waitFor();
    scene.ledger.halt('while nobody could look', 'person', Date.now());
    await scene.again();
    await page.getByText('Buying is stopped', { exact: true }).waitFor();
    await page.getByText('The connection to Magpie is broken').waitFor({ state: 'detached' });
    expect(await page.getByText('while nobody could look').count()).toBeGreaterThan(0);
  });

  it(
    'is right again after a sleep of the machine, whether or not Magpie was there all the while',
    { timeout: 900_000 },
    async () => {
      const scene = await fresh();
      const { page } = await visit(await openBrowser());
      await enter(page, scene);
      await page.getByRole('button', { name: 'Stop buying' }).waitFor();
      await whileAsleep(async () => {
        scene.ledger.halt('while the laptop was shut', 'person', Date.now());
        await pause(6_000);
      });
      await page.getByText('while the laptop was shut').first().waitFor();
      await whileAsleep(async () => {
        await scene.page.close();
        scene.ledger.resume(Date.now());
        await scene.again();
        await pause(6_000);
      });
      await page.getByRole('button', { name: 'Stop buying' }).waitFor();
      expect(await page.getByText('while the laptop was shut').count()).toBe(0);
    },
  );

  it('keeps nothing of the news of a day', { timeout: 900_000 }, async () => {
    const scene = await busy();
    const { page, context } = await visit(await openBrowser());
    await page.addInitScript(newsByHand);
    await enter(page, scene);
    await page.waitForFunction('window.source !== undefined');
    const debug = await context.newCDPSession(page);
    const held = async (): Promise<number> => {
      await debug.send('HeapProfiler.collectGarbage');
      const { usedSize } = await debug.send('Runtime.getHeapUsage');
      return usedSize;
    };
    const said = { status: scene.facts.status(), decisions: { decided: 1_000, newest: decisions(Date.now(), 8) } };
    // One of each a second, as fast as the page can take them.
    const hear = (seconds: number): Promise<void> => page.evaluate(`window.hear(${JSON.stringify(said)}, ${seconds})`);
    await hear(3_600);
    const afterAnHour = [await held(), await sizeOf(page)] as const;
    await hear(86_400);
    const afterADay = [await held(), await sizeOf(page)] as const;
    // Half a decision kept each second would be ten times as much.
    expect(afterADay[0] - afterAnHour[0]).toBeLessThan(1_000_000);
    expect(afterADay[1]).toBe(afterAnHour[1]);
  });

  it('answers while a thousand decisions a second are made, and does not grow by them', async () => {
    const scene = await fresh();
    const { page } = await visit(await openBrowser());
    await enter(page, scene);
    const flood = setInterval(() => scene.ledger.recordDecisions(decisions(Date.now(), 1_000)), 1_000);
    try {
      await page.getByText('not bought:').first().waitFor();
      await page.waitForTimeout(3_000);
      const before = await sizeOf(page);
      // Frames are drawn meanwhile, and a click is followed: nothing holds the page up for long.
      const gaps: number = await page.evaluate(`new Promise((resolve) => {
        let last = performance.now(), longest = 0, frames = 0;
        const next = (at) => { longest = Math.max(longest, at - last); last = at; (frames += 1) < 120 ? requestAnimationFrame(next) : resolve(longest); };
        requestAnimationFrame(next);
      })`);
      expect(gaps).toBeLessThan(2_000);
      await page.waitForTimeout(8_000);
      expect(await sizeOf(page)).toBeLessThanOrEqual(before + 40);
      await page.getByRole('link', { name: 'Decisions' }).first().click();
      const rows = page.getByRole('region', { name: 'Decisions, newest first' }).locator('tbody tr');
      await rows.first().waitFor();
      await page.waitForTimeout(5_000);
      expect(await rows.count()).toBe(100);
    } finally {
      clearInterval(flood);
    }
  });
});
