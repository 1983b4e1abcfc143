import { describe, expect, it } from 'vitest';
import { accessibilityFaults, hasBrowser, openBrowser, visit } from './browser.ts';

describe.runIf(hasBrowser)('the browser of the tests', () => {
  it('shows what a page asks for and complains of, and what is wrong with it for those who cannot see it', async () => {
    const { page, requests, complaints } = await visit(await openBrowser());
    const body = '<!doctype html><html lang="en"><title>A</title><main><h1>A</h1><img src="data:image/png,"></main></html>';
    await page.route('http://one.test/', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto('http://one.test/');
    await page.evaluate('console.error("that went wrong")');
    expect(await accessibilityFaults(page)).toEqual([expect.stringMatching(/^image-alt: /)]);
    expect(requests).toContain('http://one.test/');
    expect(complaints).toContain('that went wrong');
  });
});
