import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Attempt } from '../../src/replay/inputs.ts';
import { attempt, bargain, recorded } from '../replay/backtest/stage.ts';
import { begun, outcomes } from '../ledger/support.ts';
import { START } from '../support/feed-entries.ts';
import { listing } from '../support/values.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const wantsHalf = 'name: half\nprice: { maxOfSteam: 0.5 }\n';
const BUYS = 24;

/** Each second a new offer; of three two are gone by the next look, and we bid for every one: what we win is gone as well. */
function lived(): { readonly recording: string; readonly attempts: readonly Attempt[] } {
  const attempts = Array.from({ length: BUYS }, (_, index) => {
    const id = String(100 + index);
    const seen = START + (index + 2) * 1_000 + 50;
    return {
      ...attempt(id, seen + 150, index % 3 === 0 ? 'bought' : 'gone', index + 2),
      timings: { seenAt: seen, decidedAt: seen + 1, committedAt: seen + 2, sentAt: seen + 3, answeredAt: seen + 150 },
    } satisfies Attempt;
  });
  const looks = Array.from({ length: BUYS + 4 }, (_, index) => [
    bargain('1', { steamPrice: 11 }),
    ...(index >= 1 && index <= BUYS ? [bargain(String(99 + index))] : []),
  ]);
  return { recording: recorded(looks, attempts), attempts };
}

/** The same buys as the ledger has them. */
function bought(ledger: Ledger, attempts: readonly Attempt[]): void {
  for (const { listingId, timings, outcome } of attempts) {
    const { seenAt, decidedAt, committedAt = decidedAt, sentAt, answeredAt } = timings;
    const wanted = listing({ id: listingId, price: 10, priceWithFee: 10.5 });
    const row = begun(ledger, Number(listingId), committedAt, { listing: wanted, strategy: 'half', seenAt });
    ledger.recordOutcome(
      row.id,
      outcome?.kind === 'bought' ? outcomes.bought(`order-${listingId}`) : outcomes.refused('gone'),
      { sentAt, answeredAt },
      undefined,
      answeredAt ?? 0,
    );
  }
}

const settings = { mode: 'live', 'limits.perItem': {}, 'limits.spend': {} };

function folder(attempts: readonly Attempt[], recording: string): { cwd: string; ledger: Ledger } {
  const cwd = place({ 'strategies/redlines.yaml': wantsHalf });
  const ledger = ledgerAt(cwd);
  copyFileSync(recording, join(cwd, 'data', 'recording.db'));
  bought(ledger, attempts);
  return { cwd, ledger };
}

const run = ['calibrate', '--config', 'magpie.yaml'];

interface Document {
  readonly calibration: Record<string, unknown> & { readonly bins: readonly Record<string, number>[] };
  readonly rules: readonly { readonly strategies: readonly { readonly name: string }[]; readonly missing: readonly string[] }[];
  readonly prices: unknown;
  readonly replay: { readonly bids: Record<string, number>; readonly won: Record<string, number>; readonly same: number };
  readonly unclear: number;
}

async function document(cwd: string): Promise<Document> {
  const { code, out, err } = await magpie([...run, '--json'], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Document;
}

describe('calibrate', () => {
  it('holds what the models would have said of each live purchase against what came of it, and replays the days', async () => {
    const { recording, attempts } = lived();
    const { cwd, ledger } = folder(attempts, recording);
    ledger.keepStrategy('h1', wantsHalf, START);
    ledger.noteRules({ at: START - 1_000, why: 'start', what: [], settings, strategies: [{ name: 'half', hash: 'h1' }] });
    const { calibration, rules, replay, unclear } = await document(cwd);
    expect(calibration).toMatchObject({ tried: BUYS, won: 8, lost: 16, failed: 0, unseen: 0, evidence: 'little' });
    expect(calibration.bins.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(BUYS);
    expect(unclear).toBe(0);
    expect(rules.map(({ strategies, missing }) => [strategies.map(({ name }) => name), missing])).toEqual([[['half'], []]]);
    // The strategy as it was in force bids for the same listings again.
    expect(replay).toMatchObject({ bids: { replayed: BUYS, lived: BUYS }, same: 1, won: { lived: 8 } });
    const { out } = await magpie(run, { cwd });
    expect(out).toContain('replayed by the strategies and limits that were in force\n');
    expect(out).toContain(`Of ${BUYS} live buys the models expected to win `);
    expect(out).toContain('100 % of the live buys are made by the replay as well.');
  });

  it('says that a handful of purchases is no evidence, and whose rules it replays where the ledger does not know', async () => {
    const { recording, attempts } = lived();
    const { cwd } = folder(attempts.slice(0, 5), recording);
    const { out } = await magpie(run, { cwd });
    expect(out).toContain('So few buys are no evidence for or against the models.');
    expect(out).toContain('The ledger does not say which strategies were in force: those on file now are replayed.');
  });

  it('leaves out what was never clear, and tells of a debit that was not the listed price', async () => {
    const { recording, attempts } = lived();
    const { cwd, ledger } = folder(attempts, recording);
    const unknown = begun(ledger, 999, START + 9_000, { strategy: 'half', seenAt: START + 8_000 });
    ledger.recordOutcome(
      unknown.id,
      outcomes.unknown(),
      { sentAt: START + 9_001, answeredAt: undefined },
      undefined,
      START + 9_500,
    );
    const { unclear, prices } = await document(cwd);
    expect(unclear).toBe(1);
    expect(prices).toMatchObject({ others: [] });
  });

  it('names what is missing: live purchases, a ledger, a recording', async () => {
    const { recording } = lived();
    const { cwd } = folder([], recording);
    const none = await magpie(run, { cwd });
    expect(none.code).toBe(0);
    expect(none.out).toContain('No live buy of a strategy was answered in that time');
    const bare = await magpie(run, { cwd: place() });
    expect([bare.code, bare.err]).toEqual([1, expect.stringContaining('There is no recording data/recording.db.')]);
  });
});
