import { describe, expect, it } from 'vitest';
import { Digest, type DigestOptions } from '../../src/app/digest.ts';
import { Notifier, type NotifierOptions } from '../../src/app/notifier.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, readBalance, settled } from '../ledger/support.ts';
import { NOON, dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOUR = 3_600_000;

/** At noon, with a digest at one o'clock unless told otherwise. */
function stage(ledger: Ledger, given: Partial<DigestOptions> = {}, clock = new VirtualClock(NOON)) {
  const digest = new Digest({ clock, ledger, lane: 'live', timeMs: 13 * HOUR, keep: (work) => work(), ...given });
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 30_000) {
      clock.advanceSync(30_000);
      digest.tick();
    }
  };
  return { clock, digest, pass };
}

function digests(ledger: Ledger): string[] {
  const { groups } = ledger.newsAfter({ alert: 0, evidence: 0 });
  return groups.flatMap(({ kind, newest }) => (kind === 'digest' ? newest.map(({ message }) => message) : []));
}

describe('the digest', () => {
  it('says once a day, at its time, what happened and what is open', () => {
    const ledger = freshLedger();
    const { pass } = stage(ledger);
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    settled(ledger, begun(ledger, 2), outcomes.bought('o2'));
    settled(ledger, begun(ledger, 3), outcomes.unknown());
    settled(ledger, begun(ledger, 4), outcomes.unsent());
    ledger.apply(
      [
        { kind: 'status', purchaseId: 1, order: order('o1', { statusCode: 'ACTIVE' }) },
        { kind: 'refund', purchaseId: 2, amount: dollars(10.5), transactionId: 't2', note: 'came back' },
      ],
      NOON + 5,
    );
    readBalance(ledger, 970, NOON + 6);
    pass(HOUR - 30_000);
    expect(digests(ledger)).toEqual([]);
    pass(HOUR);
    expect(digests(ledger)).toHaveLength(1);
    expect(digests(ledger)[0]).toMatchInlineSnapshot(
      `"From 2026-01-04 13:00 to 2026-01-05 13:00 UTC: 3 purchases for $31.50 (1 bought, 1 refunded, 1 unknown), besides 1 expired; 1 refund of $10.50. Open now: 2, 1 trade offer waits to be accepted; unknown: 1. The balance is $970.00."`,
    );
    ledger.halt('prices look odd', 'person', NOON + 7);
    pass(24 * HOUR);
    expect(digests(ledger)).toHaveLength(2);
    expect(digests(ledger)[1]).toMatchInlineSnapshot(
      `"From 2026-01-05 13:00 to 2026-01-06 13:00 UTC: no purchase; no refund. Open now: 2, 1 trade offer waits to be accepted; unknown: 1. The balance is $970.00. Buying is halted: prices look odd"`,
    );
    expect(ledger.alerts(0, 9)).toEqual([]);
  });

  it('goes on where a clock far ahead has dated the last one', () => {
    const folder = freshFolder();
    const ahead = freshLedger(folder);
    const year = 365 * 24 * HOUR;
    stage(ahead, {}, new VirtualClock(NOON + 10 * year)).pass(2 * HOUR);
    expect(digests(ahead)).toHaveLength(1);
    ahead.close();
    const ledger = opened(folder);
    stage(ledger).pass(50 * HOUR);
    expect(digests(ledger)).toHaveLength(4);
    expect(digests(ledger).at(-1)).toMatch(/^From 2026-01-06 13:00 to 2026-01-07 13:00 UTC: /);
  });

  it('is not said again after a restart, and one that was missed is made up for, once', () => {
    const folder = freshFolder();
    const first = freshLedger(folder);
    const { clock, pass } = stage(first);
    pass(2 * HOUR);
    first.close();
    const again = opened(folder);
    stage(again, {}, clock).pass(HOUR);
    expect(digests(again)).toHaveLength(1);
    clock.advanceSync(72 * HOUR);
    stage(again, {}, clock).pass(HOUR);
    expect(digests(again)).toHaveLength(2);
    expect(digests(again)[1]).toContain('From 2026-01-05 13:00 to 2026-01-08 15:00 UTC: no purchase; no refund.');
  });

  it('waits for its first time where none was ever made, and for a journal that takes writes', () => {
    const ledger = freshLedger();
    const late = stage(ledger, { timeMs: 11 * HOUR });
    late.pass(HOUR);
    expect(digests(ledger)).toEqual([]);
    let full = true;
    const keep: DigestOptions['keep'] = (work) => (full ? undefined : work());
    const { pass } = stage(ledger, { keep });
    pass(2 * HOUR);
    expect(digests(ledger)).toEqual([]);
    full = false;
    pass(HOUR);
    expect(digests(ledger)).toHaveLength(1);
  });

  it('that fails for a defect is told, not in each round, and comes when nothing is in its way any more', async () => {
    const clock = new VirtualClock(NOON);
    const real = freshLedger();
    let fails = true;
    const dayFacts: Ledger['dayFacts'] = (...given) => {
      if (fails) throw new RangeError('more than can be counted');
      return real.dayFacts(...given);
    };
    const told: string[] = [];
    const log = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (what: string) => void told.push(what),
    };
    const notifier = new Notifier({
      settings: { notify: { digestMs: 13 * HOUR } as Settings['notify'], mode: 'live', account: undefined },
      core: { keep: (work) => work() } as NotifierOptions['core'],
      ...{ ledger: { ...real, dayFacts }, clock, log, env: {}, since: NOON },
    });
    const stop = new AbortController();
    notifier.start(stop.signal);
    await clock.advance(2 * HOUR);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(10);
    expect(digests(real)).toEqual([]);
    fails = false;
    await clock.advance(HOUR);
    expect(digests(real)).toHaveLength(1);
    stop.abort();
    await notifier.finish();
  });

  it('says on paper what would have been bought', () => {
    const ledger = freshLedger();
    stage(ledger, { lane: 'paper' }).pass(2 * HOUR);
    expect(digests(ledger)[0]).toContain('no purchase, on paper. The balance is $1000.00.');
  });
});
