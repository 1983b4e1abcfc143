import { describe, expect, it } from 'vitest';
import type { Shadow } from '../../src/domain/shadow.ts';
import { begun } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const latency = { ms: 612, measuredOn: 40 };

/** Won, lost, unknown and not checked, in this order. */
function history(): string {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  for (const number of [1, 2, 3, 4]) begun(ledger, number, NOON + number, { lane: 'paper' });
  const one = (purchaseId: number, given: Partial<Shadow>): Shadow => ({
    ...{ purchaseId, reason: 'standing', detail: undefined, latency, at: NOON + 900, askedAfterMs: 880 },
    ...given,
  });
  ledger.keepShadows([
    one(1, {}),
    one(2, { reason: 'repriced', detail: '$11.00 with the fee' }),
    one(3, { reason: 'failed', detail: '\u001b[31mdown', askedAfterMs: undefined }),
  ]);
  return cwd;
}

async function out(cwd: string, ...args: string[]): Promise<string> {
  const [command = '', ...more] = args;
  const given = { cwd, clock: new VirtualClock(NOON + 2_000), env: { NO_COLOR: '1' } };
  const ran = await magpie([command, ...more, '--config', 'magpie.yaml'], given);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
  return ran.out;
}

const words =
  'live would have won 1 for $10.50 and lost 1 for $10.50 (1 repriced), 1 for $10.50 unknown, 1 not checked: 50 % won of 2 that are known';

describe('what live would have got', () => {
  it('stands in the table of purchases and under it', async () => {
    const shown = await out(history(), 'purchases');
    expect(shown.split('\n').flatMap((line) => /simulated(?:, \w+)?/.exec(line.split('$')[0] ?? '')?.[0] ?? [])).toEqual([
      ...['simulated', 'simulated, unknown', 'simulated, lost', 'simulated, won'],
      'simulated',
    ]);
    expect(shown).toContain(`\nOn paper: ${words}\n`);
  });

  it('stands in the timeline of one purchase, with what it rests on, and calls nothing bought', async () => {
    const cwd = history();
    expect((await out(cwd, 'purchases', '1')).replace(/\s+/g, ' ')).toContain(
      'live would have won: it still stood at the same price once a buy would have been answered · asked 880 ms after the decision; a buy was taken to last 612 ms (nine in ten of 40 of ours did not last longer)',
    );
    expect((await out(cwd, 'purchases', '2')).replace(/\s+/g, ' ')).toContain('moments later ($11.00 with the fee) · asked');
    expect(await out(cwd, 'purchases', '3')).not.toContain('\u001b');
    expect(await out(cwd, 'purchases', '4')).not.toContain('live would have');
  });

  it('is a field of its own for programs, null where it was not checked', async () => {
    const cwd = history();
    const list = JSON.parse(await out(cwd, 'purchases', '--json')) as Record<string, unknown>[];
    expect(list.map(({ state, shadow }) => [state, (shadow as { result?: string } | null)?.result ?? null])).toEqual([
      ['simulated', null],
      ['simulated', 'unknown'],
      ['simulated', 'lost'],
      ['simulated', 'won'],
    ]);
    expect((JSON.parse(await out(cwd, 'purchases', '2', '--json')) as Record<string, unknown>)['shadow']).toEqual({
      result: 'lost',
      reason: 'repriced',
      detail: '$11.00 with the fee',
      at: new Date(NOON + 900).toISOString(),
      askedAfterMs: 880,
      latencyMs: 612,
      latencyMeasuredOn: 40,
    });
  });

  it('is summed up by status, with the share won and of how many it is', async () => {
    const cwd = history();
    expect((await out(cwd, 'status')).replace(/\s+/g, ' ')).toContain(`on paper ${words}`);
    expect((JSON.parse(await out(cwd, 'status', '--json')) as Record<string, unknown>)['shadow']).toEqual({
      won: { count: 1, amount: 10.5 },
      lost: { count: 1, amount: 10.5 },
      unknown: { count: 1, amount: 10.5 },
      unchecked: { count: 1, amount: 10.5 },
      reasons: {
        failed: { count: 1, amount: 10.5 },
        repriced: { count: 1, amount: 10.5 },
        standing: { count: 1, amount: 10.5 },
      },
      shareWon: 0.5,
      sample: 2,
    });
  });

  it('is exported beside the purchases', async () => {
    const rows = JSON.parse(await out(history(), 'export', 'purchases', '--json')) as Record<string, unknown>[];
    expect(rows.map(({ shadow, shadowReason }) => [shadow, shadowReason])).toEqual([
      ['won', 'standing'],
      ['lost', 'repriced'],
      ['unknown', 'failed'],
      [null, null],
    ]);
  });
});
