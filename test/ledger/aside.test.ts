import { describe, expect, it } from 'vitest';
import { type AsideTask, aside } from '../../src/ledger/aside.ts';
import { ledgerPath } from '../../src/ledger/folder.ts';
import { freshFolder, freshLedger } from './support.ts';

/** A task that takes a while, told when it is over. */
function check(over: string[], name: string, signal?: AbortSignal): Promise<void> {
  const folder = freshFolder();
  freshLedger(folder);
  const task: AsideTask = { name: 'check', path: ledgerPath(folder) };
  return aside(task, signal).then(
    () => void over.push(name),
    (error: unknown) => void over.push(`${name}: ${String(error)}`),
  );
}

describe('what is done aside', () => {
  it('is done of many in the order in which they came, and a few at once', async () => {
    const over: string[] = [];
    const names = ['1', '2', '3', '4', '5', '6'];
    const all = names.map((name) => check(over, name));
    await all[0];
    expect(over.length, 'the last have not begun').toBeLessThan(4);
    await Promise.all(all);
    expect(over.toSorted()).toEqual(names);
    expect(['1', '2']).toContain(over[0]);
    expect(['5', '6']).toContain(over.at(-1));
  });

  it('waits no longer where it is being stopped, and keeps nobody else from a turn', async () => {
    const over: string[] = [];
    const stopping = new AbortController();
    const first = [check(over, '1'), check(over, '2')];
    const waits = check(over, '3', stopping.signal);
    const last = check(over, '4');
    stopping.abort();
    await waits;
    expect(over).toEqual(['3: AsideFailure: Magpie is being stopped']);
    await Promise.all([...first, last]);
    expect(over.toSorted()).toEqual(['1', '2', '3: AsideFailure: Magpie is being stopped', '4']);
  });
});
