import { join } from 'node:path';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { TOKEN_FILE, ownToken } from '../../src/web/own-token.ts';
import { magpie, place } from '../cli/harness.ts';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { tapeAt } from '../replay/recording.ts';
import { Polls, entry } from '../support/feed-entries.ts';
import { NOON, dollars, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Stage, TOKEN, asked, running, stage } from './stage.ts';

const at = NOON + 60_000;

/** What a command prints of the same folder at the same moment. */
async function printed(cwd: string, ...args: string[]): Promise<unknown> {
  const { out, err } = await magpie([...args, '--json', '--config', 'magpie.yaml'], { cwd, clock: new VirtualClock(at) });
  expect(err).toBe('');
  return JSON.parse(out);
}

async function told(): Promise<Stage> {
  const scene = await stage();
  const { ledger, cwd } = scene;
  for (const number of [1, 2, 3]) {
    const purchase = begun(ledger, number, NOON + number, {
      strategy: 'redlines',
      listing: listing({ id: String(number), price: 10 }),
    });
    if (number < 3) settled(ledger, purchase, number === 1 ? outcomes.bought('order-1') : outcomes.refused('gone'));
  }
  ledger.recordDecisions(
    Array.from({ length: 130 }, (_, index) => ({
      ...{ at: NOON + index, lane: 'live', market: 'c5game', listingId: '800000037', strategyHash: 'hash', cost: dollars(10.5) },
      ...{
        marketHashName: index % 2 === 0 ? 'AK-47 | Redline (Field-Tested)' : 'Case',
        strategy: index % 3 === 0 ? 'redlines' : 'cases',
      },
      ...(index % 5 === 0 ? { verdict: 'admitted', reason: undefined } : { verdict: 'refused', reason: 'spend-day' }),
      detail: undefined,
    })),
  );
  ledger.recordAlert({ kind: 'reverted', at: NOON + 9, message: 'It was reverted', next: 'Ask for it.', purchaseId: 1 });
  const { tape } = tapeAt(join(cwd, 'data', 'recording.db'));
  const near = entry({ id: '77', wear: 0.31 });
  tape.poll(
    new Polls().next([
      entry(),
      near,
      entry({ id: '78', wear: 0.9, price: 900, priceWithFee: 945 }),
      entry({ id: '79', wear: 7 }),
    ]),
  );
  tape.close(NOON + 2_000);
  running(scene, at);
  return scene;
}

describe('what the page shows', () => {
  it('is what the commands print of the ledger', async () => {
    const { page, cwd } = await told();
    const { now, today, ...status } = (await asked(page, '/api/status')) as Record<string, unknown>;
    expect(status).toEqual(await printed(cwd, 'status'));
    expect(now).toBe('2026-01-05T12:01:00.000Z');
    expect(today).toEqual({
      ...{ whole: true, purchases: 2, lost: 1, spent: 31.5 },
      refusals: [{ reason: 'spend-day', text: 'It would pass `limits.spend.day`.', count: 104 }],
    });
    expect(await asked(page, '/api/purchases')).toEqual({ purchases: await printed(cwd, 'purchases'), more: false });
    expect(await asked(page, '/api/purchase?id=1')).toEqual(await printed(cwd, 'purchases', '1'));
    expect(await asked(page, '/api/why?id=800000037')).toEqual([await printed(cwd, 'why', '800000037')]);
  });

  it('has an end: a hundred rows at a time, narrowed as it is asked', async () => {
    const { page } = await told();
    const decisions = async (query: string): Promise<readonly { id: number; [key: string]: unknown }[]> =>
      ((await asked(page, `/api/decisions?${query}`)) as { decisions: readonly { id: number }[] }).decisions;
    const newest = await decisions('');
    expect([newest.length, newest[0]?.id]).toEqual([100, 130]);
    expect((await decisions('before=31')).map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
    const narrow = await decisions('verdict=admitted&strategy=redlines&words=redline');
    expect(narrow.map(({ id }) => id)).toEqual([121, 91, 61, 31, 1]);
    expect(await decisions('reason=spend-day&words=800000037')).toHaveLength(100);
    expect(await decisions("words=' OR 1=1 --")).toEqual([]);
    expect(await asked(page, '/api/purchases?state=rejected')).toMatchObject({ purchases: [{ id: 2 }] });
    expect(await asked(page, '/api/purchases?state=none-such')).toEqual({ purchases: [], more: false });
  });

  it('is, of a strategy, what it found, bought and spent, and what it narrowly missed', async () => {
    const { page } = await told();
    expect(await asked(page, '/api/strategies')).toMatchObject({
      count: 1,
      strategies: [
        {
          name: 'redlines',
          today: {
            matches: 44,
            refused: 35,
            refusals: [{ reason: 'spend-day', count: 35 }],
            purchases: 1,
            lost: 1,
            open: 1,
            spent: 31.5,
          },
          near: [{ listingId: '77', path: 'when.wear.below', value: '0.31' }],
        },
      ],
    });
  });

  it('is, by day, what was spent and what Steam asked for it, won and lost', async () => {
    const { page } = await told();
    const charts = (await asked(page, '/api/charts')) as { days: readonly unknown[] };
    expect(charts).toMatchObject({ mode: 'live', lostTo: [{ cause: 'gone', count: 1 }] });
    expect(charts.days).toHaveLength(30);
    expect(charts.days.at(-1)).toEqual({
      day: '2026-01-05',
      spent: 31.5,
      pricedSpent: 31.5,
      steam: 60,
      won: 1,
      lost: 1,
      open: 1,
    });
    expect(await asked(page, '/api/alerts')).toMatchObject([{ message: 'It was reverted', purchaseId: 1 }]);
  });

  it('is no secret, whatever the ledger was told', async () => {
    const { page, ledger } = await told();
    ledger.recordAlert({
      kind: 'accept',
      at: NOON + 9,
      message: `somebody wrote ${TOKEN}`,
      next: undefined,
      purchaseId: undefined,
    });
    expect(JSON.stringify(await asked(page, '/api/alerts'))).toContain('somebody wrote ***');
  });

  it('is of no unknown thing: what is not there has 404', async () => {
    const { page } = await told();
    for (const path of [
      '/api/purchase?id=99',
      '/api/purchase?id=x',
      '/api/purchase',
      '/api/why?id=1234',
      '/api/why',
      '/api/nothing',
      '/api/__proto__',
    ])
      await expect(asked(page, path)).rejects.toThrow('404');
  });
});

describe('reports of backtests', () => {
  it('are the files of HTML in the data folder, each shown in a sandbox of its own, and no other file is', async () => {
    const { page, cwd } = await stage();
    const data = (name: string): string => join(cwd, 'data', name);
    mkdirSync(data('reports'));
    writeFileSync(data('one.html'), '<h1>one</h1>');
    writeFileSync(data('reports/two.html'), '<h1>two</h1>');
    symlinkSync(join(cwd, 'magpie.yaml'), data('three.html'));
    expect(((await asked(page, '/api/reports')) as { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
      'one.html',
      'reports:two.html',
    ]);
    const get = (name: string): Promise<Response> =>
      fetch(`${page.address}/reports/${name}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const answer = await get('reports%3Atwo.html');
    expect([answer.status, await answer.text()]).toEqual([200, '<h1>two</h1>']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
    for (const name of [
      'three.html',
      'magpie.db',
      '..%2fmagpie.yaml',
      '%2e%2e%2fmagpie.yaml',
      'one.html%00',
      '%',
      'reports%2ftwo.html',
    ])
      expect([name, (await get(name)).status]).toEqual([name, 404]);
  });
});

describe('a token that is made', () => {
  const random = seededRandom(7, 'token');

  it('is kept for its owner alone, and stays the same', () => {
    const folder = join(place(), 'data');
    const token = ownToken(folder, random).reveal();
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(readFileSync(join(folder, TOKEN_FILE), 'utf8')).toBe(`${token}\n`);
    expect(statSync(join(folder, TOKEN_FILE)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(ownToken(folder, random).reveal()).toBe(token);
  });

  it('is another one where others could have read it, or where it is none', () => {
    const folder = join(place(), 'data');
    const tokens = new Set([ownToken(folder, random).reveal()]);
    const path = join(folder, TOKEN_FILE);
    chmodSync(path, 0o644);
    tokens.add(ownToken(folder, random).reveal());
    writeFileSync(path, '');
    tokens.add(ownToken(folder, random).reveal());
    expect(tokens.size).toBe(3);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
