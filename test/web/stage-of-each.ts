import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFactsOfEach } from '../../src/cli/page-facts-each.ts';
import { accountsLookedAt, keptOpenAmong } from '../../src/cli/page-sources.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Asset } from '../../src/web/assets.ts';
import type { FactsOfEach } from '../../src/web/page-facts.ts';
import { type ServedPage, servePage } from '../../src/web/server.ts';
import { onPlayMoney, place } from '../cli/harness.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { TOKEN, blank } from './stage.ts';

/** An account of the stage: where it lies, and its ledger, which the test writes to. */
export interface Seat {
  readonly name: string;
  readonly folder: string;
  readonly ledger: Ledger;
}

export interface StageOfEach {
  readonly cwd: string;
  readonly page: ServedPage;
  readonly facts: FactsOfEach;
  /** What was said on resuming, each behind its account. */
  readonly resumed: readonly string[];
  seat(name: string): Seat;
}

export interface StageOfEachOptions {
  readonly names: readonly string[];
  /** Those that have no ledger yet. */
  readonly without?: readonly string[];
  readonly clock?: Clock;
  readonly assets?: ReadonlyMap<string, Asset>;
  readonly files?: Readonly<Record<string, string>>;
  /** Of one account, as it stands in the configuration: `{ mode: dry-run }`. */
  readonly given?: Readonly<Record<string, string>>;
}

/** The page of several accounts, served from this process, on ledgers that the test writes to. */
export async function stageOfEach(options: StageOfEachOptions): Promise<StageOfEach> {
  const { names, without = [], clock = new VirtualClock(NOON + 60_000), assets = blank, files, given = {} } = options;
  const accounts = names.map((name) => `  ${name}: ${given[name] ?? '{}'}\n`).join('');
  const cwd = place({ ...files, 'magpie.yaml': `accounts:\n${accounts}${onPlayMoney}` });
  const folder = join(cwd, 'data');
  const seats = new Map<string, Seat>();
  for (const name of names.filter((each) => !without.includes(each))) {
    const own = join(folder, 'accounts', name);
    seats.set(name, { name, folder: own, ledger: freshLedger(own) });
  }
  const token = new Secret(TOKEN);
  const scrub = scrubber([token]);
  const resumed: string[] = [];
  const ledgers = keptOpenAmong();
  const settings = accountsLookedAt({ file: 'magpie.yaml', env: {}, cwd }, folder, names, clock);
  const onResumed = (reason: string, account: string): void => void resumed.push(`${account}: ${reason}`);
  const facts = createFactsOfEach({ clock, folder, names, settings, ledgers, masked: scrub, onResumed });
  const page = await servePage({ host: '127.0.0.1', port: 0, token, facts, assets, clock, scrub });
  onTestFinished(async () => {
    await page.close();
    ledgers.close();
  });
  const seat = (name: string): Seat => {
    const found = seats.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  return { cwd, page, facts, resumed, seat };
}
