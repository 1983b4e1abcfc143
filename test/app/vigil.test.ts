import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import type { Alert } from '../../src/domain/alert.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import { PollFacts } from '../../src/app/facts.ts';
import { Vigil } from '../../src/app/vigil.ts';
import { Polls, entry } from '../support/feed-entries.ts';
import { movableClock } from '../support/movable-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService, failure, listings, success } from './scripted-service.ts';
import { freshPlace, offer, startBot } from './stage.ts';

const MINUTE = 60_000;

function watched(lookIntervalMs = 30_000) {
  const clock = new VirtualClock();
  const facts = new PollFacts();
  const posted: Posted[] = [];
  const rung = new Map<string, Alert>();
  const told: string[] = [];
  const bell = {
    once: (cause: string, alert: Alert): void => {
      if (!rung.has(cause)) told.push(alert.message);
      rung.set(cause, alert);
    },
    again: (cause: string): void => void rung.delete(cause),
  };
  const vigil = new Vigil({ clock, facts, bell, post: (event) => void posted.push(event), intervalMs: 1_000, lookIntervalMs });
  /** Lets minutes pass with whatever happens each second. */
  const pass = (minutes: number, each: () => void = () => {}): void => {
    for (let seconds = 0; seconds < minutes * 60; seconds++) {
      clock.advanceSync(1_000);
      each();
      vigil.tick();
    }
  };
  return { clock, facts, posted, told, vigil, pass };
}

describe('listings that do not come', () => {
  it('are told of once, and again when they have come and stayed away anew [unattended-1 unattended-2]', () => {
    const { clock, facts, told, pass } = watched();
    pass(1);
    expect(told).toEqual([]);
    pass(60);
    expect(told).toEqual(['No whole answer of the live listings for 1 min: nothing new is bought']);
    pass(1, () => void (facts.lastCompleteAt = clock.now()));
    pass(2);
    expect(told).toHaveLength(2);
  });

  it('are not told of while they come [unattended-2]', () => {
    const { clock, facts, told, pass } = watched();
    pass(60, () => void (facts.lastCompleteAt = facts.lastMovedAt = clock.now()));
    expect(told).toEqual([]);
  });

  it('and stand still for a quarter of an hour are told of [M15]', () => {
    const { clock, facts, told, pass } = watched();
    facts.lastMovedAt = clock.now();
    pass(60, () => void (facts.lastCompleteAt = clock.now()));
    expect(told).toEqual(['Nothing has moved in the live listings for 15 min']);
  });
});

it('a poll that shows the same as before moves nothing [M15]', () => {
  const facts = new PollFacts();
  const polls = new Polls();
  const moved = [[entry()], [entry()], [entry({ price: 9 })], [entry({ price: 9 })], []].map((listings) => {
    facts.note(polls.next(listings));
    return facts.lastMovedAt === facts.lastCompleteAt;
  });
  expect(moved).toEqual([true, false, true, false, true]);
});

describe('orders that cannot be read', () => {
  it('close buying after three minutes, once, and open it when they are read [N36]', () => {
    const { posted, told, vigil, pass } = watched();
    vigil.looked();
    pass(3);
    expect(posted).toEqual([]);
    pass(10);
    expect(posted).toMatchObject([{ type: 'blocked', name: 'orders', refusal: { reason: 'orders-unread' } }]);
    expect(told.slice(-1)).toEqual([
      'Buying pauses: the orders of the account could not be read for 3 min, so nobody can tell what was bought',
    ]);
    vigil.looked();
    expect(posted.slice(1)).toEqual([{ type: 'unblocked', name: 'orders' }]);
    pass(2);
    expect(posted).toHaveLength(2);
  });

  it('are as good as none while a row of them cannot be read, also from the start', () => {
    const { posted, told, vigil, pass } = watched();
    vigil.looked(2);
    pass(4, () => vigil.looked(2));
    expect(posted).toMatchObject([{ type: 'blocked', name: 'orders' }]);
    expect(told.slice(-1)).toEqual([
      'Buying pauses: 2 rows of the list of orders of the account could not be read for 3 min, so nobody can tell what was bought',
    ]);
    vigil.looked();
    expect(posted.slice(1)).toEqual([{ type: 'unblocked', name: 'orders' }]);
  });

  it('have as long as three looks of a slower pace [N36]', () => {
    const { posted, vigil, pass } = watched(10 * MINUTE);
    vigil.looked();
    pass(30);
    expect(posted).toEqual([]);
    pass(1);
    expect(posted).toHaveLength(1);
  });

  it('keep a daemon from buying, and let it go on when they can be read again [N36]', async () => {
    let down = false;
    let offers: readonly unknown[] = [];
    const service = await ScriptedService.open({
      live: () => listings(offers),
      orders: () =>
        down ? failure(500, 'INTERNAL_ERROR', 'not today') : success({ total: 0, returned: 0, orders: [], message: 'orders' }),
    });
    const { clock, move } = movableClock();
    const bot = await startBot({ place: freshPlace(), at: service.address, clock });
    await bot.says('Start checks passed');
    down = true;
    move(4 * MINUTE);
    await bot.says('Buying pauses: the orders of the account could not be read for 4 min');
    offers = [offer('1')];
    await bot.sees('a decision', () => bot.beside((ledger) => ledger.decisions(9))[0]?.reason === 'orders-unread');
    expect(service.asked('buy')).toBe(0);
    down = false;
    await bot.sees('the buy', () => service.asked('buy') === 1);
  });

  it('are the matter of the start gate before the first look', () => {
    const { posted, pass } = watched();
    pass(60);
    expect(posted).toEqual([]);
  });
});

describe('a lock whose file is removed', () => {
  it('and taken by another closes buying with an alert, until it is free again [P12]', async () => {
    const service = await ScriptedService.open({ live: () => listings([]) });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed');
    rmSync(join(bot.data, 'magpie.lock'));
    const other = acquireFolderLock(bot.data);
    if (!other.ok) throw new Error(other.fault.message);
    const blocked = (): string | undefined => bot.daemon.core.state.blockers.get('lock')?.reason;
    await bot.sees('the lost lock', () => blocked() === 'lock-lost');
    expect(bot.beside((ledger) => ledger.alerts(0, 9)).map(({ kind }) => kind)).toEqual(['lock']);
    other.lock.release();
    await bot.sees('the lock again', () => blocked() === undefined);
    const again = acquireFolderLock(bot.data);
    expect(again).toMatchObject({ ok: false, held: true });
  });
});
