import { describe, expect, it } from 'vitest';
import { REPEAT_FOR_MS, WrongAccount } from '../../src/treasury/treasury.ts';
import { dollars } from '../support/values.ts';
import { type Fate, TreasuryStage, usualPolicy } from './stage.ts';

const minute = 60_000;

describe('a round of the treasury against the exchange over HTTP', () => {
  it('fills the child that is below its floor, once, and leaves the other', async () => {
    const stage = await TreasuryStage.start();
    const { treasury, journal } = stage.started();
    const { verdicts } = await treasury.round();
    expect(verdicts.map(({ child, reason }) => [child, reason])).toEqual([
      ['a', 'transfer'],
      ['b', 'enough'],
    ]);
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
    expect(journal.transfers(0)).toMatchObject([
      { child: 'a', amountCents: 18_000, state: 'made', attempts: 1, settledBy: 'service' },
    ]);
    await stage.clock.advance(2 * minute);
    await treasury.round();
    expect([stage.sent.length, stage.total()]).toEqual([1, dollars(1_120)]);
  });

  it('has the transfer in its journal, with its key, before the request leaves', async () => {
    const stage = await TreasuryStage.start();
    const { treasury } = stage.started();
    const { journal } = stage.started();
    const seen: unknown[] = [];
    stage.onSent = () => void seen.push(...journal.open());
    await treasury.round();
    expect(seen).toMatchObject([
      { idempotencyKey: stage.sent[0]?.idempotencyKey, amountCents: 18_000, state: 'open', attempts: 1 },
    ]);
  });

  it("uses each key for its own account's profile, and the top-level one for transfers besides, and asks nothing else", async () => {
    const stage = await TreasuryStage.start();
    await stage.started().treasury.round();
    const { topLevelKey, childKeys } = stage.sandbox;
    const asked = new Set(stage.asked.map(({ key, what }) => `${[topLevelKey, ...childKeys].indexOf(key)} ${what}`));
    expect([...asked].sort()).toEqual(['0 GET /v1/user', '0 POST /v1/partner/transfers', '1 GET /v1/user', '2 GET /v1/user']);
  });

  it.each<[string, readonly Fate[]]>([
    ['its answer is lost after it was carried out', ['lost-after']],
    ['it is lost before it was carried out', ['lost-before']],
    ['it is lost again and again, before and after', ['lost-before', 'lost-after', 'lost-before', 'lost-after']],
    ['it arrives twice', ['twice']],
    ['it arrives twice and both answers are lost', ['twice', 'lost-after', 'twice']],
    ['it comes too soon', ['too-many', 'too-many']],
    ['somebody in between puts a page of its own in place of the answer', ['page-after']],
    ['the answer says only that it was done', ['without-fields']],
  ])('moves the money once where %s', async (_, fates) => {
    const stage = await TreasuryStage.start();
    stage.fates.push(...fates);
    const { treasury, journal } = stage.started();
    for (let round = 0; round < 12; round++) {
      await treasury.round();
      await stage.clock.advance(5 * minute);
    }
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
    expect(journal.transfers(0)).toMatchObject([{ state: 'made', amountCents: 18_000 }]);
    expect(new Set(stage.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect([stage.sandbox.books().transfers.length, journal.halted()]).toEqual([1, undefined]);
  });

  it('after a crash between the commit and the request sends the same transfer, and no second', async () => {
    const stage = await TreasuryStage.start();
    const first = stage.started();
    const to = { email: 'child1@sandbox.example' };
    first.journal.write(usualPolicy, { child: 'a', amount: dollars(180) }, to, 'the-key', stage.clock.now());
    // The process is gone here. What stood in the journal is all that the next one knows.
    first.journal.close();
    const { treasury, journal } = stage.started();
    await treasury.round();
    expect(stage.sent).toMatchObject([{ idempotencyKey: 'the-key', amountCents: 18_000 }]);
    expect(journal.transfers(0)).toMatchObject([{ state: 'made', attempts: 2 }]);
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
  });

  it('after a crash between the request and its answer asks with the same key', async () => {
    const stage = await TreasuryStage.start();
    const first = stage.started();
    // The journal is gone under it as the answer is on its way, as with the process.
    stage.onSent = () => first.journal.close();
    await expect(first.treasury.round()).rejects.toThrow();
    stage.onSent = () => undefined;
    const { treasury, journal } = stage.started();
    await stage.clock.advance(minute);
    await treasury.round();
    expect(new Set(stage.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect([stage.sent.length, journal.open().length, stage.sandbox.books().transfers.length]).toEqual([2, 0, 1]);
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
  });

  it('holds the money of an unknown one in full, and sends that child no second until it is settled', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 10]);
    stage.fates.push('lost-before');
    const policy = { ...usualPolicy, hour: dollars(300) };
    const { treasury, journal } = stage.started(policy);
    const { verdicts } = await treasury.round();
    // The neediest went first and got no answer; the other one gets what that leaves of the hour.
    expect(verdicts.map(({ child, amount, cutBy }) => [child, amount, cutBy])).toEqual([
      ['b', dollars(190), undefined],
      ['a', dollars(110), 'hour'],
    ]);
    expect(journal.transfers(0).map(({ child, state }) => [child, state])).toEqual([
      ['b', 'open'],
      ['a', 'made'],
    ]);
    stage.fates.push(...Array<Fate>(40).fill('lost-before'));
    for (let round = 0; round < 30; round++) {
      await stage.clock.advance(10 * minute);
      expect((await treasury.round()).verdicts.find(({ child }) => child === 'b')?.reason).toBe('open');
    }
    expect(stage.sandbox.books().transfers.length).toBe(1);
    expect(journal.transfers(0).filter(({ child }) => child === 'b').length).toBe(1);
  });

  it('asks no more of a key that is older than the service may know it for: a person settles it', async () => {
    const stage = await TreasuryStage.start();
    stage.fates.push('lost-before');
    const { treasury, journal } = stage.started();
    await treasury.round();
    await stage.clock.advance(REPEAT_FOR_MS + 1);
    await treasury.round();
    expect([stage.sent.length, journal.open().length]).toEqual([1, 1]);
    const [open] = journal.open();
    expect(journal.settle(open?.id ?? 0, { state: 'not-made', by: 'person', said: 'looked' }, stage.clock.now())).toBe(true);
    await treasury.round();
    expect(stage.balances()).toEqual([820, 200, 100].map(dollars));
    expect(new Set(stage.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  it('frees the money of what was clearly refused, and rests before it tries again', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 100]);
    const { treasury, journal } = stage.started({ ...usualPolicy, dedicated: false });
    // Somebody empties the account between the look and the transfer.
    const withdraw = { token: 'USDT', network: 'TRC20', address: 'T-somewhere', amount: 900 };
    const hand = stage.hand(stage.sandbox.topLevelKey);
    stage.onSent = async () =>
      void (stage.sent.length === 1 && (await hand.call('withdraw', { body: withdraw, key: 'account' })));
    await treasury.round();
    expect(journal.transfers(0)).toMatchObject([{ state: 'refused', attempts: 1, said: expect.stringContaining('balance') }]);
    expect((await treasury.round()).verdicts).toMatchObject([{ child: 'a', reason: 'resting' }, {}]);
    await stage.clock.advance(2 * minute);
    expect((await treasury.round()).verdicts).toMatchObject([{ child: 'a', reason: 'reserve' }, {}]);
    expect([stage.sent.length, stage.sandbox.books().transfers]).toEqual([1, []]);
  });

  it('keeps a repeat open that is refused: that says nothing of the attempt before it', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 100]);
    const { treasury, journal } = stage.started({ ...usualPolicy, dedicated: false });
    const withdraw = { token: 'USDT', network: 'TRC20', address: 'T-somewhere', amount: 900 };
    stage.fates.push('lost-before');
    await treasury.round();
    await stage.hand(stage.sandbox.topLevelKey).call('withdraw', { body: withdraw, key: 'account' });
    await stage.clock.advance(minute);
    await treasury.round();
    expect(journal.open()).toMatchObject([{ attempts: 2, said: expect.stringContaining('a repeat was refused') }]);
  });

  it.each<[Fate, string]>([
    ['other-amount', 'has moved 1 cents, and 18000 were asked for'],
    ['other-child', 'moved to ffffffffffffffffffffffff'],
  ])('halts by itself at an answer of %s, keeps it open, and sends nothing until a person resumes', async (fate, words) => {
    const stage = await TreasuryStage.start([1_000, 20, 100]);
    const { treasury, journal } = stage.started();
    journal.learn('child a', stage.sandbox.books().accounts[1]?.id ?? '');
    stage.fates.push(fate);
    await treasury.round();
    expect(journal.halted()).toMatchObject({ by: 'treasury', reason: expect.stringContaining(words) });
    expect(journal.open().length).toBe(1);
    await stage.clock.advance(30 * minute);
    const { verdicts } = await treasury.round();
    expect([stage.sent.length, verdicts.map(({ reason }) => reason)]).toEqual([1, ['halted', 'halted']]);
    journal.resume(stage.clock.now());
    await treasury.round();
    expect([stage.sent.length, journal.open().length, stage.sandbox.books().transfers.length]).toEqual([2, 0, 1]);
  });

  it('halts where the top-level balance falls by what no transfer explains', async () => {
    const stage = await TreasuryStage.start();
    const { treasury, journal } = stage.started();
    await treasury.round();
    await stage.clock.advance(2 * minute);
    const hand = stage.hand(stage.sandbox.topLevelKey);
    const body = { toEmail: 'child2@sandbox.example', amountCents: 500, idempotencyKey: 'by hand' };
    await hand.call('transfer', { body, key: 'account' });
    await treasury.round();
    expect(journal.halted()?.reason).toContain('fell by $185.00, and transfers explain $180.00');
  });

  it('halts once for what goes on, however its figures change, and once more for something else', async () => {
    const stage = await TreasuryStage.start([1_000, 100, 100]);
    const { treasury, journal } = stage.started();
    await treasury.round();
    for (const balance of [900, 800, 700, -5, -6]) {
      stage.topBalance = balance;
      await stage.clock.advance(minute);
      await treasury.round();
    }
    expect(journal.halts().map(({ reason }) => reason)).toEqual([
      'the top-level balance fell by $100.00, and transfers explain $0.00 of it',
      'the top-level balance is negative: -$5.00',
    ]);
    expect(stage.told.filter(({ kind }) => kind === 'halted')).toHaveLength(2);
  });

  it('obeys a halt that comes between the look and the request', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 10]);
    const { treasury, journal } = stage.started();
    stage.onSent = () => journal.halt('a person says so', 'person', stage.clock.now());
    const { verdicts } = await treasury.round();
    expect(verdicts.map(({ reason }) => reason)).toEqual(['transfer', 'transfer']);
    expect([stage.sent.length, journal.transfers(0).length]).toEqual([1, 1]);
  });

  it('gives nothing to a child whose key is refused, is the top-level one, or shows the account of another', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 10]);
    const [a = ''] = stage.sandbox.childKeys;
    for (const keys of [
      ['unknown-key-of-nobody', 'unknown-key-of-nobody'],
      [a, a],
      [stage.sandbox.topLevelKey, 'unknown-key-of-nobody'],
    ]) {
      const { treasury } = stage.started(usualPolicy, keys);
      expect((await treasury.round()).verdicts.map(({ reason }) => reason)).toEqual(['unread', 'unread']);
    }
    expect(stage.sent).toEqual([]);
  });

  it('refuses the journal of another top-level account before anything is sent', async () => {
    const stage = await TreasuryStage.start();
    const { treasury, journal } = stage.started();
    journal.learn('account', 'another');
    await expect(treasury.round()).rejects.toThrow(WrongAccount);
    expect(stage.sent).toEqual([]);
  });

  it('asks and sends nothing more in a round once the service wants a pause, and says until when', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 10]);
    stage.fates.push('too-many');
    const { treasury } = stage.started();
    const { quietUntil } = await treasury.round();
    expect([stage.sent.length, quietUntil]).toEqual([1, stage.clock.now() + 30_000]);
  });

  it('sends nothing, repeats neither, while this machine has another time than the service', async () => {
    const stage = await TreasuryStage.start();
    stage.fates.push('lost-before');
    await stage.started().treasury.round();
    await stage.clock.advance(10 * minute);
    const day = 24 * 60 * minute;
    for (const offMs of [-day, day, 6 * minute]) {
      stage.serviceNow = () => stage.clock.now() + offMs;
      const { treasury } = stage.started();
      expect((await treasury.round()).verdicts.map(({ reason }) => reason)).toEqual(['clock', 'clock']);
    }
    expect([stage.sent.length, stage.told.at(-1)?.kind]).toEqual([1, 'clock-wrong']);
    stage.serviceNow = () => stage.clock.now() - 4 * minute;
    const { treasury, journal } = stage.started();
    await treasury.round();
    expect([journal.open().length, stage.sent.length, stage.balances()[1]]).toEqual([0, 2, dollars(200)]);
  });

  it('sends nothing while the journal knows of a later time', async () => {
    const stage = await TreasuryStage.start();
    const { treasury, journal } = stage.started();
    journal.write(
      usualPolicy,
      { child: 'b', amount: dollars(1) },
      { email: 'child2@sandbox.example' },
      'k',
      stage.clock.now() + 60 * minute,
    );
    journal.settle(1, { state: 'made', by: 'service' }, stage.clock.now());
    expect((await treasury.round()).verdicts.map(({ reason }) => reason)).toEqual(['clock', 'clock']);
    expect(stage.sent).toEqual([]);
  });
});
