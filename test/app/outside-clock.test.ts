import { expect, it } from 'vitest';
import { Outside, type OutsideOptions } from '../../src/app/outside.ts';
import { freshFolder, freshLedger, opened } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

it.each([-3_600_000, 3_600_000])('a command is heard whose clock has stepped by %i ms since the daemon began', (stepMs) => {
  const folder = freshFolder();
  const ledger = freshLedger(folder);
  const clock = new VirtualClock(NOON);
  const obeyed: string[] = [];
  const outside = new Outside({
    ...({} as Omit<OutsideOptions, 'obey'>),
    ...{ ledger, clock, state: () => ({ halt: undefined }) as ReturnType<OutsideOptions['state']> },
    obey: ({ kind }) => void obeyed.push(kind),
  });
  clock.stepWall(stepMs);
  clock.advanceSync(60_000);
  const command = opened(folder);
  command.ask('reconcile', null, clock.wall());
  outside.look();
  expect(obeyed).toEqual(['reconcile']);
  command.ask('buy', null, clock.wall());
  clock.advanceSync(31_000);
  outside.look();
  expect(obeyed, 'what is old by any clock is not done').toEqual(['reconcile']);
});
