import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import { type Operator, type PlatformSetting, startOperator, tryOperator, watched } from './accounts-stage.ts';
import { freshPlace, offer, openExchange, ordersAt, pause } from './stage.ts';

const names = ['anna', 'bert', 'cleo'] as const;

/** Many offers, each of another item, that anybody would want. */
const offers = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, at) =>
    offer(String(900_000_001 + at), { name: `Sticker | Number ${at}`, price: 1 + at / 100 }),
  );

function settingOf(exchange: RunningSandbox, baseUrl = exchange.baseUrl): PlatformSetting {
  const { topLevelKey, tradeUrl, childKeys } = exchange;
  const accounts = Object.fromEntries(names.map((name, at) => [name, { apiKey: childKeys[at] }]));
  return { place: freshPlace(), baseUrl, topLevelKey, tradeUrl, accounts };
}

const done = (operator: Operator, account: string): number =>
  operator.purchases(account).filter(({ state }) => state === 'bought' || state === 'completed').length;

/** Each listing that somebody bought, once for each purchase that was sent for it. */
const sent = (operator: Operator): string[] =>
  names.flatMap((name) => operator.purchases(name).map(({ market, listingId }) => `${market}:${listingId}`));

describe('several accounts in one process', () => {
  it('buy each with its own key, share what they want, never buy the same, and are read for with the top-level key alone', async () => {
    const exchange = await openExchange({ offers: offers(30), children: 3 });
    const { baseUrl, passed } = await watched(exchange);
    const operator = await startOperator(settingOf(exchange, baseUrl));
    await operator.sees('all is bought', () => ordersAt(exchange).length === 30);
    await operator.sees('all is written', () => names.reduce((sum, name) => sum + done(operator, name), 0) === 30);
    expect(new Set(sent(operator)).size).toBe(30);
    expect(Object.values(exchange.books().posts)).toEqual(Array.from({ length: 30 }, () => 1));
    // In turns: nobody is left out, though all want everything from the first.
    for (const name of names) expect(done(operator, name)).toBeGreaterThan(0);
    await operator.stop();

    const keys = new Map<string, Set<string>>();
    for (const { path, key } of passed) keys.set(path, (keys.get(path) ?? new Set()).add(key));
    const [top, children] = [exchange.topLevelKey, new Set(exchange.childKeys)];
    expect(keys.get('/v2/partner/live/listings')).toEqual(new Set([top]));
    for (const [path, used] of keys) {
      const shared = path === '/v2/partner/live/listings' || path.includes('health');
      expect({ path, used: [...used].every((key) => (shared ? key === top : children.has(key))) }).toEqual({ path, used: true });
    }
    const bookedBy = new Map(ordersAt(exchange).map(({ id, account }) => [id, account]));
    const owners = names.map(
      (name) => new Set(operator.purchases(name).map(({ serviceOrderId }) => bookedBy.get(serviceOrderId ?? ''))),
    );
    for (const owner of owners) expect(owner.size).toBe(1);
    expect(new Set(owners.flatMap((owner) => [...owner])).size).toBe(3);
    const text = operator.text;
    for (const key of [top, ...children]) expect(text).not.toContain(key);
    expect(text).toContain('[anna] bought');
  });

  it('go on where the key of one is refused and another is halted', async () => {
    const exchange = await openExchange({ offers: offers(40), children: 3 });
    const setting = settingOf(exchange);
    const accounts = { ...setting.accounts, anna: { apiKey: 'a-key-that-nobody-knows' } };
    const slow = { rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 4, concurrent: 1 }, timeout: '3s' } };
    const operator = await startOperator({ ...setting, accounts, config: slow });
    await operator.sees('both of the others buy', () => done(operator, 'bert') > 0 && done(operator, 'cleo') > 0);
    operator.halt('bert', 'his own trouble');
    await operator.sees('it is halted', () => operator.text.includes('[bert] HALTED'));
    const before = operator.purchases('bert').length;
    const hers = done(operator, 'cleo');
    await operator.sees('the third goes on', () => done(operator, 'cleo') > hers + 3);
    expect(operator.purchases('bert')).toHaveLength(before);
    expect(operator.purchases('anna')).toHaveLength(0);
    expect(operator.text).toContain('[anna] ALERT     The service refuses the key');
    expect(new Set(sent(operator)).size).toBe(sent(operator).length);
  });

  it('go on where one has a folder that is held or a ledger that cannot be read, and take it up when that is mended', async () => {
    const exchange = await openExchange({ offers: offers(3), children: 3, control: true });
    const setting = settingOf(exchange);
    const held = acquireFolderLock(join(setting.place, 'data/accounts/anna'));
    if (!held.ok) throw new Error(held.fault.message);
    mkdirSync(join(setting.place, 'data/accounts/bert'), { recursive: true });
    writeFileSync(join(setting.place, 'data/accounts/bert/magpie.db'), 'no ledger at all '.repeat(500));
    const operator = await startOperator(setting);
    await operator.sees('both are told of', () => /\[anna\] Down: /.test(operator.text) && /\[bert\] Down: /.test(operator.text));
    await operator.sees('the third is open', () => /\[cleo\] .*buying is open/i.test(operator.text));
    // What stood before anybody could read what those two have bought may be theirs.
    expect(operator.purchases('cleo')).toHaveLength(0);
    held.lock.release();
    await operator.sees('it is taken up', () => operator.text.includes('[anna] Magpie'));
    expect(operator.platform.accounts.map(({ daemon }) => daemon !== undefined)).toEqual([true, false, true]);
  });

  it('go on where the engine of one fails, which is started again and goes on from its ledger', async () => {
    const exchange = await openExchange({ offers: offers(60), children: 3 });
    const slow = { rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 5, concurrent: 1 }, timeout: '3s' } };
    const operator = await startOperator({ ...settingOf(exchange), config: slow });
    await operator.sees('all buy', () => names.every((name) => done(operator, name) > 0));
    const [anna] = operator.platform.accounts;
    // Rules that are none: a defect, met inside of the core.
    anna?.daemon?.core.reload({} as never);
    await operator.sees('it is told and ends by itself', () => operator.text.includes('[anna] Down: '));
    const others = [done(operator, 'bert'), done(operator, 'cleo')];
    await operator.sees(
      'the others go on',
      () => done(operator, 'bert') > (others[0] ?? 0) && done(operator, 'cleo') > (others[1] ?? 0),
    );
    await operator.sees('it is back', () => anna?.daemon !== undefined);
    await operator.sees('all is bought', () => ordersAt(exchange).length === 60);
    expect(operator.text).toContain('[anna] A defect in Magpie, please report it');
    expect(operator.text).not.toMatch(/\[(?:bert|cleo)\] A defect/);
    expect(new Set(sent(operator)).size).toBe(sent(operator).length);
  });

  it('go on where a promise of one is rejected and nobody handles it: that one ends, and is started again', async () => {
    // The runner of the tests takes each as a failure of its own.
    const runners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    onTestFinished(() => runners.forEach((listener) => process.on('unhandledRejection', listener)));
    const exchange = await openExchange({ offers: offers(60), children: 3 });
    const slow = { rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 5, concurrent: 1 }, timeout: '3s' } };
    const operator = await startOperator({ ...settingOf(exchange), config: slow });
    await operator.sees('all buy', () => names.every((name) => done(operator, name) > 0));
    const [anna] = operator.platform.accounts;
    Object.assign(anna?.daemon?.core ?? {}, { hear: () => void Promise.reject(new Error('nobody minds me')) });
    await operator.sees('it is told and ends by itself', () => operator.text.includes('[anna] Down: '));
    await operator.sees('it is back', () => anna?.daemon !== undefined);
    await operator.sees('all is bought', () => ordersAt(exchange).length === 60);
    expect(operator.text).toMatch(/\[anna\] A defect in Magpie, please report it.*nobody minds me/);
    expect(operator.text).not.toMatch(/\[(?:bert|cleo)\] A defect/);
    await operator.stop();
    expect(process.listenerCount('unhandledRejection')).toBe(0);
  });

  it('buy nothing that another may have bought, also after a restart', async () => {
    const exchange = await openExchange({ offers: offers(1), children: 3, faults: { buyLostBefore: 1 } });
    const setting = settingOf(exchange);
    const first = await startOperator(setting);
    await first.sees('one tries and nobody knows', () =>
      names.some((name) => first.purchases(name).some(({ state }) => state === 'unknown')),
    );
    await first.stop();
    exchange.setFaults({ orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 });
    const second = await startOperator(setting);
    await second.sees(
      'all have seen it stand',
      () => names.every((name) => second.text.includes(`[${name}] `)) && second.lines.length > 20,
    );
    await second.sees('the others know whose it is', () =>
      /\[(?:anna|bert|cleo)\] pass.*claimed: another account has it/.test(second.text),
    );
    expect(sent(second)).toHaveLength(1);
    await second.stop();
    expect(ordersAt(exchange)).toHaveLength(0);
  });

  it('are told of each by its name: metrics by a label, readiness by which makes no progress, and the process by itself', async () => {
    const exchange = await openExchange({ offers: offers(6), children: 3 });
    const setting = settingOf(exchange);
    const accounts = { ...setting.accounts, bert: { apiKey: 'a-key-that-nobody-knows' } };
    const operator = await startOperator({ ...setting, accounts, config: { metrics: { port: 0 } } });
    await operator.sees('all is bought', () => ordersAt(exchange).length === 6);
    await operator.sees('where metrics are', () => /Metrics at (\S+)\/metrics/.test(operator.text));
    const address = /Metrics at (\S+)\/metrics/.exec(operator.text)?.[1] ?? '';
    const page = async (name: string): Promise<{ readonly status: number; readonly text: string }> => {
      const answer = await fetch(`${address}/${name}`);
      return { status: answer.status, text: await answer.text() };
    };
    let text = '';
    await operator.sees('all are counted', () => names.reduce((sum, name) => sum + done(operator, name), 0) === 6);
    for (let tries = 0; tries < 300 && !/magpie_ready\{account="cleo"\} 1/.test(text); tries += 1) {
      await pause(100);
      ({ text } = await page('metrics'));
    }
    expect(text).toMatch(/^magpie_ready\{account="anna"\} 1$/m);
    expect(text).toMatch(/^magpie_key_refused\{account="bert"\} 1$/m);
    expect(text).toMatch(/^magpie_purchases\{account="anna",state="bought"\} \d$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    // Each metric is told once by its name and meaning, and every series of an account has its label.
    const heads = text.split('\n').filter((line) => line.startsWith('# HELP '));
    expect(new Set(heads.map((line) => line.split(' ')[2])).size).toBe(heads.length);
    const unlabelled = text
      .split('\n')
      .filter((line) => /^magpie_(?!build_info|disk_|recording_bytes)/.test(line) && !line.includes('account="'));
    expect(unlabelled).toEqual([]);
    const ready = await page('readyz');
    expect(ready.status).toBe(503);
    expect(JSON.parse(ready.text)).toMatchObject({ ready: false, late: ['bert'] });
    expect((await page('healthz')).status).toBe(200);
  });

  it('are one process: a second one on the same folder is refused', async () => {
    const exchange = await openExchange({ offers: offers(1), children: 3 });
    const setting = settingOf(exchange);
    await startOperator(setting);
    const second = await tryOperator(setting);
    expect(second).toMatchObject({ ok: false, exitCode: 3, held: 'folder' });
  });

  it('poll once and end, each with what it could buy', async () => {
    const exchange = await openExchange({ offers: offers(9), children: 3 });
    const operator = await startOperator({ ...settingOf(exchange), once: true });
    expect(await operator.platform.ended).toEqual({ exitCode: 0 });
    expect(ordersAt(exchange)).toHaveLength(9);
    expect(new Set(sent(operator)).size).toBe(9);
  });
});
