import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { accessibilityFaults, desk, hasBrowser, openBrowser, phone, picture, visit } from '../support/browser.ts';
import { magpie } from './harness.ts';
import { sweepFolder } from './sweep-stage.ts';

const hostile = `<img src=http://evil.test/x onerror=alert(1)>*`;

async function report(): Promise<string> {
  const cwd = sweepFolder();
  const vary = ['price.maxOfSteam=0.4,0.5,0.6,0.7', `when.name="Case*", "*", ${JSON.stringify(hostile)}`];
  const args = ['sweep', '--config', 'magpie.yaml', '--strategy', 'strategies/half.yaml', '--report', 'out.html'];
  const { code, err } = await magpie([...args, ...vary.flatMap((each) => ['--vary', each])], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: 'Report: out.html\n' });
  return join(cwd, 'out.html');
}

describe.runIf(hasBrowser)('the report of a sweep, in a browser', () => {
  it('shows maps and dots on a desk and on a phone, asks for nothing, and does nothing that a value says', async () => {
    const file = await report();
    const browser = await openBrowser();
    for (const [name, size, scheme] of [
      ['desk', desk, 'light'],
      ['phone', phone, 'dark'],
    ] as const) {
      const { page, requests, complaints } = await visit(browser, { size, scheme });
      await page.goto(pathToFileURL(file).href);
      expect(await page.title()).toBe('Magpie sweep');
      expect(await page.locator('img, script, iframe, link').count()).toBe(0);
      expect(await page.locator('table.map').count()).toBe(2);
      expect(await page.locator('td.heat').count()).toBe(24);
      expect(await page.locator('circle.dot').count()).toBe(13);
      // The cell that earned most has another colour than the one that earned nothing.
      const backgrounds = `[...document.querySelectorAll('td.heat')].map((cell) => getComputedStyle(cell).backgroundColor)`;
      const colours = await page.evaluate(backgrounds);
      expect(new Set(colours as string[]).size).toBeGreaterThan(3);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await picture(page, `sweep-${name}`);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(requests).toEqual([pathToFileURL(file).href]);
      expect(complaints).toEqual([]);
    }
    expect(readFileSync(file, 'utf8')).toContain('&lt;img');
  }, 900_000);
});
