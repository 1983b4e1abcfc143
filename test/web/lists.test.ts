import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { magpie } from '../cli/harness.ts';
import { begun, outcomes, raw, readBalance, settled } from '../ledger/support.ts';
import { NOON, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type StageOfEach, stageOfEach } from './stage-of-each.ts';
import { asked, stage } from './stage.ts';

const at = NOON + 3_600_000;

interface Told {
  readonly more: boolean;
  readonly next: string | null;
  readonly accounts: number;
  readonly looked: number;
  readonly unread: readonly { readonly account: string; readonly why: string }[];
}

interface Purchases extends Told {
  readonly purchases: readonly { readonly account: string; readonly id: number; readonly state: string }[];
}

interface Alerts extends Told {
  readonly alerts: readonly { readonly account: string; readonly message: string }[];
}

const purchases = async ({ page }: StageOfEach, query = ''): Promise<Purchases> =>
  (await asked(page, `/api/purchases${query}`)) as Purchases;

const alerts = async ({ page }: StageOfEach, query = ''): Promise<Alerts> => (await asked(page, `/api/alerts${query}`)) as Alerts;

/** Each row as `anna 12`. */
const marks = ({ purchases: rows }: Pick<Purchases, 'purchases'>): string[] => rows.map(({ account, id }) => `${account} ${id}`);

/** Purchases of three accounts in turn, three of them at each moment; dora has never run. */
async function three(each: number, clock = new VirtualClock(at)): Promise<StageOfEach> {
  const scene = await stageOfEach({ names: ['carl', 'anna', 'bert', 'dora'], without: ['dora'], clock });
  for (const [index, name] of ['anna', 'bert', 'carl'].entries()) {
    const { ledger } = scene.seat(name);
    for (let number = 0; number < each; number += 1) {
      const made = NOON + number * 1_000;
      readBalance(ledger, 5_000, made - 1);
      const item = index === 1 && number % 2 === 0 ? { name: 'AWP | Asiimov (Battle-Scarred)' } : {};
      const purchase = begun(ledger, number, made, {
        strategy: number % 2 === 0 ? 'redlines' : 'knives',
        listing: listing({ id: `${index}-${number}`, price: 1, ...item }),
      });
      if (number % 3 === index) settled(ledger, purchase, outcomes.bought(`order-${number}`), made + 1);
    }
  }
  return scene;
}

async function printed({ cwd }: StageOfEach, ...args: string[]): Promise<Purchases['purchases']> {
  const ran = await magpie(['purchases', '--json', '--config', 'magpie.yaml', ...args], { cwd, clock: new VirtualClock(at) });
  return JSON.parse(ran.out) as Purchases['purchases'];
}

/** Every page behind the first, by the place that each names for the next. */
async function everyPage(scene: StageOfEach, query: string): Promise<readonly Purchases[]> {
  const pages = [await purchases(scene, `?${query}`)];
  for (let next = pages[0]?.next; typeof next === 'string'; next = pages.at(-1)?.next)
    pages.push(await purchases(scene, `?${query}&before=${next}`));
  return pages;
}

describe('the purchases of all accounts', () => {
  it('are those that `magpie purchases` prints of all, newest first, each with its account', async () => {
    const scene = await three(4);
    const all = await purchases(scene);
    expect(all).toEqual({ purchases: expect.any(Array), more: false, next: null, looked: 4, accounts: 4, unread: [] });
    expect(marks(all)).toEqual([4, 3, 2, 1].flatMap((number) => ['anna', 'bert', 'carl'].map((name) => `${name} ${number}`)));
    const command = await printed(scene);
    expect(command.length).toBe(12);
    for (const row of all.purchases) expect(command).toContainEqual(row);
    const [first] = all.purchases;
    expect(first).toMatchObject({ account: 'anna', marketHashName: 'AK-47 | Redline (Field-Tested)', shadow: null });
    expect(await asked(scene.page, `/accounts/anna/api/purchase?id=${first?.id}`)).toMatchObject({ listingId: '0-3' });
  });

  it('are narrowed by state, strategy and words as those of one', async () => {
    const scene = await three(9);
    for (const query of ['state=bought', 'strategy=knives', 'words=asiimov', 'words=2-7', 'state=bought&strategy=redlines']) {
      const found: string[] = [];
      for (const name of ['anna', 'bert', 'carl']) {
        const { purchases: own } = (await asked(scene.page, `/accounts/${name}/api/purchases?${query}`)) as Purchases;
        found.push(...own.map(({ id }) => `${name} ${id}`));
      }
      expect(found.length).toBeGreaterThan(0);
      expect([query, marks(await purchases(scene, `?${query}`)).toSorted()]).toEqual([query, found.toSorted()]);
    }
    expect(await purchases(scene, '?state=none-such')).toMatchObject({ purchases: [], more: false });
  });

  it('come a hundred at a time, each once, though three were made at every moment', async () => {
    const scene = await three(90);
    const pages = await everyPage(scene, '');
    expect(pages.map(({ purchases: { length }, more }) => [length, more])).toEqual([
      [100, true],
      [100, true],
      [70, false],
    ]);
    const read = pages.flatMap(marks);
    expect(new Set(read).size).toBe(270);
    expect(read.slice(99, 102)).toEqual(['anna 57', 'bert 57', 'carl 57']);
    const knives = await everyPage(scene, 'strategy=knives');
    expect(knives.flatMap(marks)).toEqual(read.filter((mark) => Number(mark.split(' ')[1]) % 2 === 0));
    // What names no place is the beginning, as everywhere on the page.
    expect(await purchases(scene, '?before=12')).toEqual(pages[0]);
  });

  it('change with the ledgers: what is settled, and what is new', async () => {
    const clock = new VirtualClock(at);
    const scene = await three(2, clock);
    const { ledger } = scene.seat('carl');
    const open = (): Promise<Purchases> => purchases(scene, '?state=intended');
    const before = marks(await open());
    expect(before).toContain('carl 1');
    settled(ledger, ledger.purchase(1) ?? begun(ledger, 1), outcomes.bought('order-x'), at);
    readBalance(ledger, 5_000, at);
    begun(ledger, 77, at + 1);
    await clock.advance(1_000);
    expect(marks(await open())).toEqual(['carl 3', ...before.filter((mark) => mark !== 'carl 1')]);
  });

  it('name the account that is missing, and why, and none is hidden behind it', async () => {
    const scene = await three(2);
    const folder = join(scene.cwd, 'data/accounts/dora');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    const { purchases: rows, unread, looked } = await purchases(scene);
    expect([rows.length, looked, unread.map(({ account }) => account)]).toEqual([6, 4, ['dora']]);
    expect(unread[0]?.why).toContain('magpie.db');
    expect((await alerts(scene)).unread).toEqual(unread);
  });

  it('name an account whose ledger holds a time that there is not, and tell of all others', async () => {
    const scene = await stageOfEach({ names: ['anna', 'bert'] });
    for (const name of ['anna', 'bert']) {
      const { ledger } = scene.seat(name);
      ledger.recordAlert({ kind: 'limits', at: NOON, message: `of ${name}`, next: undefined, purchaseId: undefined });
    }
    raw(scene.seat('anna').folder).exec('UPDATE alerts SET at = 8.9e15');
    const { alerts: rows, unread, looked } = await alerts(scene);
    expect([rows.map(({ message }) => message), unread.map(({ account }) => account), looked]).toEqual([
      ['of bert'],
      ['anna'],
      2,
    ]);
    expect(await asked(scene.page, '/api/status')).toMatchObject({
      accounts: [{ state: 'unread', why: expect.stringContaining('Invalid time value') as string }, { alerts: 1 }],
      alerts: [{ account: 'bert' }],
    });
  });

  it('are not told to who has no token, and are no question to a page of one account', async () => {
    const scene = await three(1);
    for (const path of ['/api/purchases', '/api/alerts', '/api/purchases?state=bought'])
      expect((await fetch(`${scene.page.address}${path}`)).status).toBe(401);
    const { page } = await stage();
    expect(await asked(page, '/api/purchases?before=1_1_anna')).toEqual({ purchases: [], more: false });
    expect(await asked(page, '/api/alerts')).toEqual([]);
  });
});

describe('the alerts of all accounts', () => {
  it('are listed newest first, with the account and what to do, without those that no longer wait', async () => {
    const scene = await three(1);
    const tell = (name: string, ms: number, message: string, kind: 'key' | 'accept' | 'digest' = 'key'): void =>
      scene.seat(name).ledger.recordAlert({
        ...{ kind, at: at - ms, message, next: kind === 'key' ? 'Do something.' : undefined },
        purchaseId: kind === 'accept' ? 1 : undefined,
      });
    tell('anna', 9_000, 'the third');
    tell('carl', 5_000, 'the first');
    tell('bert', 7_000, 'the second');
    tell('bert', 6_000, 'an offer that waits no longer', 'accept');
    tell('anna', 4_000, 'what a day it was', 'digest');
    tell('carl', 31 * 86_400_000, 'long ago');
    expect(await alerts(scene)).toEqual({
      alerts: [
        ['carl', 5_000, 'the first'],
        ['bert', 7_000, 'the second'],
        ['anna', 9_000, 'the third'],
      ].map(([account, ms, message]) => ({
        ...{
          account,
          kind: 'key',
          at: new Date(at - Number(ms)).toISOString(),
          message,
          next: 'Do something.',
          purchaseId: null,
        },
      })),
      ...{ more: false, next: null, looked: 4, accounts: 4, unread: [] },
    });
  });

  it('come a hundred at a time, however many an account has', async () => {
    const scene = await three(1);
    for (let number = 0; number < 230; number += 1)
      scene.seat(number % 10 === 0 ? 'bert' : 'anna').ledger.recordAlert({
        ...{ kind: 'key', at: at - number * 10, message: `alert ${number}`, next: undefined, purchaseId: undefined },
      });
    const read: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const told: Alerts = await alerts(scene, next === '' ? '' : `?before=${next}`);
      read.push(...told.alerts.map(({ message }) => message));
      next = told.next;
    }
    expect(read).toEqual(Array.from({ length: 230 }, (_, number) => `alert ${number}`));
  });
});

describe('a list of very many accounts', () => {
  it('is of some of them at first, and says of how many, until all were looked at', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `merchant-${index}`);
    const clock = new SlowClock(at);
    const scene = await stageOfEach({ names, without: names.slice(1), clock });
    begun(scene.seat('merchant-0').ledger, 1);
    const looked: number[] = [];
    for (let times = 0; times < 20 && looked.at(-1) !== names.length; times += 1) {
      const told = await purchases(scene);
      expect(told).toMatchObject({ accounts: 120, purchases: [{ account: 'merchant-0' }] });
      looked.push(told.looked);
      clock.passed += 1_000;
    }
    expect(looked[0]).toBeLessThan(60);
    expect(looked).toEqual(looked.toSorted((one, other) => one - other));
    expect(looked.at(-1)).toBe(120);
    // Who asks at once again has a fifth of the little time that has passed, and a few looks.
    const before = clock.passed;
    await purchases(scene);
    await purchases(scene, '?state=bought');
    expect(clock.passed - before).toBeLessThan(2 * 200);
  });
});

/** Time passes with every look at it. */
class SlowClock extends VirtualClock {
  passed = 0;

  override mono(): number {
    this.passed += 3;
    return this.passed;
  }
}
