import { describe, expect, it } from 'vitest';
import { type AuditOutcome, auditAccount } from '../../src/app/account-audit.ts';
import type { ReadName } from '../../src/engine/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { agrees } from '../../src/risk/audit/report.ts';
import { Desk } from '../execution/support/desk.ts';
import { begun, freshLedger, outcomes, readBalance, settled } from '../ledger/support.ts';
import { NOON, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

interface Row {
  readonly [field: string]: unknown;
}

/** An account on which so many purchases were made, each a minute after the other, as the service shows it a day later. */
class Account {
  readonly ledger: Ledger = freshLedger();
  readonly clock = new VirtualClock(NOON + 24 * 60 * MINUTE);
  readonly orders: Row[] = [];
  readonly transactions: Row[] = [];
  readonly entries: Row[] = [];
  balance = 1_000;
  readonly desk: Desk;
  looks = 0;

  constructor(purchases: number) {
    for (let number = 1; number <= purchases; number++) this.#buy(number);
    this.ledger.apply([{ kind: 'look', beganAt: NOON + 1, baseTotal: 0 }], NOON + 1);
    const page = (rows: readonly Row[], query: { page?: number; limit?: number }): Row[] => {
      const [number, limit] = [query.page ?? 1, Math.min(query.limit ?? 20, 20)];
      return rows.slice((number - 1) * limit, number * limit);
    };
    this.desk = new Desk(this.clock, {
      user: () => ({ type: 'apiKey', profile: { id: 'account-1', balance: this.balance } }),
      orders: () => ({ total: this.orders.length, returned: this.orders.length, orders: this.orders }),
      transactions: ({ query = {} }) => ({ total: this.transactions.length, transactions: page(this.transactions, query) }),
      ledger: ({ query = {} }) => ({ page: 1, limit: 20, total: this.entries.length, items: page(this.entries, query) }),
    });
  }

  #buy(number: number): void {
    const at = NOON + number * MINUTE + 10 * MINUTE;
    const offer = listing({ id: String(number), itemId: String(number).padStart(16, '0'), price: 1, priceWithFee: 1.05 });
    readBalance(this.ledger, this.balance, at - 1_000);
    settled(this.ledger, begun(this.ledger, number, at, { listing: offer }), outcomes.bought(`o${number}`), at + 100);
    const about = { itemId: offer.itemId, timestamp: at };
    this.orders.unshift({
      ...about,
      id: `o${number}`,
      item: offer.name,
      amount: 1.05,
      currency: 'USD',
      status: { code: 'SUCCESS' },
    });
    this.books({ ...about, id: `t${number}`, itemName: offer.name, float: 0.2, price: 1, amount: 1.05, type: 'purchase' });
  }

  /** Newest first, as most services show their lists. */
  books(row: Row): void {
    this.transactions.unshift(row);
    const { id, amount, timestamp } = row;
    this.entries.unshift({ id: `l${String(id)}`, type: 'debit', amount, timestamp });
    this.balance = Math.round((this.balance - Number(amount)) * 100) / 100;
  }

  async audit(signal = new AbortController().signal): Promise<AuditOutcome> {
    const { desk: service, clock, ledger } = this;
    let outcome: AuditOutcome | undefined;
    const look = async (): Promise<void> => void (this.looks += 1);
    void auditAccount({ service, clock, ledger, look, signal }).then((done) => (outcome = done));
    for (let steps = 0; steps < 1_000 && outcome === undefined; steps++) await clock.advance(100);
    if (outcome === undefined) throw new Error('it does not come to an end');
    return outcome;
  }

  asked(name: ReadName): number {
    return this.desk.asked.filter((question) => question.name === name).length;
  }
}

/** Does something while the second page of the transactions is asked for; after so many questions for them the service fails. */
function atSecondPage(account: Account, work: () => unknown, answers = Infinity): void {
  const { transactions = () => undefined } = account.desk.answers;
  let asked = 0;
  account.desk.answers.transactions = (request) => {
    asked += 1;
    if (asked === 2) work();
    return asked > answers ? new Error('the service failed (500)') : transactions(request);
  };
}

describe('reading what the service shows', () => {
  it('goes through every page of transactions and ledger, with spare questions only, one at a time', async () => {
    const account = new Account(50);
    const outcome = await account.audit();
    expect(outcome).toMatchObject({
      ok: true,
      report: { differences: [], notes: [], compared: { purchases: 50, orders: 50, transactions: 50, movements: 50 } },
    });
    expect(['user', 'orders', 'transactions', 'ledger'].map((name) => account.asked(name as ReadName))).toEqual([2, 1, 3, 3]);
    expect(account.desk.busiest).toBe(1);
    expect(new Set(account.desk.asked.map(({ request }) => (request as { urgency: string }).urgency))).toEqual(
      new Set(['spare']),
    );
    expect(account.looks).toBe(1);
  });

  it('loses nothing that comes in while the pages are read', async () => {
    const account = new Account(45);
    atSecondPage(account, () =>
      account.books({
        id: 'new',
        itemId: 'f'.repeat(16),
        itemName: 'Else',
        amount: 3,
        type: 'purchase',
        timestamp: NOON + 1_000 * MINUTE,
      }),
    );
    expect(await account.audit()).toMatchObject({
      ok: true,
      report: { compared: { transactions: 46 }, differences: [{ kind: 'debit-unexplained', transactionId: 'new' }] },
    });
  });

  it('asks again where a question fails, and where it goes on failing has compared nothing of that', async () => {
    const account = new Account(3);
    const { orders = () => undefined } = account.desk.answers;
    let failures = 2;
    account.desk.answers.orders = (request) => (failures-- > 0 ? new Error('the service failed (500)') : orders(request));
    expect(await account.audit()).toMatchObject({ ok: true, report: { differences: [], notes: [] } });
    account.desk.answers.orders = () => new Error('the service failed (500)');
    expect(await account.audit()).toMatchObject({
      ok: true,
      report: {
        differences: [],
        unread: [{ part: 'orders', partly: false, why: 'the service failed (500)' }],
        notes: [],
      },
    });
    account.desk.answers.user = () => new Error('the service failed (503)');
    expect(await account.audit()).toEqual({
      ok: false,
      foreign: false,
      message: 'the account could not be read: the service failed (503)',
    });
  });

  it.each([['orders'], ['transactions'], ['ledger'], ['user']] as const)(
    'has compared nothing of what cannot be had: %s',
    async (name) => {
      const account = new Account(3);
      const { [name]: answer = () => undefined } = account.desk.answers;
      let left = name === 'user' ? 1 : 0;
      account.desk.answers[name] = (request) => (left-- > 0 ? answer(request) : new Error('the service failed (500)'));
      const outcome = await account.audit();
      expect(outcome).toMatchObject({ ok: true, report: { differences: [] } });
      if (!outcome.ok) throw new Error(outcome.message);
      const part = name === 'user' ? 'balance' : name;
      expect(outcome.report.unread).toEqual([{ part, partly: false, why: 'the service failed (500)' }]);
      expect(agrees(outcome.report)).toBe(false);
    },
  );

  it('has not compared a list whose later page fails, one that is longer than it reads, nor a row that is none', async () => {
    const account = new Account(45);
    const { transactions = () => undefined, ledger = () => undefined } = account.desk.answers;
    account.desk.answers.transactions = (request) =>
      Number(request.query?.['page'] ?? 1) > 1 ? new Error('the service failed (502)') : transactions(request);
    account.orders.push({ id: 'odd' });
    const endless: Row[] = Array.from({ length: 1_100 }, (_, n) => ({ ...account.entries[0], id: `e${n}`, type: 'neutral' }));
    account.desk.answers.ledger = (request) => {
      const page = Number(request.query?.['page'] ?? 1);
      return { page, limit: 1, total: endless.length, items: page === 1 ? endless.slice(0, 1) : endless.slice(page - 1, page) };
    };
    expect(await account.audit()).toMatchObject({
      report: {
        unread: [
          { part: 'orders', partly: true, why: '1 of its 46 rows cannot be read' },
          { part: 'transactions', partly: false, why: 'the service failed (502)' },
          { part: 'ledger', partly: true, why: 'it is longer than the 1000 pages that are read of it' },
        ],
      },
    });
    account.orders.pop();
    account.desk.answers.transactions = transactions;
    account.desk.answers.ledger = ledger;
    expect(await account.audit()).toMatchObject({ report: { differences: [], unread: [], notes: [] } });
  });

  it('has not compared what came in while it read, where that cannot be read any more', async () => {
    const account = new Account(45);
    const late = { id: 'new', itemName: 'Else', amount: 3, type: 'fee', timestamp: NOON + 1_000 * MINUTE };
    atSecondPage(account, () => account.transactions.unshift(late), 4);
    expect(await account.audit()).toMatchObject({
      report: {
        unread: [
          { part: 'transactions', partly: true, why: 'what came in meanwhile could not be read: the service failed (500)' },
        ],
      },
    });
  });

  it('has not compared a balance that stood at no time while our rows did', async () => {
    const account = new Account(3);
    const { user = () => undefined } = account.desk.answers;
    let asked = 0;
    account.desk.answers.user = (request) => {
      asked += 1;
      if (asked > 1) readBalance(account.ledger, account.balance, account.clock.now() - 10);
      if (asked > 1)
        settled(
          account.ledger,
          begun(account.ledger, 100 + asked, account.clock.now()),
          outcomes.bought(`o${asked}x`),
          account.clock.now(),
        );
      return user(request);
    };
    expect(await account.audit()).toMatchObject({
      report: { unread: [{ part: 'balance', partly: false, why: 'our own rows moved during each of 5 readings' }] },
    });
  });

  it('believes no ledger of which an entry cannot be read', async () => {
    const account = new Account(2);
    account.entries.push({ id: 'x', kind: 'mystery', value: 7 });
    expect(await account.audit()).toMatchObject({
      ok: true,
      report: {
        differences: [],
        balance: { otherMoves: null },
        unread: [],
        notes: [expect.stringContaining('1 of its 3 entries have a form that is not documented')],
      },
    });
  });

  it('survives whatever stands in the lists', async () => {
    const account = new Account(2);
    const hostile = [
      null,
      'x',
      { id: 1 },
      { id: 'h', amount: Number.POSITIVE_INFINITY },
      { id: '__proto__', amount: 'NaN', type: [] },
    ] as unknown as Row[];
    account.orders.push(...hostile);
    account.transactions.push(...hostile);
    account.entries.push(...hostile);
    const outcome = await account.audit();
    const some = { partly: true, why: '5 of its 7 rows cannot be read' };
    expect(outcome).toMatchObject({
      ok: true,
      report: {
        differences: [],
        unread: [
          { part: 'orders', ...some },
          { part: 'transactions', ...some },
        ],
      },
    });
    const huge = { itemId: 'a'.repeat(16), itemName: 'a', amount: 9.9e8, type: 'purchase', timestamp: NOON + 1_000 * MINUTE };
    account.transactions.splice(0, Infinity, ...Array.from({ length: 12 }, (_, n) => ({ ...huge, id: `h${n}` })));
    expect(await account.audit()).toMatchObject({ ok: false, message: expect.stringContaining('amounts that cannot be right') });
  });
});

describe('a difference', () => {
  it('is believed only when a second comparison still shows it', async () => {
    const account = new Account(3);
    const { user = () => undefined } = account.desk.answers;
    let asked = 0;
    account.desk.answers.user = (request) => {
      asked += 1;
      return asked === 2 ? { type: 'apiKey', profile: { id: 'account-1', balance: 3 } } : user(request);
    };
    expect(await account.audit()).toMatchObject({ ok: true, report: { differences: [] } });
    expect(account.asked('orders')).toBe(2);
    account.balance -= 5;
    expect(await account.audit()).toMatchObject({
      ok: true,
      report: { differences: [{ kind: 'balance', difference: -5_000_000 }] },
    });
  });

  it('is not made of a purchase that is under way', async () => {
    const account = new Account(3);
    const { user = () => undefined } = account.desk.answers;
    let asked = 0;
    account.desk.answers.user = (request) => {
      asked += 1;
      if (asked === 2) {
        const now = account.clock.now();
        readBalance(account.ledger, account.balance, now - 10);
        settled(account.ledger, begun(account.ledger, 9, now), outcomes.bought('o9'), now);
      }
      return user(request);
    };
    expect(await account.audit()).toMatchObject({ ok: true, report: { differences: [], compared: { purchases: 4 } } });
    expect(account.asked('user')).toBe(3);
  });
});

describe('an audit ends', () => {
  it('when Magpie is stopped', async () => {
    const stopping = new AbortController();
    const account = new Account(3);
    account.desk.answers.orders = () => {
      stopping.abort();
      return new Error('the gateway is closed');
    };
    expect(await account.audit(stopping.signal)).toEqual({
      ok: false,
      foreign: false,
      message: 'it was stopped before it was done',
    });
  });

  it('at once for the key of another account', async () => {
    const account = new Account(1);
    account.desk.answers.user = () => ({ type: 'apiKey', profile: { id: 'account-2', balance: 5 } });
    expect(await account.audit()).toMatchObject({ ok: false, foreign: true });
    expect(account.asked('orders')).toBe(0);
  });
});
