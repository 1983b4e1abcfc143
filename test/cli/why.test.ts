import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import { begun, order, outcomes, settled } from '../ledger/support.ts';
import { tapeAt } from '../replay/recording.ts';
import { Polls, START, entry } from '../support/feed-entries.ts';
import { dollars, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, ledgerAt, magpie, place } from './harness.ts';

const cheap = entry({ id: '800000037', price: 10, priceWithFee: 10.5, steamPrice: 15 });

function why(cwd: string, args: readonly string[], columns?: number): Promise<Ran> {
  const given = {
    cwd,
    clock: new VirtualClock(START + 60_000),
    env: { NO_COLOR: '1' },
    ...(columns === undefined ? {} : { columns }),
  };
  return magpie(['why', ...args, '--config', 'magpie.yaml'], given);
}

/** A recording in which a listing stands, is repriced, and at last is gone. */
function recorded(cwd: string): void {
  ledgerAt(cwd);
  const { tape } = tapeAt(join(cwd, 'data', 'recording.db'));
  const polls = new Polls();
  const other = entry({ id: '800000074', market: 'ecosteam' });
  tape.poll(polls.next([{ ...cheap, price: 12, priceWithFee: 12.6 }, other]));
  tape.poll(polls.next([cheap, other, { ...cheap, id: '9', wear: 7, marketHashName: '\u001b[2Jbad' }]));
  tape.poll(polls.next([other]));
  tape.close(START + 10_000);
}

function decided(given: Partial<Decision> = {}): Decision {
  return {
    ...{
      at: START + 2_000,
      lane: 'live',
      market: 'c5game',
      listingId: '800000037',
      marketHashName: 'AK-47 | Redline (Field-Tested)',
    },
    ...{ strategy: 'redlines', strategyHash: 'hash', cost: dollars(10.5), verdict: 'refused', reason: 'spend-day' },
    detail: '$490.00 in the last 24 h + $10.50 is more than $500.00',
    ...given,
  };
}

describe('why, of a listing seen earlier', () => {
  it('shows every condition with its threshold, the value and the verdict, then what admission said and what was bought [configuration-9]', async () => {
    const cwd = place({
      'strategies/dear.yaml':
        'name: dear\npriority: 5\nwhen: { steamPrice: { min: 100 }, paintSeed: [1, 2], charm: "*Tiny*", name: "*" }\nprice: { max: 500 }\n',
    });
    recorded(cwd);
    const ledger = ledgerAt(cwd);
    ledger.recordDecisions([
      decided(),
      decided({ at: START + 3_000, verdict: 'admitted', reason: undefined, detail: undefined }),
    ]);
    settled(
      ledger,
      begun(ledger, 1, START + 3_000, { listing: listing({ id: '800000037' }), strategy: 'redlines' }),
      outcomes.refused(),
      START + 3_100,
    );
    const { code, out, err } = await why(cwd, ['800000037'], 100);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "AK-47 | Redline (Field-Tested)
      listing 800000037 on c5game
      $10.50 ($10.00 and the fee) · Steam $15.00 (70.0 % of it) · wear 0.2 · seed 7
      first seen 2026-01-05 12:00:01 UTC, repriced once; last seen 2026-01-05 12:00:02 UTC; found gone 2026-01-05 12:00:03 UTC (57 s ago)
      our record of its steamPrice: none yet; a day counts once it is over

      Wanted by redlines.

      ✗ dear does not want it
        ✗  when.steamPrice.min  at least $100.00        $15.00
        ✗  when.paintSeed       one of 1, 2             7
        ✗  when.charm           a charm named "*Tiny*"  none
        ✓  when.name            "*"                     "AK-47 | Redline (Field-Tested)"
        ✓  price.max            at most $500.00         $10.50

      ✓ redlines wants it
        ✓  when.name         "AK-47 | Redline*"          "AK-47 | Redline (Field-Tested)"
        ✓  when.wear.below   below 0.3                   0.2
        ✓  price.max         at most $20.00              $10.50
        ✓  price.maxOfSteam  at most 80 % of steamPrice  $10.50; the limit is $12.00 of $15.00
        Admission, were it there now (as far as it can be told while no daemon runs): refused, refusal-unconfirmed: It was refused a moment ago, and the looks that free its money are not done. (its last refusal is not confirmed yet)

      What admission said, newest first
        2026-01-05 12:00:03 UTC  admitted for redlines at $10.50 with the fee
        2026-01-05 12:00:02 UTC  refused for redlines at $10.50 with the fee: spend-day ($490.00 in the last 24 h + $10.50 is more than $500.00)
          It would pass \`limits.spend.day\`.

      Purchases of it
        #1 AK-47 | Redline (Field-Tested) on c5game, $10.50: rejected (2026-01-05 12:00:03 UTC, by redlines)
          LISTING_GONE: gone
      "
    `);
  });

  it('says whether it still stands', async () => {
    const cwd = place();
    recorded(cwd);
    expect((await why(cwd, ['800000074'])).out).toContain('it stood in the last poll, 2026-01-05 12:00:03 UTC');
  });

  it('says of one that cannot be judged what is wrong with it, and shows nothing raw', async () => {
    const cwd = place();
    recorded(cwd);
    const { code, out } = await why(cwd, ['9']);
    expect(code).toBe(0);
    expect(out).not.toContain('\u001b');
    expect(out).toContain('It cannot be judged, so nothing may buy it: wear');
  });

  it('says what to do about one that was never seen', async () => {
    const cwd = place();
    const { code, out, err } = await why(cwd, ['\u001b1']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.replaceAll(cwd, 'CWD')).toMatchInlineSnapshot(`
      "Listing \\u001b1 was never seen here, or the recording has forgotten it (data folder CWD/data).
      → nothing has run with this data folder: is it the right --config or --data?
      → if you have the listing as JSON: \`magpie why --config magpie.yaml --listing FILE.json\`
      "
    `);
    recorded(cwd);
    expect((await why(cwd, ['800000037', '--market', 'ecosteam'])).code).toBe(1);
  });

  it('tells what the ledger keeps where the recording has forgotten it', async () => {
    const cwd = place();
    ledgerAt(cwd).recordDecisions([decided()]);
    const { code, out } = await why(cwd, ['800000037']);
    expect(code).toBe(0);
    expect(out).toContain('not in the recording any more');
    expect(out).toContain(
      'refused for redlines at $10.50 with the fee: spend-day ($490.00 in the last 24 h + $10.50 is more than $500.00)',
    );
  });

  it('says first of one that was bought that it was, before admission refuses to buy it once more', async () => {
    const cwd = place();
    recorded(cwd);
    const ledger = ledgerAt(cwd);
    const of = { listing: listing({ id: '800000037' }), strategy: 'redlines' };
    const head = async (): Promise<string> => (await why(cwd, ['800000037'])).out.split('\nWanted by')[0] ?? '';
    const purchase = settled(ledger, begun(ledger, 1, START + 3_000, of), outcomes.unknown(), START + 3_100);
    expect(await head()).toContain(
      '\nNobody knows yet whether it was bought: purchase #1, unknown, begun 2026-01-05 12:00:03 UTC\n',
    );
    ledger.resolve(purchase.id, 'bought', 'seen on the site', START + 4_000);
    expect(await head()).toContain('\nIt was bought: purchase #1, bought, begun 2026-01-05 12:00:03 UTC\n');
    ledger.apply(
      [{ kind: 'completed', purchaseId: purchase.id, order: order('o1', { statusCode: 'COMPLETED' }) }],
      START + 5_000,
    );
    expect(await head()).toContain('\nIt was bought: purchase #1, completed 2026-01-05 12:00:05 UTC\n');
    expect((await why(cwd, ['800000037'])).out).toMatch(/It was bought: purchase #1[^]*refused, [^]*Purchases of it/);
  });

  it('has a JSON form', async () => {
    const cwd = place();
    recorded(cwd);
    ledgerAt(cwd).recordDecisions([decided()]);
    const { out } = await why(cwd, ['800000037', '--json']);
    const told = JSON.parse(out) as { strategies: { conditions: unknown[] }[] };
    expect(told).toMatchObject({
      listingId: '800000037',
      market: 'c5game',
      bad: null,
      matched: ['redlines'],
      seen: {
        standing: false,
        first: '2026-01-05T12:00:01.050Z',
        events: [{ kind: 'appeared' }, { kind: 'repriced' }, { kind: 'gone' }],
      },
      strategies: [{ name: 'redlines', mode: 'live', matches: true, admission: { admitted: true, reason: null } }],
      decisions: [{ strategy: 'redlines', verdict: 'refused', reason: 'spend-day', priceWithFee: 10.5, mode: 'live' }],
      purchases: [],
      listing: { id: '800000037', priceWithFee: 10.5 },
    });
    expect(told.strategies[0]?.conditions[0]).toEqual({
      ...{
        path: 'when.name',
        depth: 0,
        threshold: '"AK-47 | Redline*"',
        value: '"AK-47 | Redline (Field-Tested)"',
        verdict: 'true',
      },
    });
  });
});

describe('why, of listings in a file', () => {
  const answer = JSON.stringify({
    requestId: 'r',
    success: true,
    data: { listings: [cheap, entry({ id: '2', market: 'ecosteam', wear: 0.9 }), null], listingsCount: 3 },
  });
  const files = {
    'one.json': JSON.stringify(cheap),
    'answer.json': answer,
    'list.json': JSON.stringify([cheap]),
    'odd.json': '{"x":',
    'text.json': '"hello"',
  };

  it('takes one listing, a list, and a whole saved answer', async () => {
    const cwd = place(files);
    expect(JSON.parse((await why(cwd, ['--listing', 'one.json', '--json'])).out)).toMatchObject({
      listingId: '800000037',
      matched: ['redlines'],
    });
    const of = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await why(cwd, ['--json', '--listing', ...args])).out) as unknown;
    expect(await of('list.json')).toMatchObject([{ listingId: '800000037' }]);
    expect(await of('answer.json')).toMatchObject([
      { matched: ['redlines'] },
      { matched: [], bad: null },
      { listingId: null, bad: expect.any(String) as string },
    ]);
    expect(await of('answer.json', '--id', '2')).toMatchObject({ listingId: '2', matched: [] });
    expect(await of('answer.json', '--market', 'ecosteam')).toMatchObject([{ listingId: '2' }]);
  });

  it('sums up a list for a person', async () => {
    const { code, out } = await why(place(files), ['--listing', 'answer.json']);
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').at(-1)).toBe(
      '3 listings: 1 wanted by a strategy, 1 that cannot be judged. `--id` shows one of them.',
    );
  });

  it('says what admission would say now, as far as it can be told', async () => {
    const cwd = place(files);
    expect((await why(cwd, ['--listing', 'one.json'])).out).toContain(
      'Admission now (as far as it can be told while no daemon runs): it would be admitted',
    );
    ledgerAt(cwd).halt('too \u001bhot', 'person', START);
    expect((await why(cwd, ['--listing', 'one.json'])).out).toContain(
      'refused, halted: Buying is halted. See `magpie status --config magpie.yaml` for why, then `magpie resume --config magpie.yaml`. (too \\u001bhot)',
    );
  });

  it('refuses a file that is none', async () => {
    const cwd = place(files);
    for (const file of ['nothing.json', 'odd.json', 'strategies']) {
      const { code, out, err } = await why(cwd, ['--listing', file]);
      expect({ file, code, out }).toEqual({ file, code: 2, out: '' });
      expect(err).toContain(file);
    }
    expect((await why(cwd, ['--listing', 'text.json'])).out).toContain('It cannot be judged');
    expect((await why(cwd, ['--listing', 'answer.json', '--id', '77'])).code).toBe(1);
    expect((await why(cwd, [])).code).toBe(2);
  });

  it('refuses faulty strategies', async () => {
    const cwd = place({ ...files, 'strategies/bad.yaml': 'name: [' });
    const { code, err } = await why(cwd, ['--listing', 'one.json']);
    expect(code).toBe(2);
    expect(err).toContain('strategies/bad.yaml:1:');
  });
});
