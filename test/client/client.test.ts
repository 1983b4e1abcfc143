import { describe, expect, it, onTestFinished } from 'vitest';
import { Agent, interceptors, Pool } from 'undici';
import { endpoints } from '../../src/api/endpoints.ts';
import { CallError, createClient, type Client } from '../../src/client/client.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start.ts';
import { HostileServer, answering, type Manners } from '../gateway/hostile-server.ts';
import { calm } from '../sandbox/harness.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

async function onSandbox(listings = 300): Promise<{ client: Client; partner: Client; sandbox: RunningSandbox }> {
  const sandbox = await startSandbox({ seed: 7, listings, clock: new VirtualClock(), faults: calm });
  const client = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.childKey });
  const partner = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.topLevelKey });
  onTestFinished(async () => {
    await Promise.all([client.close(), partner.close()]);
    await sandbox.close();
  });
  return { client, partner, sandbox };
}

async function against(manners: Manners, timeoutMs = 2_000): Promise<{ server: HostileServer; client: Client }> {
  const server = await HostileServer.start(manners);
  const client = createClient({ baseUrl: server.url, apiKey: 'the-only-key-there-is', timeoutMs });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, client };
}

const failureOf = async (call: Promise<unknown>): Promise<CallError> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof CallError) return failure;
  throw new Error(`no CallError but ${String(failure)}`);
};

describe('a client', () => {
  it('has a method for every endpoint of the table', async () => {
    const { client } = await against({});
    for (const name of Object.keys(endpoints)) expect(client).toHaveProperty(name, expect.any(Function));
  });

  it('buys on the sandbox and finds its order, with a requestId on every answer', async () => {
    const { client, sandbox } = await onSandbox();
    const live = await client.liveListings();
    expect(live.requestId).toMatch(/^[0-9a-f-]{36}$/);
    const [cheap] = live.data.listings.toSorted((a, b) => a.priceWithFee - b.priceWithFee);
    if (!cheap) throw new Error('an empty market');
    const market = cheap.market as 'c5game' | 'ecosteam';
    const bought = await client.buy({ body: { itemId: cheap.id, price: cheap.price, market, tradeUrl: sandbox.tradeUrl } });
    const { data } = await client.orders();
    expect(data.orders.map(({ id, amount }) => [id, amount])).toEqual([[bought.data.order.serviceOrderId, cheap.priceWithFee]]);
    const again = client.buy({ body: { itemId: cheap.id, price: cheap.price, market, tradeUrl: sandbox.tradeUrl } });
    expect(await failureOf(again)).toMatchObject({ kind: 'refused', status: 410, code: 'LISTING_NOT_FOUND', sent: true });
  });

  it('provisions a child, funds it once for its key, and reads each with its own key', async () => {
    const { partner, sandbox } = await onSandbox();
    const made = await partner.createUser({ body: { email: 'shop@example.com' } });
    const body = { toApiKeyId: made.data.apiKeyId, amountCents: 2_500, idempotencyKey: 'opening' };
    await partner.transfer({ body });
    await partner.transfer({ body });
    const shop = createClient({ baseUrl: sandbox.baseUrl, apiKey: made.data.apiKey ?? '' });
    onTestFinished(() => shop.close());
    expect((await shop.user()).data.profile.balance).toBe(25);
    expect(await failureOf(shop.partnerStats())).toMatchObject({ kind: 'refused', status: 403 });
    const both = createClient({ baseUrl: sandbox.baseUrl, apiKey: made.data.apiKey ?? '', partnerKey: sandbox.topLevelKey });
    onTestFinished(() => both.close());
    expect((await both.partnerStats()).data.volume).toBe(0);
  });

  it('names the field and the rule of what it does not send', async () => {
    const { server, client } = await against({});
    const wrong = client.transfer({ body: { amountCents: 1, idempotencyKey: 'k' } });
    expect(await failureOf(wrong)).toMatchObject({
      kind: 'request',
      sent: false,
      broken: { where: 'body', field: 'toEmail, toApiKeyId', rule: 'exactly one of toEmail and toApiKeyId must be given' },
    });
    expect(await failureOf(client.legacyItem({ path: { id: '..' } }))).toMatchObject({ kind: 'request', sent: false });
    expect(server.requests).toEqual([]);
  });

  it('repeats nothing, and says of what changes something that nobody knows', async () => {
    const { server, client } = await against({ answer: (socket) => void socket.destroy() });
    const { body } = endpoints.withdraw.example;
    expect(await failureOf(client.withdraw({ body }))).toMatchObject({ kind: 'unknown', sent: true });
    expect(await failureOf(client.user())).toMatchObject({ kind: 'transient', sent: true });
    expect(server.requests).toHaveLength(2);
  });

  it('breaks a call off by its signal and by its time', async () => {
    const { client } = await against({}, 100);
    expect(await failureOf(client.user())).toMatchObject({ kind: 'transient', message: 'no whole answer within 100 ms' });
    const stop = new AbortController();
    const asked = failureOf(client.user({ signal: stop.signal }));
    stop.abort();
    expect(await asked).toMatchObject({ message: 'cancelled' });
  });

  it('hands over what came when an answer is not as documented', async () => {
    const data = { total: 1, orders: [{ id: 5 }] };
    const { client } = await against(answering(200, { requestId: 'r-9', success: true, data }));
    expect(await failureOf(client.orders())).toMatchObject({ kind: 'answer', sent: true, data, requestId: 'r-9' });
  });

  it('keeps its keys out of what it throws', async () => {
    const { client } = await against(answering(401, { success: false, message: 'bad key the-only-key-there-is' }));
    expect((await failureOf(client.user())).message).toBe('bad key ***');
  });

  it.each([
    ['a pool', (url: string) => new Pool(url)],
    ['an agent', () => new Agent()],
    ['one that repeats', (url: string) => new Pool(url).compose(interceptors.retry({ minTimeout: 1, methods: ['GET', 'POST'] }))],
  ])('goes by %s that it is handed, writes once all the same, and leaves it open', async (_, dispatcherFor) => {
    const server = await HostileServer.start(answering(503, { success: false, code: 'LATER' }));
    const dispatcher = dispatcherFor(server.url);
    const client = createClient({ baseUrl: server.url, apiKey: 'a-key-of-nobody', dispatcher });
    const { body } = endpoints.withdraw.example;
    expect((await failureOf(client.withdraw({ body }))).kind).toBe('unknown');
    expect((await failureOf(client.withdraw({ body }))).kind).toBe('unknown');
    await client.close();
    expect((await failureOf(client.user())).sent).toBe(true);
    expect(server.posts).toBe(2);
    await dispatcher.destroy();
    await server.close();
  });

  it('is made for an address alone', () => {
    for (const baseUrl of ['nowhere', 'ftp://x', 'http://u:p@x', 'http://x?y'])
      expect(() => createClient({ baseUrl, apiKey: 'k' })).toThrow(TypeError);
  });
});

describe('what is paged', () => {
  it('comes element by element, to the end and no further', async () => {
    const { client } = await onSandbox(2_000);
    const live = (await client.liveListings()).data.listings;
    const counts = new Map<string, number>();
    for (const { itemId } of live) counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
    const [item = '', count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
    expect(count).toBeGreaterThan(20);
    const ids = new Set<string>();
    for await (const listing of client.each.listings({ query: { item } })) ids.add(listing.id);
    expect(ids.size).toBe(count);
    const names = new Set<string>();
    for await (const found of client.each.search({ query: { maxPrice: 20 } })) names.add(found.marketHashName);
    expect(names.size).toBe((await client.search({ query: { maxPrice: 20 } })).data.itemsCount);
    const some: string[] = [];
    for await (const found of client.each.search({ query: { start: 3, end: 120 } })) some.push(found.id);
    expect(some).toHaveLength(118);
    const entries: unknown[] = [];
    for await (const entry of client.each.ledger()) entries.push(entry);
    expect(entries).toHaveLength(1);
  });

  it('ends where a service gives the same page again and again, and asks no page that nobody wants', async () => {
    const rows = [{ id: 't', amount: 1, type: 'purchase' }];
    const { server, client } = await against(answering(200, { success: true, data: { transactions: rows } }));
    const seen: string[] = [];
    for await (const { id } of client.each.transactions()) seen.push(id);
    expect([seen, server.requests.map(({ path }) => path)]).toEqual([
      ['t'],
      ['/v1/user/transactions?page=1', '/v1/user/transactions?page=2'],
    ]);
    for await (const _ of client.each.transactions()) break;
    expect(server.requests).toHaveLength(3);
  });
});
