import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { isInstalled } from './programs.ts';

/** Tests in a browser are left out where there is none, except in CI. */
export const hasBrowser = isInstalled('chromium');

const args = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export const phone = { width: 390, height: 844 } as const;
export const desk = { width: 1280, height: 900 } as const;

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every address that was asked for, in order. */
  readonly requests: readonly string[];
  /** What the page complained of: errors that nobody caught, and lines of errors at the console. */
  readonly complaints: readonly string[];
}

export interface VisitOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly scheme?: 'light' | 'dark';
}

/** A browser with a profile of its own; closed after the test. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args, timeout: 120_000 });
  onTestFinished(() => browser.close());
  return browser;
}

/** A new window, as of somebody who has never been there. */
export async function visit(browser: Browser, { size = desk, scheme = 'light' }: VisitOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce', locale: 'en-US' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, context, requests, complaints };
}

/** What happens meanwhile, every process of this browser sleeps through, as it does when a laptop is shut. */
export async function whileAsleep(work: () => Promise<void>): Promise<void> {
  const asleep = chromiumProcesses();
  if (asleep.length === 0) throw new Error('there is no browser to send to sleep');
  for (const pid of asleep) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of asleep) wake(pid);
  }
}

function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    // It was about to end as it fell asleep.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Those that descend from this process. */
function chromiumProcesses(): readonly number[] {
  const parents = new Map<number, number>();
  const isChromium = new Set<number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const [, pid, program, parent] = /^(\d+) \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      parents.set(Number(pid), Number(parent));
      if (program?.startsWith('chrom') === true) isChromium.add(Number(pid));
    } catch {
      // It has ended since.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  return [...isChromium].filter(isOurs);
}

const outputs = fileURLToPath(new URL('../../test-output/', import.meta.url));

/** Keeps a picture of the whole page as `test-output/NAME.png`. */
export async function picture(page: Page, name: string): Promise<void> {
  const path = `${outputs}${name}.png`;
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true, animations: 'disabled' });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** What an accessibility engine finds wrong with a page: a rule and the place, each on a line. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // Put in by the debugger, which the page's own policy does not bind.
  await page.evaluate(axe.source);
  const result: AxeResult = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`);
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary.replace(/\s+/g, ' ')}`),
  );
}
