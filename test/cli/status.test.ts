import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Heartbeat } from '../../src/ledger/heartbeat.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { NOON, listing } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Signals, ledgerAt, magpie, onPlayMoney, place, redlines } from './harness.ts';

const minute = 60_000;

function alive(given: Partial<Heartbeat> = {}): Heartbeat {
  return {
    at: NOON + minute,
    startedAt: NOON - 2 * 3_600_000,
    pid: process.pid,
    version: '0.1.0',
    mode: 'live',
    lastPollAt: NOON + minute - 800,
    listings: 498,
    matching: 3,
    bad: 0,
    health: {
      status: 'ok',
      markets: {
        c5game: { status: 'ok', staleMs: 200, service: true },
        ecosteam: { status: 'degraded', staleMs: 300, service: true },
      },
      receivedAt: NOON + minute - 1_000,
    },
    blockers: [],
    ...given,
  };
}

/** A daemon holds the folder. Returns what lets go of it. */
function holding(cwd: string): () => void {
  const held = acquireFolderLock(join(cwd, 'data'));
  if (!held.ok) throw new Error(held.fault.message);
  onTestFinished(() => held.lock.release());
  return () => held.lock.release();
}

async function statusOf(cwd: string, ...more: readonly string[]): Promise<string> {
  const { code, out, err } = await magpie(['status', '--config', 'magpie.yaml', ...more], {
    cwd,
    clock: new VirtualClock(NOON + minute),
  });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.replaceAll(`process ${process.pid}`, 'process PID');
}

function bought(ledger: Ledger, number: number, price = 10): void {
  settled(
    ledger,
    begun(ledger, number, NOON + number, { strategy: 'redlines', listing: listing({ id: String(number), price }) }),
    outcomes.bought(`order-${number}`),
  );
}

describe('status for a person', () => {
  it('says so where nothing has run yet', async () => {
    const { code, out } = await magpie(['status', '--config', 'magpie.yaml'], {
      cwd: place(),
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Magpie live · not running
      Configuration magpie.yaml, data folder data

      buying      nothing is bought while it does not run → \`magpie run --config magpie.yaml\`
      last poll   none yet
      health      not known while it does not run
      balance     not read yet

      spend                   used      cap
      last hour              $0.00  $200.00  ░░░░░░░░░░░░░░░░░░░░  0 %
      last 24 h              $0.00  $500.00  ░░░░░░░░░░░░░░░░░░░░  0 %
      in all                 $0.00   no cap
      open purchases             0      200  ░░░░░░░░░░░░░░░░░░░░  0 %
      unknown outcome            0        1  ░░░░░░░░░░░░░░░░░░░░  0 %
      purchases in the hour      0     1000  ░░░░░░░░░░░░░░░░░░░░  0 %
      reserved               $0.00

      purchases   none

      Nothing has run with this data folder yet: \`magpie run --config magpie.yaml\` starts.
      "
    `);
  });

  it('tells of a daemon at work: polls, health of each market, balance, the use of every cap', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    for (const number of [1, 2, 3]) bought(ledger, number);
    holding(cwd);
    ledger.saveHeartbeat(alive({ bad: 2, badExample: '\u001b[2Jodd: wear 7 is outside 0 to 1' }));
    const out = await statusOf(cwd);
    expect(out).toMatchInlineSnapshot(`
      "Magpie live · running for 2 h 1 min, process PID, version 0.1.0
      Configuration magpie.yaml, data folder data

      buying      open on c5game only; ecosteam is "degraded", wanted ok
      last poll   1 s ago (2026-01-05 12:00:59 UTC): 498 listings, 3 wanted
                  2 cannot be judged and are never bought, such as \\u001b[2Jodd: wear 7 is outside 0 to 1
      health      c5game ok to buy from
                  ecosteam not bought from: ecosteam is "degraded", wanted ok
      balance     $1000.00, read 1 min ago; $968.50 free

      spend                                                  used      cap
      last hour                                            $31.50  $200.00  ███░░░░░░░░░░░░░░░░░   15 %
      last 24 h                                            $31.50  $500.00  █░░░░░░░░░░░░░░░░░░░    6 %
      in all                                               $31.50   no cap
      open purchases                                            3      200  ░░░░░░░░░░░░░░░░░░░░    1 %
      unknown outcome                                           0        1  ░░░░░░░░░░░░░░░░░░░░    0 %
      purchases in the hour                                     3     1000  ░░░░░░░░░░░░░░░░░░░░    0 %
      redlines, last 24 h                                  $31.50   $50.00  ████████████░░░░░░░░   63 %
      AK-47 | Redline (Field-Tested), purchases last 24 h       3        2  ████████████████████  150 %
      reserved                                              $0.00

      purchases   3 bought
      "
    `);
  });

  /** A purchase whose legs took so many milliseconds, the last of them by the network and the service. */
  function timed(
    ledger: Ledger,
    number: number,
    [decided, committed, sent, answered]: readonly [number, number, number, number],
  ) {
    const { id } = begun(ledger, number, NOON + decided, { listing: listing({ id: String(number) }) });
    const committedAt = NOON + decided + committed;
    const times = { committedAt, sentAt: committedAt + sent, answeredAt: committedAt + sent + answered };
    ledger.recordOutcome(id, outcomes.bought(`order-${number}`), times, undefined, times.answeredAt + 1);
  }

  it('says how long purchases take from the bytes of a listing to the answer, and where the time goes', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    for (const number of [1, 2, 3, 4]) timed(ledger, number, [0.25 * number, 1.5, 0.2, 80 + number]);
    bought(ledger, 5);
    const out = await statusOf(cwd);
    expect(out.slice(out.indexOf('\npurchases  ') + 1)).toMatchInlineSnapshot(`
      "purchases   5 bought
      speed       4 purchases sent in the last 24 h, in milliseconds
                                         p50    p90    p99  count
                  seen → decided        0.50   1.00   1.00      4  read, judged, its turn waited for
                  decided → committed   1.50   1.50   1.50      4  written, on the disk
                  committed → sent      0.20   0.20   0.20      4  handed to its connection
                  sent → answered      82.00  84.00  84.00      4  network and service
                  seen → answered      84.20  86.70  86.70      4  all of it
                  97 % of the time is network and service, 2.7 % Magpie, most of that decided → committed
      "
    `);
    const { speed } = JSON.parse(await statusOf(cwd, '--json')) as { speed: { steps: { histogram: unknown[] }[] } };
    expect(speed).toMatchObject({
      since: '2026-01-04T12:01:00.000Z',
      purchases: 4,
      ownShare: 0.0274,
      slowestOwn: { from: 'decided', to: 'committed' },
      steps: [
        { from: 'seen', to: 'decided', count: 4, p50Ms: 0.5, p90Ms: 1, p99Ms: 1, maxMs: 1 },
        { from: 'decided', to: 'committed', count: 4, p50Ms: 1.5 },
        { from: 'committed', to: 'sent', count: 4, p50Ms: 0.2 },
        { from: 'sent', to: 'answered', count: 4, p50Ms: 82 },
        { from: 'seen', to: 'answered', count: 4, p50Ms: 84.2 },
      ],
    });
    expect(speed.steps[0]?.histogram.filter((bucket) => (bucket as { count: number }).count > 0)).toEqual([
      { upToMs: 0.5, count: 2 },
      { upToMs: 1, count: 2 },
    ]);
  });

  it('says how long the newest took, however old, where the last day has few', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    timed(ledger, 1, [0.5, 1, 0.1, 90]);
    const later = { cwd, clock: new VirtualClock(NOON + 3 * 86_400_000) };
    expect((await magpie(['status', '--config', 'magpie.yaml'], later)).out).toContain(
      'speed       the newest 1 purchase sent, in milliseconds',
    );
    const { out } = await magpie(['status', '--config', 'magpie.yaml', '--json'], later);
    expect(JSON.parse(out)).toMatchObject({ speed: { since: null, purchases: 1 } });
  });

  it('fits a terminal of 80 columns, and cuts nothing that tells one cap from another', async () => {
    const name = '★ StatTrak™ Butterfly Knife | 龍王 (Dragon King) (Minimal Wear)';
    const cwd = place({ 'strategies/redlines.yaml': redlines.replace('{ day: 50 }', '{ hour: 40, day: 50 }') });
    const ledger = ledgerAt(cwd);
    for (const id of ['1', '2'])
      settled(
        ledger,
        begun(ledger, Number(id), NOON + 1, { strategy: 'redlines', listing: listing({ id, name }) }),
        outcomes.bought(id),
      );
    holding(cwd);
    ledger.saveHeartbeat(alive());
    const { out } = await magpie(['status', '--config', 'magpie.yaml'], {
      cwd,
      clock: new VirtualClock(NOON + minute),
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    const caps = out.slice(out.indexOf('spend  '), out.indexOf('reserved'));
    for (const line of caps.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(caps).not.toContain('…');
    expect(caps).toMatchInlineSnapshot(`
      "spend                                 used      cap
      last hour                           $21.00  $200.00  ██░░░░░░░░░░░░░░░░░░   10 %
      last 24 h                           $21.00  $500.00  ░░░░░░░░░░░░░░░░░░░░    4 %
      in all                              $21.00   no cap
      open purchases                           2      200  ░░░░░░░░░░░░░░░░░░░░    1 %
      unknown outcome                          0        1  ░░░░░░░░░░░░░░░░░░░░    0 %
      purchases in the hour                    2     1000  ░░░░░░░░░░░░░░░░░░░░    0 %
      redlines, last hour                 $21.00   $40.00  ██████████░░░░░░░░░░   52 %
      redlines, last 24 h                 $21.00   $50.00  ████████░░░░░░░░░░░░   42 %
      ★ StatTrak™ Butterfly Knife | 龍王       2        2  ████████████████████  100 %
      (Dragon King) (Minimal Wear),
      purchases last 24 h
      "
    `);
  });

  it('names the halt, its reason, and what ends it', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    ledger.halt('too many \u001b]0;refusals', 'refusals-in-row', NOON);
    ledger.halt('me too', 'person', NOON + 1);
    const out = await statusOf(cwd);
    expect(out.split('\n').slice(3, 5).join('\n')).toMatchInlineSnapshot(`
      "buying      HALTED since 2026-01-05 12:00:00 UTC by itself (refusals-in-row): too many \\u001b]0;refusals (and 1 more)
                  → look into it, then \`magpie resume --config magpie.yaml\`"
    `);
  });

  it('shows what is unknown, what it waits for, and what a person may do', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    const out = await statusOf(cwd);
    expect(out.slice(out.indexOf('\npurchases'))).toMatchInlineSnapshot(`
      "
      purchases in the hour       1     1000  ░░░░░░░░░░░░░░░░░░░░    0 %
      reserved               $10.50           not certain yet

      purchases   1 unknown

      Nobody can say yet whether these were bought:
        #1 AK-47 | Redline (Field-Tested)  $10.50  c5game  1 min ago
           no answer in time
           so far: 0 whole looks at the orders without it, 0 of 30 healthy minutes;
           balance not yet shown unchanged, listing not seen standing since
        Their money stays reserved. They settle by evidence alone: an order, a transaction, the
        balance, whether the listing still stands.
        → \`magpie reconcile --config magpie.yaml\` looks once
        → \`magpie purchases --config magpie.yaml 1\` tells everything about one
        → if you see at the service what became of one:
          magpie resolve --config magpie.yaml 1 --as bought|not-bought --reason "what you saw"
      "
    `);
  });

  it('shows the newest alerts with their next step', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    const alert = {
      kind: 'key',
      at: NOON,
      message: 'the service refuses the key \u202e',
      next: 'check account.apiKey',
      purchaseId: undefined,
    } as const;
    ledger.recordAlert(alert);
    ledger.recordAlert({ ...alert, kind: 'stuck', at: NOON + 5_000, message: 'order 7 stays pending', next: undefined });
    const out = await statusOf(cwd);
    expect(out.slice(out.indexOf('Newest alerts'))).toMatchInlineSnapshot(`
      "Newest alerts
        2026-01-05 12:00:05 UTC (55 s ago)  order 7 stays pending
        2026-01-05 12:00:00 UTC (1 min ago)  the service refuses the key \\u202e
          → check account.apiKey
      "
    `);
  });

  it('says with the exact line what lets a key without leave to read health buy', async () => {
    const cwd = place();
    holding(cwd);
    ledgerAt(cwd).saveHeartbeat(
      alive({ health: { reason: 'forbidden', message: 'the key may not read the health of the markets', at: NOON } }),
    );
    const out = await statusOf(cwd);
    expect(out).toContain('health      not known, so nothing is bought: the key may not read the health of the markets');
    expect(out).toContain(
      'under `account:` a top-level key, `partnerKey: ${MAGPIE_PARTNER_KEY}`, or `feed: { health: { require: off } }`',
    );
  });

  it('tells a daemon that starts, is stuck, or has gone [unattended-2]', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    const letGo = holding(cwd);
    expect((await statusOf(cwd)).split('\n')[0]).toBe('Magpie live · starting');
    ledger.saveHeartbeat(alive({ blockers: [{ reason: 'starting', detail: 'the account has not answered yet' }] }));
    expect(await statusOf(cwd)).toContain('buying      not yet: the account has not answered yet');
    ledger.saveHeartbeat(alive({ at: NOON - 29 * minute }));
    expect((await statusOf(cwd)).split('\n')[0]).toContain(
      'held by a process whose last sign of life is 30 min old: it is starting, or stuck',
    );
    letGo();
    expect((await statusOf(cwd)).split('\n')[0]).toBe('Magpie live · not running, last seen 30 min ago');
  });

  it('says that buying pauses while as many are unknown as the limit allows', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    holding(cwd);
    ledger.saveHeartbeat(alive());
    expect(await statusOf(cwd)).toContain('buying      paused: as many purchases are unknown as limits.unknown allows');
  });

  const well = { status: 'ok', staleMs: 200, service: true };
  const seen = { status: 'ok', markets: { c5game: well, ecosteam: well }, receivedAt: NOON + minute - 1_000 };
  it.each([
    ['open', {}],
    ['closed: the health of the markets is not known', { health: { reason: 'failed', message: 'HTTP 500', at: NOON } }],
    ['closed: the health of the markets is not known', { health: undefined }],
    ['closed: the service as a whole is "down"', { health: { ...seen, status: 'down' } }],
    [
      'open on ecosteam only; the service of c5game',
      { health: { ...seen, markets: { ...seen.markets, c5game: { ...well, service: false } } } },
    ],
    ['paused: the orders could not be read', { blockers: [{ reason: 'orders-unread', detail: 'the orders could not be read' }] }],
    ['paused: the service could not be reached', { blockers: [{ reason: 'caution', detail: 'for 3 s more' }] }],
  ] as const)('says the truth about buying: %s', async (words, given) => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    holding(cwd);
    ledger.saveHeartbeat(alive({ health: seen, ...given }));
    expect(await statusOf(cwd)).toContain(`buying      ${words}`);
    const { buying } = JSON.parse(await statusOf(cwd, '--json')) as { buying: unknown };
    expect(buying).toMatchObject({ open: words.startsWith('open') });
  });

  it('says that buying pauses while no balance is known, or a cap is used up', async () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney.replace('hour: 200', 'hour: 10.5') });
    const ledger = ledgerAt(cwd);
    bought(ledger, 1);
    holding(cwd);
    ledger.saveHeartbeat(alive({ health: seen }));
    expect(await statusOf(cwd)).toContain('buying      paused: limits.spend.hour is used up ($10.50 in the last hour');
    const later = { cwd, clock: new VirtualClock(NOON + 2 * minute) };
    ledger.saveHeartbeat(alive({ health: { ...seen, receivedAt: NOON + 2 * minute } }));
    const { out } = await magpie(['status', '--config', 'magpie.yaml'], later);
    expect(out).toContain('buying      paused: the balance is not known');
    expect(out, 'what comes next when that is mended').toContain('            also: limits.spend.hour is used up ($10.50');
  });

  it('names beside a halt what would keep it from buying after a resume', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    holding(cwd);
    ledger.halt('enough', 'person', NOON);
    ledger.saveHeartbeat(alive({ health: { reason: 'failed', message: 'HTTP 500', at: NOON } }));
    const out = await statusOf(cwd);
    expect(out.split('\n').slice(3, 6).join('\n')).toMatchInlineSnapshot(`
      "buying      HALTED since 2026-01-05 12:00:00 UTC by a person: enough
                  also: the health of the markets is not known (HTTP 500)
                  → look into it, then \`magpie resume --config magpie.yaml\`"
    `);
    const { buying } = JSON.parse(await statusOf(cwd, '--json')) as { buying: unknown };
    expect(buying).toMatchObject({
      open: false,
      reason: 'halted',
      also: [{ reason: 'health-unknown', why: 'the health of the markets is not known (HTTP 500)' }],
    });
  });

  it('says that the caps are those of the paper in dry-run', async () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney.replace('mode: live', 'mode: dry-run') });
    const ledger = ledgerAt(cwd);
    begun(ledger, 1, NOON + 1, { lane: 'paper' });
    holding(cwd);
    ledger.saveHeartbeat(alive({ mode: 'dry-run' }));
    const out = await statusOf(cwd);
    expect(out).toContain('buying      on paper only (dry-run)');
    expect(out).toMatch(/last hour +\$10\.50 +\$200\.00/);
  });

  it('does without the strategies where one of them is faulty', async () => {
    const cwd = place({ 'strategies/bad.yaml': 'name: [' });
    expect(await statusOf(cwd)).toContain(
      "The strategies' own caps are missing: one of them is faulty → `magpie check --config magpie.yaml`",
    );
  });
});

describe('status --json', () => {
  it('has every field of the contract, empty ones null', async () => {
    const cwd = place();
    expect(JSON.parse(await statusOf(cwd, '--json'))).toMatchObject({
      mode: 'live',
      halted: false,
      haltReason: null,
      balance: null,
      health: null,
      lastPollAt: null,
      spend: { hour: 0, day: 0, total: 0 },
      reserved: 0,
      speed: null,
      purchases: { intended: 0, unknown: 0, bought: 0, completed: 0, refunded: 0, rejected: 0, expired: 0, simulated: 0 },
    });
  });

  it('gives dollars as numbers and times as ISO 8601', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    bought(ledger, 1, 10);
    settled(ledger, begun(ledger, 2), outcomes.unknown());
    ledger.halt('why not', 'person', NOON);
    holding(cwd);
    ledger.saveHeartbeat(alive());
    const status = JSON.parse(await statusOf(cwd, '--json')) as Record<string, unknown>;
    expect(status).toMatchObject({
      mode: 'live',
      halted: true,
      haltReason: 'why not',
      balance: 1_000,
      health: {
        status: 'ok',
        markets: { c5game: { status: 'ok', buyable: true }, ecosteam: { status: 'degraded', buyable: false } },
      },
      lastPollAt: '2026-01-05T12:00:59.200Z',
      spend: { hour: 21, day: 21, total: 21 },
      reserved: 10.5,
      purchases: { bought: 1, unknown: 1 },
      free: 979,
    });
    expect(status['caps']).toContainEqual({
      of: 'strategy',
      name: 'redlines',
      key: 'limits.spend.day',
      unit: 'dollars',
      used: 10.5,
      cap: 50,
    });
  });
});

describe('status --watch', () => {
  it('draws the same in its place each second, in 80 columns, and leaves the terminal as it was', async () => {
    const cwd = place();
    bought(ledgerAt(cwd), 1);
    const clock = new VirtualClock(NOON + minute);
    const signals = new Signals();
    const watching = magpie(['status', '--watch', '--config', 'magpie.yaml'], {
      cwd,
      clock,
      columns: 80,
      signals,
      env: { NO_COLOR: '1' },
    });
    await clock.advance(3_500);
    signals.send('SIGINT');
    const { code, out, err } = await watching;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
    expect(out.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
    const pictures = out.split('\u001b[H').slice(1);
    // Nothing is drawn that is the same; ages of minutes grow once a minute.
    expect(pictures.length).toBeLessThanOrEqual(4);
    const lines = (pictures[0] ?? '').split('\r\n').map((line) => stripVTControlCharacters(line));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.join('\n')).toContain('purchases   1 bought');
  });

  it('is for a person at a terminal', async () => {
    const cwd = place();
    ledgerAt(cwd);
    for (const [args, columns] of [[['--watch'], undefined] as const, [['--watch', '--json'], 80] as const]) {
      const { code, err } = await magpie(['status', ...args, '--config', 'magpie.yaml'], {
        cwd,
        ...(columns === undefined ? {} : { columns }),
      });
      expect([code, err]).toEqual([2, expect.stringContaining('--watch draws on a terminal')]);
    }
  });
});
