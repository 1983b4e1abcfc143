import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, ledgerAt, magpie, place } from './harness.ts';

const clock = new VirtualClock();

/** A data folder whose newest sign of life is so old; `held`: by a process. */
function scene(ageMs: number, held: boolean): () => Promise<Ran> {
  const cwd = place();
  const now = clock.now();
  ledgerAt(cwd).saveHeartbeat({
    ...{
      at: now - ageMs,
      startedAt: now - 90_000,
      pid: 1,
      version: '1',
      mode: 'live',
      listings: 0,
      matching: 0,
      bad: 0,
      blockers: [],
    },
  });
  const lock = held ? acquireFolderLock(join(cwd, 'data')) : undefined;
  onTestFinished(() => (lock?.ok === true ? lock.lock.release() : undefined));
  return () => magpie(['status', '--alive', '--config', 'magpie.yaml'], { cwd, clock });
}

describe('status --alive', () => {
  it('ends with 0 while a daemon gives signs of life, whether or not it buys', async () => {
    expect(await scene(1_000, true)()).toEqual({ code: 0, out: 'running, last sign of life 1 s ago\n', err: '' });
  });

  it('ends with 1 where the signs have stopped, nobody holds the folder, or nothing has run there', async () => {
    expect(await scene(31_000, true)()).toMatchObject({ code: 1, out: 'running, last sign of life 31 s ago\n' });
    expect(await scene(1_000, false)()).toMatchObject({ code: 1, out: 'not running, last sign of life 1 s ago\n' });
    expect(await magpie(['status', '--alive', '--config', 'magpie.yaml'], { cwd: place(), clock })).toMatchObject({ code: 1 });
  });

  it('prints one document with --json', async () => {
    const { code, out } = await magpie(['status', '--alive', '--json', '--config', 'magpie.yaml'], { cwd: place(), clock });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ ok: false, running: false, lastSignAt: null });
  });
});
