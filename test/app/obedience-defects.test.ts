import { expect, it } from 'vitest';
import { Obedience, type ObedienceOptions } from '../../src/app/obedience.ts';
import { wish } from '../ledger/support.ts';

it('a purchase of which the answer cannot be told for a defect is told as one: it ends no process unheard', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown): unknown => unheard.push(reason);
  process.on('unhandledRejection', note);
  const defects: unknown[] = [];
  const bought = (): never => {
    throw new Error('a defect');
  };
  const means = { buyer: { buy: async () => undefined }, pump: { claim: () => undefined } };
  const obedience = new Obedience({
    ...({ telling: { buying: () => undefined }, byHand: { bought }, means } as unknown as ObedienceOptions),
    onDefect: (error) => void defects.push(error),
  });
  obedience.obey({ type: 'buy', intent: wish(), requestId: 1 });
  // Node tells of them after the microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect([unheard, defects.map(String)]).toEqual([[], ['Error: a defect']]);
});
