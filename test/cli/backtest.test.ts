import { copyFileSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { attempt, bargain, recorded } from '../replay/backtest/stage.ts';
import { recordingPath, tapeAt } from '../replay/recording.ts';
import { Polls, START } from '../support/feed-entries.ts';
import { magpie, place } from './harness.ts';

const wantsHalf = 'name: half\nprice: { maxOfSteam: 0.5 }\n';
const wantsFew = 'name: few\nprice: { maxOfSteam: 0.5 }\nlimits: { count: { day: 1 } }\n';

const wantsLate = 'name: late\nprice: { maxOfSteam: 0.5 }\nlimits: { spend: { total: 10 } }\n';

/** Three offers in turn: one that stays, one that is gone a second later, one that stays. */
const looks = [
  [bargain('1', { steamPrice: 11 })],
  [bargain('1', { steamPrice: 11 }), bargain('2')],
  [bargain('1', { steamPrice: 11 }), bargain('2'), bargain('3')],
  ...Array.from({ length: 5 }, () => [bargain('1', { steamPrice: 11 }), bargain('2')]),
  ...Array.from({ length: 5 }, () => [bargain('1', { steamPrice: 11 }), bargain('2'), bargain('4')]),
];

function folder(files: Record<string, string> = { 'strategies/redlines.yaml': wantsHalf }, recording = recorded(looks)): string {
  const cwd = place(files);
  mkdirSync(join(cwd, 'data'), { recursive: true });
  copyFileSync(recording, join(cwd, 'data', 'recording.db'));
  return cwd;
}

const run = ['backtest', '--config', 'magpie.yaml'];

interface Document {
  readonly coverage: number;
  readonly gaps: readonly unknown[];
  readonly listings: number;
  readonly events: number;
  readonly strategies: readonly Record<string, unknown>[];
  readonly purchases: readonly Record<string, unknown>[];
  readonly halts: readonly unknown[];
  readonly assumptions: readonly { readonly about: string; readonly text: string }[];
  readonly nearMisses: readonly unknown[];
  readonly nearMissesWhole: boolean;
}

interface Walked {
  readonly profit: number;
  readonly windows: readonly {
    readonly chosen: { readonly name: string } | null;
    readonly profit: number;
    readonly evidence: string;
  }[];
}

async function document(cwd: string, ...args: string[]): Promise<Document> {
  const { code, out, err } = await magpie([...run, '--json', ...args], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Document;
}

describe('backtest', () => {
  it('says where to look when nothing of a recording can be read', async () => {
    const recording = recorded(looks);
    truncateSync(recording, 70_000);
    const { code, err } = await magpie(run, { cwd: folder(undefined, recording) });
    expect([code, err]).toEqual([1, expect.stringContaining('`magpie recording verify')]);
  });

  it('tells what would have been bought surely, probably and at best, and what that is worth', async () => {
    const { strategies, purchases, ...rest } = await document(folder(), '--latency', '200ms');
    expect(rest).toMatchObject({ coverage: 1, gaps: [], listings: 4, halts: [] });
    expect(strategies).toHaveLength(1);
    const [half] = strategies;
    expect(half).toMatchObject({
      name: 'half',
      matched: 3,
      admitted: 3,
      bought: { pessimistic: 2, optimistic: 3 },
      evidence: 'none',
    });
    const { expected } = (half ?? {})['bought'] as { expected: number };
    expect(expected).toBeGreaterThanOrEqual(2);
    expect(expected).toBeLessThanOrEqual(3);
    // Each costs $10.50 and leaves $26.09 of the $30.00 on Steam.
    expect(half?.['spent']).toBeCloseTo(expected * 10.5, 6);
    expect(half?.['profit']).toBeCloseTo(expected * (26.09 - 10.5), 6);
    expect(purchases.map(({ listingId, won }) => [listingId, (won as { pessimistic: number }).pessimistic])).toEqual([
      ['2', 1],
      ['3', 0],
      ['4', 1],
    ]);
    expect(purchases[0]).toMatchObject({
      state: 'simulated',
      strategy: 'half',
      price: 10,
      priceWithFee: 10.5,
      steamPrice: 30,
      worth: { steam: 26.09, resale: 21, relist: null },
    });
  });

  it('walks forward: chooses by what had been made before a stretch, and is judged by what came in it', async () => {
    const { walkForward } = (await document(folder(), '--latency', '200ms')) as unknown as { walkForward: Walked };
    expect(walkForward.windows).toHaveLength(4);
    // Two offers come before the first choice, one in the third stretch.
    expect(walkForward.windows.map(({ chosen }) => chosen?.name)).toEqual(['half', 'half', 'half', 'half']);
    expect(walkForward.windows.map(({ profit }) => Math.round(profit * 100))).toEqual([0, 0, 1_559, 0]);
    expect(walkForward.windows.every(({ evidence }) => evidence === 'none')).toBe(true);
    expect(walkForward.profit).toBeCloseTo(15.59, 6);
    const wrong = await magpie([...run, '--windows', '0'], { cwd: folder() });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--windows "0" is not from 1 to 50')]);
  });

  it('keeps to the caps of strategies, as the daemon does: who lost one buy may make another', async () => {
    const { strategies } = await document(folder({ 'strategies/redlines.yaml': wantsFew }), '--latency', '200ms');
    expect(strategies[0]).toMatchObject({
      name: 'few',
      matched: 3,
      admitted: 1,
      bought: { pessimistic: 1, expected: 1, optimistic: 1 },
    });
  });

  it('names what kept matches from being admitted, each once and for its last reason, and those that came to no verdict', async () => {
    const cwd = folder({ 'strategies/redlines.yaml': wantsHalf, 'two/few.yaml': wantsFew, 'two/late.yaml': wantsLate });
    const both = ['--strategies', 'strategies', '--strategies', 'two', '--latency', '200ms'];
    const { strategies } = await document(cwd, ...both);
    expect(strategies.map(({ name, notAdmitted, refusals }) => [name, notAdmitted, refusals])).toEqual([
      ['half', 0, []],
      ['few', 2, [{ reason: 'strategy-count-day', count: 2 }]],
      // Of three, one was bought for the other strategy; two were too dear for what it may spend.
      ['late', 3, [{ reason: 'strategy-spend-total', count: 2 }]],
    ]);
    const { out } = await magpie([...run, ...both, '--report', 'out.html'], { cwd });
    for (const words of [
      "two/few: 2 of 3 matches not admitted, each for the last reason it had:\n  2 for strategy-count-day: It would pass the strategy's `limits.count.day`.\n",
      '  1 without a verdict: another strategy had them, or they were gone before their turn.\n',
    ])
      expect(out).toContain(words);
    expect(out).not.toContain('strategies/half: 0');
    const report = readFileSync(join(cwd, 'out.html'), 'utf8');
    expect(report).toContain('two/few: 2 of 3 matches not admitted');
    expect(report).toContain('<li>2 for strategy-count-day: ');
  });

  it('counts an offer as refused for nothing that was admitted in the end', async () => {
    const refusedOnce = {
      'strategies/redlines.yaml': 'name: two\nprice: { maxOfSteam: 0.5 }\nlimits: { count: { total: 1 } }\n',
    };
    const both = [bargain('1'), bargain('2')];
    const own = [attempt('1', START + 2_100, 'gone', 2), attempt('2', START + 2_100, 'gone', 2)];
    const cwd = folder(refusedOnce, recorded([[], ...Array.from({ length: 20 }, () => both)], own));
    const [two] = (await document(cwd, '--latency', '200ms')).strategies;
    expect(two).toMatchObject({ matched: 2, admitted: 2, notAdmitted: 0, refusals: [] });
  });

  it('says why the surer figure is the higher one, where it is: what is not won leaves its caps free', async () => {
    const dear = bargain('1', { price: 25, priceWithFee: 25, steamPrice: 100 });
    const cheap = [bargain('2'), bargain('3')];
    const looksAfter = [[], [dear], ...Array.from({ length: 4 }, () => []), ...Array.from({ length: 10 }, () => cheap)];
    const capped = { 'strategies/redlines.yaml': 'name: half\nprice: { maxOfSteam: 0.5 }\nlimits: { spend: { total: 30 } }\n' };
    const cwd = folder(capped, recorded(looksAfter));
    const [half] = (await document(cwd, '--latency', '200ms')).strategies;
    expect(half).toMatchObject({ bought: { pessimistic: 2, optimistic: 1 } });
    const { out } = await magpie([...run, '--latency', '200ms', '--report', 'out.html'], { cwd });
    const words = 'half: surely, probably and at best stand in no order, as they are three replays';
    expect(out.split(words)).toHaveLength(2);
    expect(readFileSync(join(cwd, 'out.html'), 'utf8')).toContain(words);
    const inOrder = await magpie([...run, '--report', 'out.html'], { cwd: folder() });
    expect(inOrder.out).not.toContain('stand in no order');
  });

  it('holds the rates of rivals against buys of our own where there are any, and says so where there are none', async () => {
    const rivals = async (recording?: string): Promise<string | undefined> =>
      (await document(folder(undefined, recording))).assumptions.find(({ about }) => about === 'rivals')?.text;
    expect(await rivals()).toMatch(
      /There are no live buys of our own in this time to hold that against: it is taken as it is, give or take a factor of 1\.65, which is a guess\.$/,
    );
    const own = [attempt('2', START + 4_100, 'bought', 4), attempt('4', START + 10_100, 'gone', 10)];
    expect(await rivals(recorded(looks, own))).toMatch(
      /Held against 2 live buys of our own in this time, won or lost, they go \d\.\d\d times as fast, give or take a factor of \d\.\d\d\.$/,
    );
  });

  it('shows several folders side by side', async () => {
    const cwd = folder({ 'one/half.yaml': wantsHalf, 'two/few.yaml': wantsFew });
    const { strategies } = await document(cwd, '--strategies', 'one', '--strategies', 'two', '--latency', '200ms');
    expect(strategies.map(({ name, folder: of }) => [of, name])).toEqual([
      ['one', 'half'],
      ['two', 'few'],
    ]);
    const { out } = await magpie([...run, '--strategies', 'one', '--strategies', 'two'], { cwd });
    expect(out).toContain('one/half');
    expect(out).toContain('so few purchases are no evidence');
  });

  it('replays a part of the time: what stood when it begins is there from the beginning', async () => {
    const from = new Date(START + 6_000).toISOString();
    const { strategies } = await document(folder(), '--from', from, '--latency', '200ms');
    expect(strategies[0]).toMatchObject({ matched: 2, admitted: 2, bought: { pessimistic: 2, optimistic: 2 } });
  });

  it('knows of past days what the daemon had been told before that part, and nothing that it was told later', async () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    const record = { median: 30_000_000, samples: 9, low: 29_000_000, high: 31_000_000, newestAt: START - 3_600_000 };
    const told = (at: number, records: readonly unknown[]) => tape.input('event', at, { type: 'references', at, records });
    told(START + 500, [
      { name: 'case 1', record },
      { name: 'case 2', record },
    ]);
    for (let poll = 0; poll < 12; poll++) {
      if (poll === 3) told(START + 3_500, [{ name: 'case 2', record: null }]);
      if (poll === 10) told(START + 10_500, [{ name: 'case 4', record }]);
      tape.poll(polls.next(['1', '2', '4'].map((id) => bargain(id))));
    }
    tape.close(START + 13_000);
    const cwd = folder(
      { 'strategies/redlines.yaml': 'name: known\nprice: { maxOfSteam: 0.5 }\nwhen: { reference: { minSamples: 5 } }\n' },
      path,
    );
    const bought = async (...args: string[]) => {
      const { purchases, assumptions } = await document(cwd, ...args, '--latency', '200ms');
      const words = assumptions.find(({ about }) => about === 'reference prices');
      return { names: purchases.map((one) => one['marketHashName']), words: words?.text };
    };
    expect(await bought('--from', new Date(START + 6_000).toISOString(), '--to', new Date(START + 10_000).toISOString())).toEqual(
      {
        names: ['Case 1'],
        words:
          "Records of past days' prices are those that the daemon had been told by then: 1 name when it begins, from what was recorded before; told anew 0 times since. What was told before the recording begins, or was trimmed, is not known.",
      },
    );
    expect((await bought()).names).toEqual(['Case 1', 'Case 2', 'Case 4']);
    expect((await bought()).words).toContain('2 names when it begins, from what was recorded before; told anew 2 times since');
  });

  it('counts what one condition alone kept out, and what that would have been worth', async () => {
    const { nearMisses, nearMissesWhole } = await document(
      folder({ 'strategies/redlines.yaml': 'name: strict\nwhen: { name: Case 4 }\nprice: { maxOfSteam: 0.2, max: 5 }\n' }),
    );
    expect(nearMissesWhole).toBe(true);
    expect(nearMisses).toEqual([]);
    const loose = await document(folder({ 'strategies/redlines.yaml': 'name: strict\nprice: { maxOfSteam: 0.5, max: 5 }\n' }));
    expect(loose.nearMisses).toEqual([
      {
        strategy: 'strict',
        condition: 'price.max',
        wants: 'at most $5.00',
        offers: 3,
        cost: 31.5,
        profit: expect.closeTo(46.77, 1),
      },
    ]);
  });

  it('buys nothing in a gap, names it, and refuses a time of which too little was watched unless told otherwise', async () => {
    const gap = Array.from({ length: 60 }, () => 'fails' as const);
    const cwd = folder(undefined, recorded([...looks, ...gap, [bargain('9')], [bargain('9')]]));
    const refused = await magpie(run, { cwd });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('of that time was watched (1 gap), less than 90 %');
    const { coverage, gaps } = await document(cwd, '--min-coverage', '0');
    expect(coverage).toBeLessThan(0.3);
    expect(gaps).toEqual([expect.objectContaining({ from: new Date(START + 13_050).toISOString(), reason: 'no complete poll' })]);
  });

  it('says what is missing where there is no recording, and what is wrong with an option', async () => {
    const cwd = place();
    const { code, err } = await magpie(run, { cwd });
    expect({ code, err }).toEqual({
      code: 1,
      err: 'There is no recording data/recording.db.\n→ `magpie run --config magpie.yaml` records what it sees; `--recording FILE` names one that lies elsewhere\n',
    });
    for (const [option, value, words] of [
      ['--latency', 'soon', 'is no duration'],
      ['--fee', '7', 'is no share'],
      ['--balance', 'much', 'is no amount'],
      ['--from', 'once', 'is no time'],
    ] as const) {
      const wrong = await magpie([...run, option, value], { cwd: folder() });
      expect(wrong).toMatchObject({ code: 2 });
      expect(wrong.err).toContain(words);
    }
  });

  it('proves on request that no decision knows what came later, by cutting the recording', async () => {
    const cwd = folder();
    const { lookahead } = (await document(cwd, '--check-lookahead')) as unknown as { lookahead: Record<string, unknown> };
    expect(lookahead).toMatchObject({ differs: null, cuts: expect.objectContaining({ length: 5 }) as unknown });
    expect(lookahead['compared']).toBeGreaterThan(10);
    const { out } = await magpie([...run, '--check-lookahead'], { cwd });
    expect(out).toContain('No look-ahead: cut at 5 random instants, all ');
  });

  it('gives the same figures each time', async () => {
    const cwd = folder();
    expect(await document(cwd)).toEqual(await document(cwd));
  });
});
