import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PollFacts } from '../../src/app/facts.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createIo } from '../../src/cli/io.ts';
import { showRun } from '../../src/cli/run-summary.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { begun } from '../ledger/support.ts';
import { NOON, dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, ledgerAt, magpie, onPlayMoney, place } from './harness.ts';

/** A port that nobody listens at any more. */
async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 1;
}

async function nowhere(): Promise<string> {
  const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=1&token=AbCdEfGh';
  return place({
    'magpie.yaml': `service: { baseUrl: "http://127.0.0.1:${await deadPort()}" }
account: { apiKey: some-key, tradeUrl: "${tradeUrl}" }
limits: { maxPrice: 20, spend: { day: 60 } }
feed: { interval: 100ms }
mode: live
`,
  });
}

const here = (cwd: string, ...args: readonly string[]): Promise<Ran> =>
  magpie([...args, '--config', 'magpie.yaml'], { cwd, clock: new SystemClock(), env: { XDG_RUNTIME_DIR: cwd } });

/** The time of this machine, ten times as fast. */
function hurried(): Clock {
  const real = new SystemClock();
  const start = real.now();
  const now = (): number => start + 10 * (real.now() - start);
  return { now, wall: now, mono: () => 10 * real.mono(), after: (ms, work) => real.after(ms / 10, work) };
}

describe('a service that cannot be reached', () => {
  it('is the reason that buy gives, and not that the listing is gone', async () => {
    const { code, out, err } = await here(await nowhere(), 'buy', '800000037', '--market', 'c5game');
    expect(code).toBe(1);
    expect(out + err).toMatch(/the live listings could not be read \(.*(?:ECONNREFUSED|refused|reach).*\)/i);
    expect(out + err).not.toContain('is not among the live listings');
  });

  it('is the reason that reconcile gives', async () => {
    const cwd = await nowhere();
    ledgerAt(cwd).close();
    const { code, out, err } = await here(cwd, 'reconcile');
    expect(code).toBe(1);
    expect(err).toMatch(/The account could not be looked at: the account has not answered: .*(?:ECONNREFUSED|refused|reach)/i);
    expect(out).not.toContain('has moved');
  });
});

describe('a run of one poll', () => {
  it('ends with why it failed, and what to do, when the service cannot be reached', async () => {
    const cwd = await nowhere();
    const args = ['run', '--once', '--config', 'magpie.yaml'];
    const { code, out, err } = await magpie(args, { cwd, clock: hurried(), env: { XDG_RUNTIME_DIR: cwd } });
    expect(code).toBe(1);
    expect(out).toContain('Waiting up to 15 s for the service: ');
    expect(out.trimEnd().split('\n').at(-1)).toBe('Nothing was judged, so nothing was bought.');
    expect(err).toMatch(/^The live listings could not be read: .*(?:ECONNREFUSED|refused|reach)/im);
    expect(err.trimEnd().split('\n').at(-1)).toBe('→ check that `service.baseUrl` is right, and that this machine reaches it');
  });

  it('says of another account’s folder only that, and nothing of listings that it never asked for', async () => {
    const cwd = place();
    ledgerAt(cwd).close();
    const { code, out, err } = await here(cwd, 'run', '--once');
    expect(code).toBe(2);
    expect(out).toContain('this data folder belongs to account account-1');
    expect(out + err).not.toMatch(/could not be read|judged|Nothing/);
  });
});

describe('what a run of one poll ends with', () => {
  function shown(cwd: string, facts: Partial<PollFacts>, since = NOON): string {
    const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd });
    if (!loaded.ok) throw new Error('it is good');
    let text = '';
    const stdout = { write: (more: string) => void (text += more), isTerminal: false, columns: undefined };
    const surroundings = { env: {}, cwd, clock: new VirtualClock(NOON), onSignal: () => () => undefined };
    const io = createIo({ stdout, stderr: stdout, ...surroundings });
    showRun(io, loaded.settings, since, Object.assign(new PollFacts(), facts));
    return text;
  }

  it('is why: the service, the strategies, or what refused the matches', () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney });
    const ledger = ledgerAt(cwd);
    expect(shown(cwd, { lastFault: 'connect ECONNREFUSED 127.0.0.1:1' })).toMatchInlineSnapshot(`
      "
      Nothing was judged, so nothing was bought.
      "
    `);
    expect(shown(cwd, { lastCompleteAt: NOON, listings: 498 })).toMatchInlineSnapshot(`
      "
      Nothing was bought: no strategy wants any of 498 listings. → \`magpie why LISTING_ID\` explains any listing
      "
    `);
    const decision = { at: NOON, lane: 'live', market: 'c5game', marketHashName: 'AK-47 | Redline (Field-Tested)' } as const;
    const by = { strategyHash: 'hash', cost: dollars(10.5), verdict: 'refused', detail: undefined } as const;
    ledger.recordDecisions([
      { ...decision, ...by, listingId: '1', strategy: 'redlines', reason: 'health-unknown' },
      { ...decision, ...by, listingId: '1', strategy: 'others', reason: 'health-unknown' },
      { ...decision, ...by, listingId: '2', strategy: 'redlines', reason: 'health-unknown' },
      { ...decision, ...by, listingId: '3', strategy: 'redlines', reason: 'max-price' },
      { ...decision, ...by, listingId: '4', strategy: 'redlines', reason: 'never', at: NOON - 1 },
    ]);
    expect(shown(cwd, { lastCompleteAt: NOON, listings: 498 })).toMatchInlineSnapshot(`
      "
      Nothing was bought. Refused, of what the strategies want:
        2 for health-unknown: The health of the markets is not known, or the last answer is older than \`feed.health.staleAfter\`.
        1 for max-price: It costs more than \`limits.maxPrice\`, fee included.
      → \`magpie why LISTING_ID\` explains any listing
      "
    `);
  });

  it('tells a second look by dry-run from a first', () => {
    const cwd = place({ 'magpie.yaml': onPlayMoney.replace('mode: live', 'mode: dry-run') });
    const ledger = ledgerAt(cwd);
    begun(ledger, 1, NOON + 1, { lane: 'paper' });
    begun(ledger, 2, NOON + 1, { lane: 'paper' });
    const since = NOON + 60_000;
    const decision = { at: since, lane: 'paper', market: 'c5game', marketHashName: 'AK-47 | Redline (Field-Tested)' } as const;
    const by = {
      strategy: 'redlines',
      strategyHash: 'hash',
      cost: dollars(10.5),
      verdict: 'refused',
      detail: undefined,
    } as const;
    const facts = { lastCompleteAt: since, listings: 498 };
    ledger.recordDecisions([{ ...decision, ...by, listingId: '1', reason: 'already-simulated' }]);
    expect(shown(cwd, facts, since)).not.toContain('earlier');
    ledger.recordDecisions([{ ...decision, ...by, listingId: '3', reason: 'item-day' }]);
    expect(shown(cwd, facts, since)).toMatchInlineSnapshot(`
      "
      id  made at (UTC)        state      with fee  listing  item                            wear  market  strategy
       1  2026-01-05 12:00:00  simulated    $10.50  1        AK-47 | Redline (Field-Tested)  0.2   c5game  cheap

      2 purchases of earlier dry-runs count against the caps here, and 1 listing was refused by caps.
      → for a look that begins anew: a data folder of its own, \`--data DIR\`
      1 would be bought now, for $10.50 in all (on paper: nothing was sent)
      "
    `);
  });
});
