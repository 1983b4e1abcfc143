import { SystemClock } from '../../../src/app/system-clock.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';

/** What the parent is told of the exchange once it listens. */
export interface Exchange {
  readonly baseUrl: string;
  readonly topLevelKey: string;
  readonly childKeys: readonly string[];
}

/** The embedded exchange in a process of its own, with as many child accounts as the first argument says and listings as the second. */
const [children, listings] = process.argv.slice(2).map(Number);
process.once('disconnect', () => process.exit());
const calm = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
const { baseUrl, topLevelKey, childKeys } = await startSandbox({
  ...{ seed: 9, listings, faults: calm, balance: 100_000, clock: new SystemClock() },
  accounts: [{ kind: 'top-level' }, ...Array.from({ length: children ?? 0 }, () => ({}))],
});
process.send?.({ baseUrl, topLevelKey, childKeys } satisfies Exchange);
