import { describe, expect, it, onTestFinished } from 'vitest';
import { HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { magpie, place, type Ran } from './harness.ts';

const KEY = 'live-key-of-an-account-0123456789';

/** What a command says of an answer of a service. */
async function said(line: string, data: unknown, columns?: number): Promise<Ran & { paths: string[] }> {
  const manners: Manners = answering(200, { requestId: 'r-1', success: true, data });
  const server = await HostileServer.start(manners);
  onTestFinished(() => server.close());
  const config = `service: { baseUrl: "${server.url}" }\naccount: { apiKey: ${KEY} }\nlimits: { maxPrice: 1 }\nmode: dry-run\n`;
  const cwd = place({ 'magpie.yaml': config });
  const ran = await magpie([...line.split(' '), '--config', 'magpie.yaml'], {
    cwd,
    ...(columns === undefined ? {} : { columns }),
  });
  return { ...ran, paths: server.requests.map(({ path }) => path) };
}

const row = {
  id: 't1',
  itemId: '00ff',
  itemName: '=cmd()',
  float: 0.1,
  price: 1.5,
  fee: 0.07,
  amount: 1.57,
  type: 'purchase',
  status: 'completed',
  timestamp: 1_764_324_000_000,
};

describe('magpie transactions', () => {
  it('shows a table with dollars and times, and asks the page that is wanted', async () => {
    const { code, out, err, paths } = await said('transactions --page 2 --limit 5', {
      total: 6,
      transactions: [row],
      message: '',
    });
    expect([code, err, paths]).toEqual([0, '', ['/v1/user/transactions?page=2&limit=5']]);
    expect(out).toBe(
      'time (UTC)           type      status     item    float  price    fee  amount  id  itemId\n' +
        '2025-11-28 10:00:00  purchase  completed  =cmd()  0.1    $1.50  $0.07   $1.57  t1  00ff\n1 of 6\n',
    );
  });

  it('gives CSV that no spreadsheet runs, and JSON with the requestId', async () => {
    const data = { total: 1, transactions: [row], message: 'm' };
    const csv = await said('transactions --csv', data);
    expect(csv.out).toBe(
      "timestamp,type,status,itemName,float,price,fee,amount,id,itemId\r\n1764324000000,purchase,completed,'=cmd(),0.1,1.5,0.07,1.57,t1,00ff\r\n",
    );
    expect(JSON.parse((await said('transactions --json', data)).out)).toEqual({ ...data, requestId: 'r-1' });
    expect((await said('transactions --json --csv', data)).code).toBe(2);
  });

  it('shows what is odd all the same, and says so', async () => {
    const { code, out, err } = await said('transactions', { total: 1, transactions: [{ ...row, amount: 'much' }, 7] });
    expect([code, out.includes('much')]).toEqual([1, true]);
    expect(err).toContain('not as the document says');
  });
});

describe('magpie ledger', () => {
  it("shows whatever fields the service's entries have", async () => {
    const items = [
      { type: 'credit', sum: 5, when: { at: 1 }, createdAt: 1_764_324_000 },
      { type: 'debit', sum: 2, note: '\u001b[31mred' },
    ];
    const { code, out, paths } = await said('ledger --type credit,debit', { page: 1, limit: 20, total: 2, items });
    expect([code, paths]).toEqual([0, ['/v1/user/ledger?type=credit%2Cdebit']]);
    expect(out).toBe(
      'type    sum  createdAt            note\ncredit  5    2025-11-28 10:00:00\ndebit   2                         \\u001b[31mred\n2 of 2\n',
    );
  });

  it('says when there is nothing', async () => {
    expect((await said('ledger', { page: 1, limit: 20, total: 0, items: [] })).out).toBe('No movements.\n0 of 0\n');
  });
});

describe('magpie wallet and fees', () => {
  it('show each field of an answer by its name', async () => {
    const { out } = await said('wallet', { balance: 3.5, message: 'wallet', deposits: [{ id: 'd1', status: 'pending' }] });
    expect(out).toBe('field              value\nbalance            3.5\ndeposits.0.id      d1\ndeposits.0.status  pending\n');
    const fees = await said('fees --csv', { message: 'fees', fees: { currentFee: 0.05, tier: null, inheritedFrom: null } });
    expect(fees.out).toBe('field,value\r\ncurrentFee,0.05\r\ntier,\r\ninheritedFrom,\r\n');
  });
});

describe('magpie search', () => {
  const found = {
    id: '00ff',
    marketHashName: 'AK-47 | Redline (Field-Tested)',
    price: 12.3,
    steamPrice: null,
    sellingTotal: 3,
    popularity: 1,
  };

  it('shows prices, how many are on sale, and lines for a strategy', async () => {
    const { code, out, paths } = await said('search ak-47 redline --max-price 20', { items: [found], itemsCount: 40 });
    expect([code, paths]).toEqual([0, ['/v2/market/search?q=ak-47+redline&maxPrice=20&start=1&end=20']]);
    expect(out).toContain('AK-47 | Redline (Field-Tested)  $12.30         3');
    expect(out).toContain('1 of 40; --limit N shows more');
    expect(out).toContain('  when: { name: "AK-47 | Redline (Field-Tested)" }\n  price: { max: 12.30 }\n');
  });

  it('suggests no strategy for a name that is not plain, and takes amounts alone', async () => {
    const odd = { ...found, marketHashName: 'AK*\u202e' };
    expect((await said('search ak', { items: [odd], itemsCount: 1 })).out).not.toContain('when:');
    expect(await said('search ak --min-price cheap', { items: [], itemsCount: 0 })).toMatchObject({ code: 2, paths: [] });
    expect((await said('search nothing', { items: [], itemsCount: 0 })).out).toBe('Nothing on sale is called so.\n');
  });
});

it('a search finds names that hold every word, though not in that order nor side by side', async () => {
  const cwd = place();
  const found = async (...words: string[]): Promise<string[]> => {
    const { code, out } = await magpie(['search', ...words, '--json', '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(0);
    return (JSON.parse(out) as { items: { marketHashName: string }[] }).items.map(({ marketHashName }) => marketHashName);
  };
  const names = await found('TESTED', 'ak-47');
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(name).toMatch(/^(?:StatTrak™ )?AK-47 \| .*-Tested\)$/);
  expect(await found('tested', 'ak-47', 'nowhere')).toEqual([]);
});

it('the commands agree with each other on the embedded exchange', async () => {
  const cwd = place();
  const json = async (command: string): Promise<Record<string, unknown>> => {
    const { code, out, err } = await magpie(
      [command, ...(command === 'search' ? ['ak'] : []), '--json', '--config', 'magpie.yaml'],
      { cwd },
    );
    expect([command, code, err]).toEqual([command, 0, '']);
    return JSON.parse(out) as Record<string, unknown>;
  };
  expect(await json('wallet')).toMatchObject({ balance: 1_000 });
  expect(await json('ledger')).toMatchObject({ total: 1, items: [{ type: 'credit', amount: 1_000 }] });
  expect(await json('transactions')).toMatchObject({ total: 0 });
  expect(await json('fees')).toMatchObject({ fees: { currentFee: 0.05 } });
  expect(await json('search')).toHaveProperty('items');
});
