import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ran, magpie } from '../cli/harness.ts';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { NOON, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { listens } from './listener.ts';
import { type StageOfEach, type StageOfEachOptions, stageOfEach } from './stage-of-each.ts';
import { TOKEN, asked, posted, running, stage } from './stage.ts';

const at = NOON + 60_000;
const names = ['anna', 'bert', 'carl'];

/** Anna has bought, bert is halted, and carl has never run. */
async function three(options: Partial<StageOfEachOptions> = {}): Promise<StageOfEach> {
  const scene = await stageOfEach({
    names,
    without: ['carl'],
    given: { bert: '{ limits: { spend: { day: 30 } } }' },
    ...options,
  });
  const [anna, bert] = [scene.seat('anna'), scene.seat('bert')];
  const purchase = begun(anna.ledger, 1, NOON, { strategy: 'redlines', listing: listing({ id: '1', price: 10 }) });
  settled(anna.ledger, purchase, outcomes.bought('order-1'));
  begun(anna.ledger, 2, NOON + 1, { strategy: 'redlines', listing: listing({ id: '2', price: 12 }) });
  anna.ledger.recordAlert({ kind: 'reverted', at: NOON + 9, message: 'It was reverted', next: 'Ask for it.', purchaseId: 1 });
  bert.ledger.halt('prices look odd', 'person', NOON + 5);
  running(anna, at);
  running(bert, at);
  return scene;
}

function run({ cwd }: StageOfEach, ...args: string[]): Promise<Ran> {
  return magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new VirtualClock(at) });
}

async function printed(scene: StageOfEach, ...args: string[]): Promise<unknown> {
  return JSON.parse((await run(scene, ...args, '--json')).out);
}

interface Everybody {
  readonly accounts: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

const everybody = async ({ page }: StageOfEach): Promise<Everybody> => (await asked(page, '/api/status')) as Everybody;

function haltOf(scene: StageOfEach, name: string): string | undefined {
  return scene.seat(name).ledger.standingHalts()[0]?.reason;
}

describe('the page of several accounts', () => {
  it('has a line an account, as `magpie status` tells it, and what is true of the whole', async () => {
    const scene = await three();
    const { accounts, ...whole } = await everybody(scene);
    expect(whole).toMatchObject({
      ...{ now: new Date(at).toISOString(), playMoney: true, listings: 498, version: '0.1.0' },
      lastPollAt: new Date(at - 800).toISOString(),
      alerts: [{ account: 'anna', message: 'It was reverted', next: 'Ask for it.' }],
    });
    const told = (await printed(scene, 'status')) as { accounts: Record<string, Record<string, unknown>> };
    expect(accounts.map(({ name }) => name)).toEqual(names);
    for (const line of accounts) {
      const { balance, mode, lastPollAt, spend, caps } = told.accounts[String(line['name'])] ?? {};
      expect(line).toMatchObject({ balance, mode, lastPollAt, spentDay: (spend as { day: number }).day });
      const capped = (caps as { of: string; key: string; used: number; cap: number | null }[])
        .filter(({ of, key, cap }) => of === 'account' && key.startsWith('limits.spend.') && cap !== null)
        .map(({ key, used, cap }) => ({ window: key.split('.')[2], used, cap }));
      expect(line['spend']).toEqual(capped);
    }
    const [anna, bert, carl] = accounts;
    expect(anna).toMatchObject({ state: 'buying', why: null, alerts: 1, unknown: 0 });
    expect(bert).toMatchObject({ state: 'halted', why: 'prices look odd' });
    expect(carl).toMatchObject({ state: 'down', balance: null });
  });

  it('shows of each what the page of an account alone shows, and nothing of another', async () => {
    const scene = await three();
    for (const name of ['anna', 'bert']) {
      const { now, today, ...status } = (await asked(scene.page, `/accounts/${name}/api/status`)) as Record<string, unknown>;
      expect([now, today]).toEqual([new Date(at).toISOString(), expect.objectContaining({ whole: true })]);
      expect(status).toEqual(await printed(scene, 'status', '--account', name));
      const purchases = await printed(scene, 'purchases', '--account', name);
      expect(await asked(scene.page, `/accounts/${name}/api/purchases`)).toEqual({ purchases, more: false });
    }
    expect(await asked(scene.page, '/accounts/anna/api/purchase?id=1')).toEqual(
      await printed(scene, 'purchases', '1', '--account', 'anna'),
    );
    await expect(asked(scene.page, '/accounts/bert/api/purchase?id=1')).rejects.toThrow('404');
  });

  it('hides no account behind one whose ledger cannot be read', async () => {
    const scene = await three();
    const folder = join(scene.cwd, 'data/accounts/carl');
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, 'magpie.db'), 'no database at all '.repeat(300), { mode: 0o600 });
    const { accounts } = await everybody(scene);
    expect(accounts.map(({ state }) => state)).toEqual(['buying', 'halted', 'unread']);
    expect(String(accounts[2]?.['why'])).toContain('magpie.db');
  });

  it('stops every account that can be stopped, and says which cannot; nothing lets all of them buy again', async () => {
    const scene = await three();
    const { page } = scene;
    expect((await posted(page, '/api/halt', { reason: 'that is enough' })).status).toBe(200);
    expect([haltOf(scene, 'anna'), haltOf(scene, 'bert')]).toEqual(['that is enough', 'prices look odd']);
    expect((await everybody(scene)).accounts.map(({ state }) => state)).toEqual(['halted', 'halted', 'halted']);
    expect((await posted(page, '/api/resume', { reason: 'all at once' })).status).toBe(404);
    expect((await posted(page, '/accounts/anna/api/resume', { reason: 'she is well' })).status).toBe(200);
    expect([haltOf(scene, 'anna'), haltOf(scene, 'bert')]).toEqual([undefined, 'prices look odd']);
    expect(scene.resumed).toEqual(['anna: she is well']);
    writeFileSync(join(scene.cwd, 'data/accounts/carl', 'magpie.db'), 'no database', { mode: 0o600 });
    const partly = await posted(page, '/api/halt', { reason: 'once more' });
    expect(partly.status).toBe(500);
    expect(((await partly.json()) as { message: string }).message).toMatch(/^NOT HALTED: carl \(.*\)\. All others are halted\./);
    expect(haltOf(scene, 'anna')).toBe('once more');
  });

  it('stops one account alone where that is asked', async () => {
    const scene = await three();
    expect((await posted(scene.page, '/accounts/anna/api/halt', { reason: 'hers alone' })).status).toBe(200);
    expect([haltOf(scene, 'anna'), haltOf(scene, 'bert')]).toEqual(['hers alone', 'prices look odd']);
  });

  it('lists the reports of the data folder of all, and of each those of its own', async () => {
    const scene = await three();
    const report = '<title>A report</title>';
    writeFileSync(join(scene.cwd, 'data', 'of-all.html'), report);
    writeFileSync(join(scene.seat('anna').folder, 'of-anna.html'), report);
    const names = async (path: string): Promise<string[]> =>
      ((await asked(scene.page, path)) as { name: string }[]).map(({ name }) => name);
    expect(await names('/api/reports')).toEqual(['of-all.html']);
    expect(await names('/accounts/anna/api/reports')).toEqual(['of-anna.html']);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const shown = await fetch(`${scene.page.address}/accounts/anna/reports/of-anna.html`, { headers });
    expect([await shown.text(), shown.headers.get('content-security-policy')]).toEqual([
      report,
      expect.stringMatching(/^sandbox/),
    ]);
    expect((await fetch(`${scene.page.address}/accounts/bert/reports/of-anna.html`, { headers })).status).toBe(404);
  });
});

describe('the door of several accounts', () => {
  it('tells without the token not even which accounts there are [S6]', async () => {
    const { page, seat } = await three();
    for (const name of ['anna', 'nobody']) {
      for (const path of ['api/status', 'api/purchases', 'api/events', 'reports/a.html', 'nothing'])
        expect((await fetch(`${page.address}/accounts/${name}/${path}`)).status).toBe(401);
      for (const what of ['halt', 'resume', 'nothing'])
        expect((await posted(page, `/accounts/${name}/api/${what}`, { reason: 'x' }, { authorization: '' })).status).toBe(401);
    }
    expect(seat('anna').ledger.halted()).toBeUndefined();
  });

  it('is shut to another site for each of them [S7]', async () => {
    const { page, seat } = await three();
    for (const path of ['/api/halt', '/accounts/anna/api/halt', '/accounts/bert/api/resume']) {
      const answer = await posted(page, path, { reason: 'mischief' }, { origin: 'http://elsewhere.example' });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect([seat('anna').ledger.halted(), seat('bert').ledger.halted()?.reason]).toEqual([undefined, 'prices look odd']);
  });

  it('knows no account but those of the configuration, however it is called', async () => {
    const { page } = await three();
    for (const name of ['nobody', '..', '%2e%2e', 'anna%2f..', 'ANNA', 'constructor', '__proto__', ''])
      await expect(asked(page, `/accounts/${name}/api/decisions`)).rejects.toThrow('404');
    const alone = await stage();
    await expect(asked(alone.page, '/accounts/anna/api/status')).rejects.toThrow('404');
  });
});

describe('who looks on at several accounts', () => {
  it('hears of all, or of the one that is looked at, eight at once whatever they look at', async () => {
    const clock = new VirtualClock(at);
    const scene = await three({ clock });
    const [all, anna] = [await listens(scene), await listens(scene, '/accounts/anna/api/events')];
    await clock.advance(0);
    await Promise.all([all.until('event: status'), anna.until('event: status')]);
    expect([all.text().includes('"accounts":['), anna.text().includes('"accounts":[')]).toEqual([true, false]);
    begun(scene.seat('anna').ledger, 3, at, { strategy: 'redlines', listing: listing({ id: '3', price: 1 }) });
    await clock.advance(1_000);
    await anna.until('event: purchases');
    expect(all.text()).not.toContain('event: purchases');
    for (let more = 2; more < 8; more += 1) await listens(scene, more % 2 === 0 ? '/accounts/bert/api/events' : '/api/events');
    await expect(listens(scene)).rejects.toThrow('503');
    await expect(listens(scene, '/accounts/carl/api/events')).rejects.toThrow('503');
  });

  it('hears of many accounts at a rate that falls with their number, a few hundred bytes each', async () => {
    const clock = new VirtualClock(at);
    const names = Array.from({ length: 400 }, (_, index) => `merchant-${index}`);
    const scene = await stageOfEach({ names, without: names, clock });
    const all = await listens(scene);
    for (let second = 0; second < 11; second += 1) await clock.advance(1_000);
    // The last of them that must come by now.
    await all.until(`"now":"${new Date(at + 8_000).toISOString().slice(0, 18)}`);
    const told = all.text().split('event: status').length - 1;
    expect(told).toBeGreaterThanOrEqual(3);
    expect(told).toBeLessThanOrEqual(6);
    expect(all.text().length / told / names.length).toBeLessThan(300);
  });
});
