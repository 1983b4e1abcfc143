import { expect, it, onTestFinished } from 'vitest';
import { Outside, type OutsideOptions } from '../../src/app/outside.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { openBeside, openLedger } from '../../src/ledger/open.ts';
import { begun, freshFolder, opened, outcomes, readBalance, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** The ledger of an account among others, whom nothing but a command tells that it was changed. */
function stage(folder = freshFolder()) {
  const disk = { isFull: false };
  const crashPoint = (name: string): void => {
    if (disk.isFull && name === 'take-up:commit') throw new JournalFailure('the disk is full');
  };
  const begins = openLedger({ folder, crashPoint, oneOfMany: true });
  if (!begins.ok) throw new Error(begins.fault.message);
  const { ledger } = begins.value;
  const clock = new VirtualClock(NOON);
  const heard = { obeyed: [] as string[], failures: [] as string[], purchases: [] as number[][] };
  const ended = new AbortController();
  onTestFinished(() => {
    ended.abort();
    ledger.close();
  });
  new Outside({
    ...({} as OutsideOptions),
    ...{ ledger, clock, state: () => ({ halt: undefined }) as ReturnType<OutsideOptions['state']> },
    journalFails: () => disk.isFull,
    told: {
      purchases: (rows) => void heard.purchases.push(rows.map(({ id }) => id)),
      journal: (failure) => void heard.failures.push(String(failure)),
    },
    onDefect: (error) => {
      throw error;
    },
    obey: ({ kind }) => void heard.obeyed.push(kind),
  }).start(ended.signal);
  const beside = <T>(work: (ledger: Extract<ReturnType<typeof openBeside>, { ok: true }>['value']) => T): T => {
    const command = openBeside(folder);
    if (!command.ok) throw new Error(command.fault.message);
    const done = work(command.value);
    command.value.close();
    return done;
  };
  return { ledger, clock, disk, heard, beside };
}

it('what a command asked is looked for again until a look at it succeeds, though nothing else changes the ledger', () => {
  const { ledger, clock, disk, heard, beside } = stage();
  disk.isFull = true;
  beside((command) => command.ask('reconcile', null, clock.wall()));
  clock.advanceSync(1_000);
  expect(heard.obeyed).toEqual([]);
  expect(heard.failures, 'it is not tried while the journal takes nothing').toEqual(['the disk is full']);
  disk.isFull = false;
  ledger.keepStrategy('hash', 'text', NOON);
  clock.advanceSync(1_000);
  expect(heard.obeyed).toEqual(['reconcile']);
});

it('what was asked before the ledger was opened is heard of, though nobody changes it any more', () => {
  const folder = freshFolder();
  opened(folder).ask('reconcile', null, NOON);
  const { clock, heard } = stage(folder);
  clock.advanceSync(1_000);
  expect(heard.obeyed).toEqual(['reconcile']);
});

it('what the daemon wrote itself is not told again when a command changes something, however long ago the last one did', () => {
  const { ledger, clock, heard, beside } = stage();
  ledger.bindAccount('account-1');
  readBalance(ledger, 1_000, NOON);
  clock.advanceSync(1_000);
  const [first] = [1, 2, 3].map((number) => settled(ledger, begun(ledger, number), outcomes.unknown()));
  clock.advanceSync(10_000);
  beside((command) => command.resolve(first?.id ?? 0, 'not-bought', 'not among the orders', clock.wall()));
  clock.advanceSync(200);
  expect(heard.purchases).toEqual([[first?.id]]);
  clock.advanceSync(10_000);
  expect(heard.purchases.length).toBe(1);
});
