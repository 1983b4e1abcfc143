import { expect, it, onTestFinished } from 'vitest';
import { Outside, type OutsideOptions } from '../../src/app/outside.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { openBeside, openLedger } from '../../src/ledger/open.ts';
import { freshFolder } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

it('what a command asked is looked for again until a look at it succeeds, though nothing else changes the ledger', () => {
  const folder = freshFolder();
  let isFull = true;
  const crashPoint = (name: string): void => {
    if (isFull && name === 'take-up:commit') throw new JournalFailure('the disk is full');
  };
  const opened = openLedger({ folder, crashPoint, oneOfMany: true });
  if (!opened.ok) throw new Error(opened.fault.message);
  const { ledger } = opened.value;
  onTestFinished(() => ledger.close());
  const clock = new VirtualClock(NOON);
  const obeyed: string[] = [];
  const said: string[] = [];
  const ended = new AbortController();
  new Outside({
    ...({} as OutsideOptions),
    ...{ ledger, clock, state: () => ({ halt: undefined }) as ReturnType<OutsideOptions['state']> },
    journalFails: () => isFull,
    told: { purchases: () => undefined, journal: (failure) => void said.push(String(failure)) },
    onDefect: (error) => {
      throw error;
    },
    obey: ({ kind }) => void obeyed.push(kind),
  }).start(ended.signal);
  const command = openBeside(folder);
  if (!command.ok) throw new Error(command.fault.message);
  command.value.ask('reconcile', null, clock.wall());
  command.value.close();
  clock.advanceSync(1_000);
  expect(obeyed).toEqual([]);
  expect(said, 'it is not tried while the journal takes nothing').toEqual(['the disk is full']);
  isFull = false;
  ledger.keepStrategy('hash', 'text', NOON);
  clock.advanceSync(1_000);
  expect(obeyed).toEqual(['reconcile']);
  ended.abort();
});
