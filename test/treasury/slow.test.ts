import { describe, expect, it, onTestFinished } from 'vitest';
import type { TransferReply } from '../../src/treasury/bank.ts';
import type { Child } from '../../src/treasury/child-balances.ts';
import { openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import type { TreasuryEvent } from '../../src/treasury/event.ts';
import { Treasury } from '../../src/treasury/treasury.ts';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { usualPolicy } from './stage.ts';

const second = 1_000;

/** A service that takes its time: so long for each balance, and so long for each transfer. */
function slowly(balances: readonly number[], tookMs: { readonly read: number; readonly transfer: number }) {
  const opened = openToWrite(freshFolder());
  if (!opened.ok) throw new Error(opened.fault.message);
  const journal = new TreasuryJournal(opened.value);
  onTestFinished(() => journal.close());
  const clock = new VirtualClock();
  const told: TreasuryEvent[] = [];
  const reader = (accountId: string, amount: number): Child['reader'] => ({
    async balance() {
      const askedAt = clock.now();
      await clock.advance(tookMs.read);
      return { ok: true, accountId, reading: { balance: dollars(amount), askedAt } };
    },
  });
  const names = balances.map((_, index) => `child-${index}`);
  const policy = {
    ...{ ...usualPolicy, hour: dollars(10_000), day: dollars(10_000) },
    children: names.map((name) => ({ name, floor: dollars(50), target: dollars(200), perDay: dollars(500) })),
  };
  const transfer = async (): Promise<TransferReply> => {
    await clock.advance(tookMs.transfer);
    return { kind: 'unknown', why: 'no answer', requestId: undefined };
  };
  let keys = 0;
  const treasury = new Treasury({
    ...{ policy, journal, clock, gapMs: 0, mover: { transfer }, top: reader('top', 9_000) },
    children: new Map(
      names.map((name, index) => [name, { to: { email: `${name}@x.example` }, reader: reader(name, balances[index] ?? 0) }]),
    ),
    newKey: () => `key-${(keys += 1)}`,
    tell: (event) => told.push(event),
  });
  return { treasury, journal, told };
}

describe('a treasury whose service is slow', () => {
  it('sends by no balance that was read more than a minute ago, however long the transfers before it took', async () => {
    const { treasury, journal, told } = slowly([10, 20, 30], { read: second, transfer: 30 * second });
    await treasury.round();
    expect(journal.transfers(0).map(({ child }) => child)).toEqual(['child-0', 'child-1']);
    expect(told).toContainEqual({ kind: 'not-written', child: 'child-2', why: expect.stringContaining('too long ago') });
  });

  it('fills who needs it most, however many are read after it', async () => {
    const { treasury, journal } = slowly([30, 10, ...Array.from({ length: 200 }, () => 100)], { read: second, transfer: second });
    const { verdicts } = await treasury.round();
    expect(journal.transfers(0).map(({ child }) => child)).toEqual(['child-1', 'child-0']);
    expect(verdicts.filter(({ reason }) => reason === 'enough')).toHaveLength(200);
  });

  it('lets no child wait for another whose key is asked to slow down, and leaves that key alone as long', async () => {
    const opened = openToWrite(freshFolder());
    if (!opened.ok) throw new Error(opened.fault.message);
    const journal = new TreasuryJournal(opened.value);
    onTestFinished(() => journal.close());
    const clock = new VirtualClock();
    const asked: string[] = [];
    const reader = (accountId: string, amount: number): Child['reader'] => ({
      async balance() {
        asked.push(accountId);
        if (accountId === 'a') return { ok: false, why: 'HTTP 429: slow down', retryAfterMs: 15 * 60 * second };
        return { ok: true, accountId, reading: { balance: dollars(amount), askedAt: clock.now() } };
      },
    });
    const made = async (): Promise<TransferReply> => ({
      kind: 'made',
      told: { amountCents: undefined, partnerKeyId: undefined, childKeyId: undefined },
      requestId: undefined,
    });
    const child = (name: string): [string, Child] => [name, { to: { email: `${name}@x.example` }, reader: reader(name, 20) }];
    let keys = 0;
    const treasury = new Treasury({
      ...{ policy: usualPolicy, journal, clock, gapMs: 0, mover: { transfer: made }, top: reader('top', 9_000) },
      ...{ children: new Map([child('a'), child('b')]), newKey: () => `key-${(keys += 1)}`, tell: () => undefined },
    });
    const round = await treasury.round();
    expect(round.quietUntil).toBeUndefined();
    expect(round.verdicts.map(({ child: name, reason }) => [name, reason])).toEqual([
      ['b', 'transfer'],
      ['a', 'unread'],
    ]);
    await clock.advance(14 * 60 * second);
    await treasury.round();
    expect(asked.filter((name) => name === 'a')).toHaveLength(1);
    await clock.advance(2 * 60 * second);
    await treasury.round();
    expect(asked.filter((name) => name === 'a')).toHaveLength(2);
  });
});
