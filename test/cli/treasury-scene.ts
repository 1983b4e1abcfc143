import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.ts';
import { openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import { calm } from '../sandbox/harness.ts';
import { magpie, place, type Ran } from './harness.ts';

/** Another one in each process: a machine has one treasury with a key at a time. */
export const TOP = `play-top-level-key-${process.pid}`;
export const [SHOP, STORE] = ['play-key-of-the-shop', 'play-key-of-the-store'];

export interface TreasuryScene {
  readonly sandbox: RunningSandbox;
  readonly cwd: string;
  run(...args: string[]): Promise<Ran>;
  journal(): TreasuryJournal;
}

/** An exchange with a top-level account and two merchants, and a treasury's configuration; `change` makes another one of it. */
export async function treasuryScene(change: (yaml: string) => string = (yaml) => yaml): Promise<TreasuryScene> {
  const accounts = [
    { kind: 'top-level' as const, key: TOP, balance: 1_000 },
    { kind: 'child' as const, key: SHOP, email: 'shop@example.com', balance: 20 },
    { kind: 'child' as const, key: STORE, email: 'store@example.com', balance: 300 },
  ];
  const sandbox = await startSandbox({ seed: 7, listings: 20, clock: new SystemClock(), faults: calm, accounts });
  onTestFinished(() => sandbox.close());
  const yaml = `service: { baseUrl: "${sandbox.baseUrl}" }
data: ./data
rate: { reads: { perSecond: 1000 } }
treasury:
  mode: live
  key: ${TOP}
  floor: 50
  target: 200
  reserve: 100
  limits: { perTransfer: 200, childDay: 500, hour: 600, day: 2000 }
  children:
    - { name: shop, email: shop@example.com, key: ${SHOP} }
    - { name: store, email: store@example.com, key: ${STORE} }
`;
  const cwd = place({ 'treasury.yaml': change(yaml) });
  const run = (...args: string[]): Promise<Ran> =>
    magpie([...args, '--config', 'treasury.yaml'], { cwd, clock: new SystemClock() });
  const journal = (): TreasuryJournal => {
    const opened = openToWrite(join(cwd, 'data'));
    if (!opened.ok) throw new Error(opened.fault.message);
    const made = new TreasuryJournal(opened.value);
    onTestFinished(() => made.close());
    return made;
  };
  return { sandbox, cwd, run, journal };
}
