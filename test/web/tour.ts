import type { Browser, Page } from 'playwright-core';
import { type Visit, accessibilityFaults, desk, phone, picture, visit } from '../support/browser.ts';
import type { Scene } from './scenes.ts';
import { TOKEN } from './stage.ts';

/** Comes in with the token, as the address that the start prints has it. */
export async function enter({ page }: Pick<Visit, 'page'>, { page: served }: Pick<Scene, 'page'>): Promise<void> {
  await page.goto(`${served.address}/#token=${TOKEN}`);
  await page.getByRole('navigation').waitFor();
}

async function show(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`/${view}`)}`);
  await page.waitForTimeout(100);
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(150);
}

const schemes = ['light', 'dark'] as const;
const sizes = { desk, phone } as const;

export interface Tour {
  readonly scene: Pick<Scene, 'page'>;
  readonly name: string;
  readonly views: readonly string[];
  /** Whether the accessibility engine looks at each as well. */
  readonly listens: boolean;
}

/** Looks at views in every size and scheme, and keeps a picture of each. Returns what was wrong. */
export async function tour(browser: Browser, { scene, name, views, listens }: Tour): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [sizeName, size] of Object.entries(sizes))
    for (const scheme of schemes) {
      const seen = await visit(browser, { size, scheme });
      await enter(seen, scene);
      for (const view of views) {
        await show(seen.page, view);
        const place = `${view.replaceAll(/[^a-z0-9]+/g, '-') || 'glance'}-${sizeName}-${scheme}`;
        await picture(seen.page, `page/${name}/${place}`);
        const found = listens ? await accessibilityFaults(seen.page) : [];
        faults.push(...found.map((fault) => `${place}: ${fault}`));
        const wide = await seen.page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (wide > 0) faults.push(`${place}: ${wide} pixels too wide`);
      }
      faults.push(...seen.complaints.filter((each) => !each.includes('404')));
      await seen.context.close();
    }
  return faults;
}
