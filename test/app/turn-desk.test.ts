import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
import type { Listing, ListingKey } from '../../src/domain/listing.ts';
import { listing, purchase } from '../support/values.ts';
import { PlainDesk } from './plain-desk.ts';
import { Member, anyAccounts, anyStep, moved, seatedAt, show, showNothingYet, take, tooMany } from './turn-members.ts';

describe('where several accounts meet', () => {
  it('a listing whose refused price has changed goes to the account that it was refused to, and to no other', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a, b], [listing()]);
    a.settles(purchase({ ...moved }));
    show(desk, [a, b], [listing({ price: 9 })]);
    expect([a.bought, b.bought]).toEqual([['800000001 at 10', '800000001 at 9'], []]);
  });

  it('what was let go of after a refusal and turns out to be bought is its own again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    a.settles(purchase({ ...tooMany }));
    a.settles(purchase({ state: 'bought' }));
    show(desk, [a, b], [listing()]);
    expect([a.bought, b.bought]).toEqual([['800000001 at 10'], []]);
  });

  it('an account that is being ended gets no turn, and takes none from the others', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    a.isEnding = true;
    show(desk, [a, b], [listing()]);
    expect([a.bought, b.bought]).toEqual([[], ['800000001 at 10']]);
  });

  it('what an account had the turn for and no row is free once its ledger is read again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    expect(a.bought).toHaveLength(1);
    // It fails before it writes a row, ends, and is started again.
    desk.leave('a');
    const again = new Member('a', desk);
    show(desk, [b], [listing()]);
    expect([again.bought, b.bought]).toEqual([[], ['800000001 at 10']]);
  });

  it('what is in its ledger stays its own when it is started again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    desk.leave('a');
    const again = new Member('a', desk, [purchase({ state: 'intended' })]);
    show(desk, [again, b], [listing()]);
    expect([again.bought, b.bought]).toEqual([[], []]);
  });

  it('nobody who may buy is left waiting for what is free, and nothing is two accounts’, whatever comes of purchases', async () => {
    await fc.assert(
      fc.asyncProperty(anyAccounts, fc.array(anyStep, { maxLength: 20 }), async (accounts, steps) => {
        showNothingYet();
        const standing = new Map<ListingKey, Listing>();
        const desk = new TurnDesk(accounts.map((_, place) => `${place}`));
        const members = seatedAt(desk, accounts);
        for (const each of steps) {
          take(each, desk, members, standing);
          // What was let go of is judged again with the next answer, though nothing has changed in it.
          show(desk, members, []);
          for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          expectFair(members, standing);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('each gets, in the same order, what it gets where everybody is asked and told anew for each turn', async () => {
    let bought = 0;
    let several = 0;
    await fc.assert(
      fc.asyncProperty(anyAccounts, fc.array(anyStep, { maxLength: 20 }), async (accounts, steps) => {
        const names = accounts.map((_, place) => `${place}`);
        const gotten: string[][][] = [];
        for (const desk of [new TurnDesk(names), new PlainDesk(names)]) {
          showNothingYet();
          const members = seatedAt(desk, accounts);
          const standing = new Map<ListingKey, Listing>();
          for (const each of steps) {
            take(each, desk, members, standing);
            for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          }
          gotten.push(members.map((member) => member.bought));
        }
        expect(gotten[0]).toEqual(gotten[1]);
        bought += gotten[0]?.flat().length ?? 0;
        several += (gotten[0]?.filter((each) => each.length > 0).length ?? 0) > 1 ? 1 : 0;
      }),
      { numRuns: 150 },
    );
    expect(bought).toBeGreaterThan(300);
    expect(several).toBeGreaterThan(50);
  });
});

function expectFair(members: readonly Member[], standing: ReadonlyMap<ListingKey, Listing>): void {
  const free = [...standing.values()].filter(({ key }) => !members.some((member) => member.has(key)));
  for (const member of members) {
    const { permits, lanes } = member.loop.state;
    if (permits > 0) expect(free.filter((each) => member.wants(each))).toEqual([]);
    const others = members.filter((other) => other !== member);
    for (const key of lanes.live.pending.keys()) expect(others.filter((other) => other.has(key))).toEqual([]);
  }
}
