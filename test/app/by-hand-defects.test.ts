import { expect, it } from 'vitest';
import { ByHand, type ByHandOptions } from '../../src/app/by-hand.ts';
import type { DaemonRequest } from '../../src/ledger/requests.ts';

it('a look that a command asks for and that fails for a defect is told as one: it ends no process unheard', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown): unknown => unheard.push(reason);
  process.on('unhandledRejection', note);
  const defects: unknown[] = [];
  const byHand = new ByHand({
    ...({} as ByHandOptions),
    ...{ look: () => Promise.reject(new Error('a defect')), onDefect: (error) => void defects.push(error) },
  });
  byHand.obey({ id: 1, kind: 'reconcile', args: {} } as unknown as DaemonRequest);
  // Node tells of them after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([unheard, defects.map(String)]).toEqual([[], ['Error: a defect']]);
});
