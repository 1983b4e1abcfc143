import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bargain, recorded } from '../replay/backtest/stage.ts';
import { desk, hasBrowser, openBrowser, phone, picture, visit } from '../support/browser.ts';
import { magpie, place } from './harness.ts';

const hostile = `<img src="http://evil.test/x" onerror="document.title='taken'"><script>document.title='taken'</script>`;
const looks = Array.from({ length: 40 }, (_, index) =>
  Array.from({ length: index }, (_each, id) => bargain(String(id), { marketHashName: `${hostile} ${id}`, rarity: hostile })),
);

async function report(): Promise<string> {
  const cwd = place({
    'strategies/redlines.yaml': 'name: half\nprice: { maxOfSteam: 0.5 }\n',
    'two/few.yaml': 'name: few\nprice: { maxOfSteam: 0.5 }\nlimits: { count: { day: 2 } }\n',
  });
  mkdirSync(join(cwd, 'data'), { recursive: true });
  copyFileSync(recorded(looks), join(cwd, 'data', 'recording.db'));
  const args = ['backtest', '--config', 'magpie.yaml', '--strategies', 'strategies', '--strategies', 'two', '--latency', '100ms'];
  const { code } = await magpie([...args, '--report', 'out.html'], { cwd });
  expect(code).toBe(0);
  return join(cwd, 'out.html');
}

describe.runIf(hasBrowser)('the report of a backtest, in a browser', () => {
  it('shows its charts on a desk and on a phone, asks for nothing, and does nothing that a name says', async () => {
    const file = await report();
    const browser = await openBrowser();
    for (const [name, size, scheme] of [
      ['desk', desk, 'light'],
      ['phone', phone, 'dark'],
    ] as const) {
      const { page, requests, complaints } = await visit(browser, { size, scheme });
      await page.goto(pathToFileURL(file).href);
      expect(await page.title()).toBe('Magpie backtest');
      expect(await page.locator('img, script, iframe, link').count()).toBe(0);
      expect(await page.locator('figure svg').count()).toBeGreaterThan(5);
      expect(await page.locator('polyline').count()).toBe(8);
      expect(await page.getByText('What this rests on').count()).toBe(1);
      expect(await page.getByText('magpie backtest --config magpie.yaml --recording').count()).toBe(1);
      // The page itself is never wider than the screen; wide tables move within theirs.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await picture(page, `backtest-${name}`);
      expect(requests).toEqual([pathToFileURL(file).href]);
      expect(complaints).toEqual([]);
    }
    expect(readFileSync(file, 'utf8')).toContain('&lt;img');
  }, 900_000);
});
