import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createPageFacts } from '../../src/cli/page-facts.ts';
import { keptOpen, settingsLookedAt } from '../../src/cli/page-sources.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import type { Heartbeat } from '../../src/ledger/heartbeat.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import type { Asset } from '../../src/web/assets.ts';
import type { PageFacts } from '../../src/web/page-facts.ts';
import { type ServedPage, servePage } from '../../src/web/server.ts';
import { ledgerAt, place } from '../cli/harness.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { NOON } from '../support/values.ts';

export const TOKEN = 'token-of-the-page-0123456789';

/** What stands for the built page where a test does not look at it. */
export const blank: ReadonlyMap<string, Asset> = new Map([
  ['/', { type: 'text/html; charset=utf-8', bytes: Buffer.from('<!doctype html><title>Magpie</title>') }],
]);

export interface Stage {
  readonly cwd: string;
  /** The account's data folder. */
  readonly folder: string;
  readonly ledger: Ledger;
  readonly page: ServedPage;
  readonly facts: PageFacts;
  /** What was said on resuming. */
  readonly resumed: readonly string[];
  /** Serves the page anew at the address that it had, once it was closed. */
  again(): Promise<void>;
}

export interface StageOptions {
  readonly clock?: Clock;
  readonly assets?: ReadonlyMap<string, Asset>;
  readonly host?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Takes the place of some of the facts. */
  readonly facts?: (facts: PageFacts) => PageFacts;
}

/** The page of a data folder, served from this process, on a ledger that the test writes to. */
export async function stage(options: StageOptions = {}): Promise<Stage> {
  const { clock = new VirtualClock(NOON + 60_000), assets = blank, host = '127.0.0.1', files } = options;
  const cwd = place(files);
  const ledger = ledgerAt(cwd);
  const folder = join(cwd, 'data');
  const request = { file: 'magpie.yaml', env: {}, cwd };
  const kept = keptOpen(folder);
  const token = new Secret(TOKEN);
  const scrub = scrubber([token]);
  const resumed: string[] = [];
  const onResumed = (reason: string): void => void resumed.push(reason);
  const settings = settingsLookedAt(request, folder, clock);
  const real = createPageFacts({ clock, folder, settings, reader: kept.reader, masked: scrub, onResumed });
  const facts = options.facts?.(real) ?? real;
  const served = (port: number): Promise<ServedPage> => servePage({ host, port, token, facts, assets, clock, scrub });
  const page = await served(0);
  let newest = page;
  onTestFinished(async () => {
    await newest.close();
    kept.close();
  });
  const again = async (): Promise<void> => {
    newest = await served(Number(new URL(page.address).port));
  };
  return { cwd, folder, ledger, page, facts, resumed, again };
}

/** A daemon holds the folder, and has given a sign of life. */
export function running({ folder, ledger }: Pick<Stage, 'folder' | 'ledger'>, now: number, given: Partial<Heartbeat> = {}): void {
  const held = acquireFolderLock(folder);
  if (!held.ok) throw new Error(held.fault.message);
  onTestFinished(() => held.lock.release());
  ledger.saveHeartbeat({ ...sign(now), ...given });
}

/** A sign of life of a daemon that is well. */
export function sign(now: number): Heartbeat {
  return {
    ...{ at: now, startedAt: now - 3_600_000, pid: process.pid, version: '0.1.0', mode: 'live' },
    ...{ lastPollAt: now - 800, lastLookAt: now - 5_000, listings: 498, matching: 3, bad: 0, blockers: [] },
    health: {
      status: 'ok',
      markets: {
        c5game: { status: 'ok', staleMs: 200, service: true },
        ecosteam: { status: 'degraded', staleMs: 300, service: true },
      },
      receivedAt: now - 1_000,
    },
  };
}

/** Asks as a program that has the token. */
export async function asked(page: ServedPage, path: string): Promise<unknown> {
  const answer = await fetch(`${page.address}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Posts JSON as our own page does. */
export function posted(
  page: ServedPage,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${page.address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page.address, authorization: `Bearer ${TOKEN}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
