import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Endpoint, endpoints } from '../../src/api/endpoints.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { magpie, place, type Given } from './harness.ts';

const KEY = 'live-key-of-an-account-0123456789';
const PARTNER = 'live-key-of-the-partner-987654321';

const success = (data: unknown): Manners => answering(200, { requestId: 'r-17', success: true, data });

/** A service that is no sandbox, and a folder whose configuration has a key for it. */
async function real(manners: Manners): Promise<{ server: HostileServer; cwd: string }> {
  const server = await HostileServer.start(manners);
  onTestFinished(() => server.close());
  const account = `account: { apiKey: ${KEY}, partnerKey: ${PARTNER} }`;
  const config = `service: { baseUrl: "${server.url}" }\n${account}\nlimits: { maxPrice: 150, spend: { day: 500 } }\nmode: dry-run\n`;
  return { server, cwd: place({ 'magpie.yaml': config }) };
}

const call = (line: string, given: Given) => magpie([...line.split(' '), '--config', 'magpie.yaml'], given);

describe('magpie api', () => {
  it('prints what the service answers, and the requestId beside it', async () => {
    const { server, cwd } = await real(success({ type: 'user', profile: { id: 'p', balance: 12.5 } }));
    const { code, out, err } = await call('api get /v1/user', { cwd });
    expect([code, JSON.parse(out), err]).toEqual([
      0,
      { type: 'user', profile: { id: 'p', balance: 12.5 } },
      'HTTP 200, requestId r-17\n',
    ]);
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/v1/user', headers: { 'x-api-key': KEY } }]);
    const whole = await call('api GET /v1/user --json', { cwd });
    expect(JSON.parse(whole.out)).toMatchObject({ ok: true, status: 200, requestId: 'r-17', data: { type: 'user' } });
  });

  it('sends query, body and path as they are given, with the key that the endpoint needs', async () => {
    const { server, cwd } = await real(success({ items: [], itemsCount: 0, anything: [1] }));
    await call('api GET /v2/market/search --query q=a&b --query maxPrice=20', { cwd });
    await call('api GET /v1/market/item/00ff/overview --query odd=1', { cwd });
    const input = '{"toEmail":"a@b.cd","amountCents":5,"idempotencyKey":"k"}';
    await call('api POST /v1/partner/transfers --body - --yes', { cwd, input });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v2/market/search?q=a%26b&maxPrice=20',
      '/v1/market/item/00ff/overview?odd=1',
      '/v1/partner/transfers',
    ]);
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, PARTNER, PARTNER]);
    expect(server.requests[2]?.body).toBe(input);
  });

  it.each([
    ['GET /v2/market/listings --query item=XYZ', 'query.item: must be 16 characters of 0-9 and a-f'],
    ['GET /v1/user --query colour=red', 'colour'],
    ['POST /v1/user/wallet/withdraw --body low.json --yes', 'body.amount'],
    ['POST /v1/partner/transfers --body both.json --yes', 'exactly one of toEmail and toApiKeyId'],
    ['GET /v1/user --body low.json', 'takes none'],
    ['POST /v1/user/wallet/withdraw --body gone.json', 'there is no such file'],
    ['POST /v1/user/wallet/withdraw --body bad.json', 'the body is no JSON'],
    ['GET /v1/users', 'did you mean GET /v1/user?'],
    ['GET /v1/user/wallet/withdraw', 'did you mean POST /v1/user/wallet/withdraw?'],
  ])('sends nothing that the document forbids, and says which rule: %s', async (line, words) => {
    const { server, cwd } = await real(success({}));
    const files = {
      'low.json': { token: 'USDT', network: 'TRC20', address: 'T', amount: 9 },
      'both.json': { toEmail: 'a@b.cd', toApiKeyId: 'a'.repeat(24), amountCents: 5, idempotencyKey: 'k' },
    };
    const folder = place({
      ...Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])),
      'bad.json': '{',
    });
    const config = join(cwd, 'magpie.yaml');
    const { code, err } = await magpie(['api', ...line.split(' '), '--config', config], { cwd: folder });
    expect([code, err.includes(words) ? words : err]).toEqual([2, words]);
    expect(server.requests).toEqual([]);
  });

  it('refuses to buy anywhere but on a sandbox, whatever is said with it, and names magpie buy', async () => {
    const { server, cwd } = await real(success({}));
    for (const name of ['buy', 'legacyBuy'] as const) {
      const { path, example }: Endpoint = endpoints[name];
      const input = JSON.stringify(example?.body);
      const { code, err } = await call(`api POST ${path} --body - --yes`, { cwd, input, answers: ['yes'] });
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('magpie buy --config magpie.yaml LISTING_ID --market MARKET') as string,
      ]);
    }
    expect(server.requests).toEqual([]);
  });

  it('takes no service for a sandbox because one of two keys is a play key', async () => {
    const { server, cwd } = await real(success({}));
    const play = `sandbox-child-${'0'.repeat(32)}`;
    const config = (apiKey: string, partnerKey: string): string =>
      `service: { baseUrl: "${server.url}" }\naccount: { apiKey: ${apiKey}, partnerKey: ${partnerKey} }\nmode: dry-run\n`;
    for (const [keys, which] of [
      [config(play, PARTNER), 'partner'],
      [config(KEY, play), 'account'],
    ] as const) {
      writeFileSync(join(cwd, 'magpie.yaml'), keys);
      const input = JSON.stringify(endpoints.buy.example.body);
      const { code } = await call(`api POST /v2/market/buy --as ${which} --body - --yes`, { cwd, input });
      expect([which, code, server.posts]).toEqual([which, 2, 0]);
    }
  });

  it('asks before it moves money, and takes nothing but yes for a yes', async () => {
    const { server, cwd } = await real(success({}));
    const input = JSON.stringify(endpoints.withdraw.example.body);
    const withdraw = 'api POST /v1/user/wallet/withdraw --body -';
    for (const answers of [['no'], [''], ['y'], []]) expect((await call(withdraw, { cwd, input, answers })).code).toBe(1);
    expect(await call(withdraw, { cwd, input })).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
    expect(server.requests).toEqual([]);
    const { code, out } = await call(withdraw, { cwd, input, answers: ['yes'] });
    expect([code, out.includes('REAL MONEY')]).toEqual([0, true]);
    expect(server.requests).toHaveLength(1);
  });

  it('says that nobody knows when what moves money got no answer, and sends it once', async () => {
    const { server, cwd } = await real({ answer: (socket) => void socket.destroy() });
    const input = JSON.stringify(endpoints.withdraw.example.body);
    const { code, err } = await call('api POST /v1/user/wallet/withdraw --body - --yes', { cwd, input });
    expect([code, err]).toEqual([1, expect.stringContaining('Nobody knows whether it was done') as string]);
    expect(err).toContain('magpie ledger --config magpie.yaml');
    expect(server.posts).toBe(1);
    const read = await call('api GET /v1/user', { cwd });
    expect([read.code, read.err]).toEqual([1, expect.stringContaining('The service did not do it') as string]);
    expect(read.err).toContain('→ see whether service.baseUrl is the address that the service gave you; `magpie doctor');
  });

  it('says what to look at where the service cannot be reached', async () => {
    const { server, cwd } = await real(success({}));
    await server.close();
    const { code, err } = await call('wallet', { cwd });
    expect([code, err]).toEqual([1, expect.stringContaining('The service did not do it: connect ECONNREFUSED')]);
    expect(err).toContain(
      '→ see whether this machine reaches the service: address, DNS, firewall; `magpie doctor --config magpie.yaml`',
    );
  });

  it('shows no secret of ours, whatever the service quotes, and the words of a refusal', async () => {
    const { server, cwd } = await real(success({ type: 'user', profile: { id: KEY, balance: 1 }, echo: [`x${PARTNER}`] }));
    const answered = await call('api GET /v1/user', { cwd });
    server.behave(answering(403, { requestId: 'r-18', success: false, code: 'NO', message: `not with ${KEY}` }));
    const refused = await call('api GET /v1/user', { cwd });
    const json = await call('api GET /v1/user --json', { cwd });
    for (const { out, err } of [answered, refused, json]) for (const key of [KEY, PARTNER]) expect(out + err).not.toContain(key);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 403: not with *** (requestId r-18)') as string });
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, status: 403, requestId: 'r-18', code: 'NO' });
  });

  it('shows an answer that is not as documented, and says so', async () => {
    const { cwd } = await real(success({ type: 'user', profile: { id: 'p', balance: 'much' } }));
    const { code, out, err } = await call('api GET /v1/user', { cwd });
    expect([code, JSON.parse(out)]).toEqual([1, { type: 'user', profile: { id: 'p', balance: 'much' } }]);
    expect(err).toContain('profile.balance must be number');
  });

  it.each(Object.values(endpoints) as Endpoint[])('describes $method $path with an example, and sends nothing', async (row) => {
    const cwd = place();
    const { code, out, err } = await magpie(['api', '--describe', row.method, row.path], { cwd });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`${row.method} ${row.path}\n  ${row.summary}`);
    expect(out).toMatch(/Example:\n.*magpie api (?:GET|POST) \/v[12]\//s);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});

describe('a transfer by hand', () => {
  const body = { toEmail: 'a@b.cd', amountCents: 5 };
  const transfer = (cwd: string, more: string, given: unknown = body) =>
    call(`api POST /v1/partner/transfers --body - --yes${more}`, { cwd, input: JSON.stringify(given) });
  const lost: Manners = { answer: (socket) => void socket.destroy() };
  const keysSent = (server: HostileServer): unknown[] =>
    server.requests.map((request) => (JSON.parse(request.body) as { idempotencyKey: unknown }).idempotencyKey);

  it('for a purpose is sent with the same key until it is known to be made, and never again', async () => {
    const { server, cwd } = await real(lost);
    expect((await transfer(cwd, ' --purpose rent')).err).toContain('Nobody knows whether it was done');
    server.behave(success({ message: 'moved', amountCents: 5 }));
    expect(await transfer(cwd, ' --purpose rent')).toMatchObject({ code: 0, err: expect.stringContaining('r-17') as string });
    const again = await transfer(cwd, ' --purpose rent --json');
    expect([again.code, JSON.parse(again.out)]).toMatchObject([0, { ok: true, sent: false, requestId: 'r-17' }]);
    expect(again.err).toContain('Nothing was sent: this transfer was made before');
    const [first, ...others] = keysSent(server);
    expect(first).toMatch(/^magpie-[0-9a-f]{48}$/);
    expect(others).toEqual([first]);
    expect(existsSync(join(cwd, 'data', 'magpie.transfers'))).toBe(true);
  });

  it('with a key of its own is kept under it, and is not sent with another amount', async () => {
    const { server, cwd } = await real(lost);
    await transfer(cwd, '', { ...body, idempotencyKey: 'mine' });
    const other = await transfer(cwd, '', { ...body, amountCents: 6, idempotencyKey: 'mine' });
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('body.amountCents: was 5') as string]);
    await transfer(cwd, '', { ...body, idempotencyKey: 'mine' });
    expect(keysSent(server)).toEqual(['mine', 'mine']);
  });

  it('needs one of the two, and nothing else takes a purpose', async () => {
    const { server, cwd } = await real(success({}));
    expect(await transfer(cwd, '')).toMatchObject({ code: 2, err: expect.stringContaining('body.idempotencyKey') as string });
    const both = await transfer(cwd, ' --purpose rent', { ...body, idempotencyKey: 'mine' });
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('leave one of the two out') as string]);
    const input = JSON.stringify(endpoints.withdraw.example.body);
    const withdrawal = await call('api POST /v1/user/wallet/withdraw --body - --yes --purpose rent', { cwd, input });
    expect([withdrawal.code, withdrawal.err]).toEqual([2, expect.stringContaining('for transfers alone') as string]);
    expect(server.requests).toEqual([]);
  });
});

describe('on the embedded exchange', () => {
  it('everything works for as long as a call takes, buys among it, and its books stay', async () => {
    const cwd = place();
    const live = await call('api GET /v2/partner/live/listings', { cwd });
    const { listings } = JSON.parse(live.out) as {
      listings: { id: string; market: string; price: number; priceWithFee: number }[];
    };
    const cheap = listings.toSorted((a, b) => a.priceWithFee - b.priceWithFee)[0];
    const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=abcdefgh';
    const input = JSON.stringify({ itemId: cheap?.id, market: cheap?.market, price: cheap?.price, tradeUrl });
    const bought = await call('api POST /v2/market/buy --body - --yes', { cwd, input });
    expect([bought.code, bought.err.split('\n')[0]]).toEqual([0, 'Configuration magpie.yaml, data folder data']);
    expect(JSON.parse(bought.out)).toMatchObject({ order: { status: 'SUCCESS' } });
    const orders = await call('api GET /v1/user/orders', { cwd });
    expect(JSON.parse(orders.out)).toMatchObject({ total: 1, orders: [{ amount: cheap?.priceWithFee }] });
  });

  it('nothing is asked while a daemon has it', async () => {
    const cwd = place();
    const held = acquireFolderLock(join(cwd, 'data'));
    if (!held.ok) throw new Error(held.fault.message);
    onTestFinished(() => held.lock.release());
    expect(await call('api GET /v1/user', { cwd })).toMatchObject({
      code: 3,
      err: expect.stringContaining('lives in the daemon that runs') as string,
    });
  });
});
