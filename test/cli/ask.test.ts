import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askDaemon } from '../../src/cli/ask.ts';
import { CommandFailure } from '../../src/cli/exit.ts';
import { createIo } from '../../src/cli/io.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Lock, acquireFolderLock } from '../../src/ledger/lock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Signals, ledgerAt, place } from './harness.ts';

/** A folder that a daemon holds, and a command that asks it for something. */
function asked(): { clock: VirtualClock; ledger: Ledger; lock: Lock; signals: Signals; answer: Promise<unknown> } {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  const folder = join(cwd, 'data');
  const held = acquireFolderLock(folder);
  if (!held.ok) throw new Error(held.fault.message);
  const clock = new VirtualClock();
  const signals = new Signals();
  const outlet = { write: () => undefined, isTerminal: false, columns: undefined };
  const io = createIo({ stdout: outlet, stderr: outlet, env: {}, cwd, clock, onSignal: (name, work) => signals.on(name, work) });
  const answer = askDaemon(io, ledger, folder, 'buy', { listingId: '1' }).catch((error: unknown) => error);
  return { clock, ledger, lock: held.lock, signals, answer };
}

function failure(value: unknown): string {
  if (!(value instanceof CommandFailure)) throw new Error('no failure');
  return `${value.code}: ${value.message}`;
}

describe('a request to the daemon', () => {
  it('is answered as soon as the daemon has answered', async () => {
    const { clock, ledger, lock, answer } = asked();
    await clock.advance(3_000);
    const request = ledger.takeUp(clock.now(), 30_000);
    expect(request).toMatchObject({ kind: 'buy', args: { listingId: '1' } });
    await clock.advance(40_000);
    ledger.answer(request?.id ?? 0, { ok: true }, clock.now());
    await clock.advance(200);
    expect(await answer).toEqual({ ok: true });
    lock.release();
  });

  it('is taken back when the daemon does not take it up, so that nothing is done later', async () => {
    const { clock, ledger, lock, answer } = asked();
    await clock.advance(20_000);
    expect(failure(await answer)).toMatchInlineSnapshot(
      `"1: The daemon did not take the request up (it is stuck, or has just ended): the request was taken back, nothing was done. Look at \`magpie status\`, then try again."`,
    );
    expect(ledger.takeUp(clock.now(), 60_000)).toBeUndefined();
    lock.release();
  });

  it('is taken back at once when the daemon has gone', async () => {
    const { clock, ledger, lock, answer } = asked();
    lock.release();
    await clock.advance(300);
    expect(failure(await answer)).toContain('nothing was done');
    expect(ledger.takeUp(clock.now(), 60_000)).toBeUndefined();
  });

  it('is taken back when a person stops waiting, but not once it is being done', async () => {
    const one = asked();
    await one.clock.advance(300);
    one.signals.send('SIGINT');
    await one.clock.advance(200);
    expect(failure(await one.answer)).toContain('You stopped waiting: the request was taken back');
    one.lock.release();
    const two = asked();
    two.ledger.takeUp(two.clock.now(), 60_000);
    two.signals.send('SIGTERM');
    await two.clock.advance(200);
    expect(failure(await two.answer)).toMatchInlineSnapshot(
      `"1: The daemon has taken the request up and goes on with it: \`magpie purchases\` shows what becomes of it."`,
    );
    two.lock.release();
  });
});
