import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import { type Ran, magpie } from '../cli/harness.ts';
import { type Operator, type PlatformSetting, startOperator } from './accounts-stage.ts';
import { beside, freshPlace, offer, openExchange, ordersAt, startBot } from './stage.ts';

const offers = [1, 2, 3, 4].map((at) => offer(String(900_000_000 + at), { name: `Sticker | Number ${at}`, price: 10 }));
const config = { limits: { maxPrice: 1000, spend: { day: 25 } } };

interface Stage {
  readonly exchange: RunningSandbox;
  readonly place: string;
  /** The one account by whatever name, and one beside it that buys nothing. */
  readonly setting: (name: string) => PlatformSetting;
  /** The run in which anna has used up her day, and was halted. */
  readonly first: Operator;
  readonly orders: () => number;
  /** A command on the configuration as it was last written, in a process of its own. */
  readonly run: (...args: string[]) => Promise<Ran>;
}

async function halted(): Promise<Stage> {
  const exchange = await openExchange({ offers, children: 2 });
  const { topLevelKey, tradeUrl, childKeys, baseUrl } = exchange;
  const [apiKey, other] = childKeys;
  const place = freshPlace();
  const setting = (name: string): PlatformSetting => ({
    ...{ place, baseUrl, topLevelKey, tradeUrl, config },
    accounts: { [name]: { apiKey }, quiet: { apiKey: other, limits: { maxPrice: 0.01 } } },
  });
  const first = await startOperator(setting('anna'));
  await first.sees('its day is used up', () => first.purchases('anna').filter(({ state }) => state === 'bought').length === 2);
  first.halt('anna', 'enough for today');
  await first.stop();
  const given = { cwd: place, clock: new SystemClock(), env: { XDG_RUNTIME_DIR: place } };
  const run = (...args: string[]): Promise<Ran> => magpie([...args, '--config', 'magpie.yaml'], given);
  return { exchange, place, setting, first, orders: () => ordersAt(exchange).length, run };
}

/** As an upgrade would find it. */
function aged(folder: string): void {
  const db = new Database(join(folder, 'magpie.db'));
  db.exec('DROP TABLE reference_days; DROP TABLE reference_names; PRAGMA user_version = 4');
  db.close();
}

/** As an earlier Magpie has left a new folder of an account that it did not know again. */
function bind(folder: string, id: string): void {
  const db = new Database(join(folder, 'magpie.db'));
  db.prepare("INSERT INTO meta (key, value) VALUES ('account', ?)").run(id);
  db.close();
}

function putAway(folder: string): void {
  rmSync(folder, { recursive: true });
}

describe('an account that is called otherwise than before', () => {
  it('buys nothing from a folder of its own while what it bought, its halts and its caps lie in another, and goes on with that', async () => {
    const { setting, first, orders } = await halted();
    const second = await startOperator(setting('annika'));
    await second.sees('it is told', () => second.text.includes('[annika] Down: '));
    expect(second.text).toMatch(/\[annika\] .*data\/accounts\/anna.*→ .*rename/);
    await second.sees('the other goes on', () => /\[quiet\] .*buying is open/i.test(second.text));
    expect([second.purchases('annika'), orders()]).toEqual([[], 2]);
    await second.stop();

    renameSync(first.folder('anna'), first.folder('anna2'));
    const third = await startOperator(setting('anna2'));
    await third.sees('it goes on where it was', () => third.text.includes('[anna2] HALTED'));
    expect([third.purchases('anna2').length, orders()]).toEqual([2, 2]);
    await third.stop();

    // As of an account that was alone before.
    renameSync(join(third.folder('anna2'), 'magpie.db'), join(third.data, 'magpie.db'));
    const fourth = await startOperator(setting('anne'));
    await fourth.sees('it is told', () => fourth.text.includes('[anne] Down: '));
    expect([fourth.purchases('anne'), orders()]).toEqual([[], 2]);
  });

  it('buys nothing by a command either, and its new folder becomes nobody’s by one', async () => {
    const { setting, first, orders, run } = await halted();
    const second = await startOperator(setting('annika'));
    await second.sees('it is told', () => second.text.includes('[annika] Down: '));
    await second.stop();
    for (const words of [['reconcile'], ['buy', '900000003', '--market', 'c5game']]) {
      const { code, err } = await run(...words, '--account', 'annika');
      expect([words[0], code, err]).toEqual([words[0], 2, expect.stringContaining(`its halts are in ${first.folder('anna')}`)]);
    }
    expect([beside(second.folder('annika'), (ledger) => ledger.account()), orders()]).toEqual([undefined, 2]);
  });

  it('is found where its ledger is older, and where the new folder has become its own by an earlier Magpie', async () => {
    const { setting, first, orders } = await halted();
    aged(first.folder('anna'));
    const second = await startOperator(setting('annika'));
    await second.sees('it is told', () => second.text.includes('[annika] Down: '));
    await second.stop();
    const id = second.text.match(/what account (\S+) has bought/)?.[1] ?? '';
    bind(second.folder('annika'), id);
    const third = await startOperator(setting('annika'));
    await third.sees('it is told', () => third.text.includes('[annika] Down: '));
    expect([third.purchases('annika'), orders()]).toEqual([[], 2]);
  });

  it('is found where it is alone from now on, and goes on with its ledger once that is moved', async () => {
    const { exchange, place, first, orders } = await halted();
    const { baseUrl, topLevelKey, tradeUrl, childKeys } = exchange;
    const alone = { place, at: { baseUrl, topLevelKey, tradeUrl, childKey: childKeys[0] ?? '' }, config };
    const bot = await startBot(alone);
    await bot.says(`its halts are in ${first.folder('anna')}`);
    expect((await bot.daemon.ended).exitCode).toBe(2);
    expect([bot.purchases(), orders()]).toEqual([[], 2]);
    renameSync(join(first.folder('anna'), 'magpie.db'), join(first.data, 'magpie.db'));
    const again = await startBot(alone);
    await again.says('HALTED');
    expect([again.purchases().length, orders()]).toEqual([2, 2]);
  });

  it('waits while a ledger that may be its own cannot be read, and goes on by itself when that is over', async () => {
    const { setting, first, orders } = await halted();
    const broken = join(first.data, 'accounts', 'given-up');
    mkdirSync(broken, { mode: 0o700 });
    writeFileSync(join(broken, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    first.halt('anna', 'more');
    const second = await startOperator(setting('anna'));
    await second.sees('it is told', () => second.text.includes('[anna] Down: '));
    expect(second.text).toMatch(/\[anna\] .*given-up cannot be read.*→ .*move its magpie.db/);
    putAway(broken);
    await second.sees('the other goes on', () => /\[quiet\] .*buying is open/i.test(second.text));
    await second.sees('it goes on', () => second.platform.accounts[0]?.daemon?.core.state.halt !== undefined);
    expect(orders()).toBe(2);
  });
});

describe('a set-up in order', () => {
  it('goes on buying where another account was removed on purpose', async () => {
    const { setting, first, orders } = await halted();
    const { accounts, ...rest } = setting('anna');
    const { quiet } = accounts as { quiet: Record<string, unknown> };
    const second = await startOperator({ ...rest, accounts: { quiet: { ...quiet, limits: { maxPrice: 1000 } } } });
    await second.sees('the other buys', () => orders() > 2);
    expect(second.text).not.toContain('Down');
    expect(first.purchases('anna')).toHaveLength(2);
  });
});

describe('two keys of one account of the service', () => {
  /** An exchange that knows a second key for its first child, as after a rotation. */
  async function rotated(exchange: RunningSandbox): Promise<string> {
    const to = new URL(exchange.baseUrl);
    const server = createServer((incoming, answer) => {
      const { method = '', url = '', headers } = incoming;
      const key = headers['x-api-key'] === 'the-new-key' ? exchange.childKeys[0] : headers['x-api-key'];
      const at = { host: to.hostname, port: to.port, method, path: url, headers: { ...headers, 'x-api-key': key } };
      const onward = request(at, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('buy for one of two names only: the one whose ledger it is, and of two new ones the first that answers', async () => {
    const exchange = await openExchange({ offers, children: 2 });
    const { topLevelKey, tradeUrl, childKeys } = exchange;
    const place = freshPlace();
    const setting = (first: string, second: string): PlatformSetting => ({
      ...{ place, baseUrl, topLevelKey, tradeUrl, config: { limits: { maxPrice: 1000, spend: { day: 25 } } } },
      accounts: {
        [first]: { apiKey: first === 'old' ? childKeys[0] : 'the-new-key' },
        [second]: { apiKey: second === 'old' ? childKeys[0] : 'the-new-key' },
      },
    });
    const baseUrl = await rotated(exchange);
    const both = await startOperator(setting('old', 'new'));
    const down = (operator: Operator): string[] => ['old', 'new'].filter((name) => operator.text.includes(`[${name}] Down: `));
    await both.sees('one of them is down', () => down(both).length === 1);
    await both.sees('the other buys', () => ordersAt(exchange).length === 2);
    expect(both.text).toMatch(/accounts\.(old|new) and accounts\.(old|new) are one account of the service/);
    await both.stop();
    const [loser = ''] = down(both);
    const winner = loser === 'old' ? 'new' : 'old';
    // The one whose ledger it is, wherever it stands in the file.
    const again = await startOperator(setting(loser, winner));
    await again.sees('one of them is down', () => down(again).length === 1);
    expect([down(again), again.purchases(loser), ordersAt(exchange).length]).toEqual([[loser], [], 2]);
    await again.stop();
    const given = { cwd: place, clock: new SystemClock(), env: { XDG_RUNTIME_DIR: place } };
    const words = ['buy', '900000003', '--market', 'c5game', '--account', loser, '--config', 'magpie.yaml'];
    expect(await magpie(words, given)).toMatchObject({ code: 2, err: expect.stringContaining('are one account of the service') });
    // Both are bound, by an earlier Magpie: the first of the file.
    const id = beside(again.folder(winner), (ledger) => ledger.account()) ?? '';
    bind(again.folder(loser), id);
    const third = await startOperator(setting(winner, loser));
    await third.sees('one of them is down', () => down(third).length === 1);
    expect([down(third), ordersAt(exchange).length]).toEqual([[loser], 2]);
  });
});
