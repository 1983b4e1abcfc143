import { describe, expect, it } from 'vitest';
import { openBeside, openReader } from '../../src/ledger/open.ts';
import { NOON } from '../support/values.ts';
import { begun, freshFolder, freshLedger, outcomes, settled } from './support.ts';

function besides(folder: string) {
  const beside = openBeside(folder);
  const reader = openReader(folder);
  if (!beside.ok || !reader.ok) throw new Error('cannot be opened');
  return { beside: beside.value, reader: reader.value, close: () => [beside.value.close(), reader.value.close()] };
}

describe('a request to the daemon', () => {
  it('is taken up once, in order, and answered to whoever asked', () => {
    const folder = freshFolder();
    const daemon = freshLedger(folder);
    const { beside, reader, close } = besides(folder);
    const first = beside.ask('buy', { listingId: '1', market: 'c5game' }, NOON);
    const second = beside.ask('reconcile', undefined, NOON + 1);
    expect(reader.requestState(first)).toEqual({ kind: 'waiting' });
    expect(daemon.takeUp(NOON + 2, 30_000)).toEqual({
      id: first,
      kind: 'buy',
      args: { listingId: '1', market: 'c5game' },
      at: NOON,
    });
    expect(reader.requestState(first)).toEqual({ kind: 'taken' });
    expect(daemon.takeUp(NOON + 2, 30_000)).toMatchObject({ id: second, args: null });
    expect(daemon.takeUp(NOON + 2, 30_000)).toBeUndefined();
    daemon.answer(first, { ok: true, purchaseId: 7 }, NOON + 3);
    expect(reader.requestState(first)).toEqual({ kind: 'answered', answer: { ok: true, purchaseId: 7 } });
    expect(reader.requestState(99)).toEqual({ kind: 'missing' });
    close();
  });

  it('that was taken back is not done, and one that was taken up cannot be taken back', () => {
    const ledger = freshLedger();
    const id = ledger.ask('buy', {}, NOON);
    expect(ledger.withdraw(id, NOON + 1)).toBe(true);
    expect(ledger.takeUp(NOON + 2, 30_000)).toBeUndefined();
    const next = ledger.ask('buy', {}, NOON + 3);
    ledger.takeUp(NOON + 4, 30_000);
    expect(ledger.withdraw(next, NOON + 5)).toBe(false);
  });

  it('that is from far ahead may be as old', () => {
    const ledger = freshLedger();
    ledger.ask('buy', {}, NOON + 86_400_000);
    expect(ledger.takeUp(NOON, 30_000)).toBeUndefined();
  });

  it('that is old is nobody’s wish any more', () => {
    const ledger = freshLedger();
    const id = ledger.ask('buy', {}, NOON);
    expect(ledger.takeUp(NOON + 30_001, 30_000)).toBeUndefined();
    expect(ledger.requestState(id)).toEqual({ kind: 'answered', answer: { ok: false, error: 'no daemon took it up in time' } });
  });

  it('that a stopped daemon had taken up is not done again', () => {
    const ledger = freshLedger();
    const taken = ledger.ask('buy', {}, NOON);
    ledger.takeUp(NOON + 1, 30_000);
    const waiting = ledger.ask('reconcile', {}, NOON + 2);
    expect(ledger.abandonRequests(NOON + 3)).toBe(1);
    expect(ledger.requestState(taken)).toMatchObject({ kind: 'answered', answer: { ok: false } });
    expect(ledger.takeUp(NOON + 4, 30_000)).toMatchObject({ id: waiting });
  });
});

describe('a command beside the daemon', () => {
  it('is noticed, and the daemon’s own changes are not', () => {
    const folder = freshFolder();
    const daemon = freshLedger(folder);
    const { beside, reader, close } = besides(folder);
    settled(daemon, begun(daemon, 1), outcomes.unknown());
    expect(daemon.changed()).toBe(false);
    beside.halt('enough', 'person', NOON + 5);
    expect(daemon.changed()).toBe(true);
    expect(daemon.changed()).toBe(false);
    expect(daemon.halted()).toMatchObject({ reason: 'enough', by: 'person' });
    expect(reader.halted()).toMatchObject({ reason: 'enough' });
    const place = daemon.evidenceSeq();
    beside.resolve(1, 'not-bought', 'looked', NOON + 6);
    expect(daemon.changed()).toBe(true);
    expect(daemon.purchasesTouchedAfter(place)).toMatchObject([{ id: 1, state: 'rejected' }]);
    expect(reader.purchases()).toMatchObject([{ id: 1, state: 'rejected' }]);
    close();
  });

  it('reads while the daemon is in the middle of a change, and sees nothing of it', () => {
    const folder = freshFolder();
    let seen: number | undefined;
    const daemon = freshLedger(folder, (point) => {
      if (point !== 'intent:commit') return;
      const reader = openReader(folder);
      if (!reader.ok) throw new Error(reader.fault.message);
      seen = reader.value.purchases().length;
      reader.value.close();
    });
    begun(daemon, 1);
    expect(seen).toBe(0);
  });

  it('that only reads cannot write', () => {
    const folder = freshFolder();
    freshLedger(folder);
    const { reader, close } = besides(folder);
    expect(Object.keys(reader)).not.toContain('halt');
    close();
  });
});
