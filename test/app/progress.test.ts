import { describe, expect, it } from 'vitest';
import { Progress } from '../../src/app/monitoring/progress.ts';
import { readyPage } from '../../src/app/monitoring/pages.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const minute = 60_000;

class Stage {
  readonly clock = new VirtualClock();
  readonly progress: Progress;
  readonly facts: { lastCompleteAt: number | undefined } = { lastCompleteAt: undefined };
  lastLookAt: number | undefined;

  constructor(more: Partial<ConstructorParameters<typeof Progress>[0]> = {}) {
    const { clock } = this;
    this.progress = new Progress({
      clock,
      intervalMs: 1_000,
      lookIntervalMs: 30_000,
      readSpacingMs: 250,
      hasAccount: true,
      ...more,
    });
  }

  /** Everything goes well at this moment. */
  good(): void {
    const now = this.clock.now();
    this.facts.lastCompleteAt = now;
    this.lastLookAt = now;
    this.progress.decided(now);
    this.turning();
  }

  /** Everything goes on, well or not. */
  turning(): void {
    for (const name of ['liveListings', 'user', 'orders'] as const) this.progress.turned(name);
    this.progress.ticked(this.clock.now());
  }

  get late(): string[] {
    return this.progress.checks(this.facts, this.lastLookAt).flatMap(({ what, late }) => (late ? [what] : []));
  }
}

describe('progress', () => {
  it('is late in everything until each has come to a good end once', () => {
    const stage = new Stage();
    expect(stage.late).toEqual(['poll', 'decision', 'reconciliation']);
    stage.good();
    expect(stage.late).toEqual([]);
  });

  it('is late when no whole answer has come for a minute or ten polls, and no look at the orders for three', () => {
    const stage = new Stage();
    stage.good();
    stage.clock.advanceSync(minute);
    expect(stage.late).toEqual([]);
    stage.clock.advanceSync(1);
    expect(stage.late).toEqual(['poll', 'decision']);
    stage.clock.advanceSync(2 * minute);
    expect(stage.late).toEqual(['poll', 'decision', 'reconciliation']);
    const slow = new Stage({ intervalMs: 10 * minute });
    slow.good();
    slow.clock.advanceSync(100 * minute);
    expect(slow.late).toEqual(['reconciliation']);
  });

  it('awaits no look at the orders where there is no account', () => {
    const stage = new Stage({ hasAccount: false });
    stage.facts.lastCompleteAt = stage.clock.now();
    stage.progress.decided(stage.clock.now());
    expect(stage.late).toEqual([]);
  });

  it('is not stuck while the service is down for hours: a restart would mend nothing', () => {
    const stage = new Stage();
    for (let at = 0; at < 300; at++) {
      stage.clock.advanceSync(minute / 2);
      stage.turning();
      expect(stage.progress.stuck()).toBeUndefined();
    }
    expect(stage.late).toHaveLength(3);
  });

  it.each(['liveListings', 'user', 'orders'] as const)(
    'is stuck when no question for %s ends any more, not even badly',
    (loop) => {
      const stage = new Stage();
      stage.turning();
      for (let at = 0; at < 12; at++) {
        stage.clock.advanceSync(minute / 2);
        for (const name of ['liveListings', 'user', 'orders'] as const) if (name !== loop) stage.progress.turned(name);
        stage.progress.ticked(stage.clock.now());
      }
      expect(stage.progress.stuck()).toMatch(new RegExp(`^no question for ${loop} has ended for \\d+ s$`));
    },
  );

  it('is stuck when the engine is not told of time any more', () => {
    const stage = new Stage();
    stage.clock.advanceSync(30_001);
    for (const name of ['liveListings', 'user'] as const) stage.progress.turned(name);
    expect(stage.progress.stuck()).toBe('the engine was told nothing for 30 s');
  });

  it('is not taken for stuck because polls are rare or reads must wait long for their turn', () => {
    for (const more of [{ intervalMs: 60 * minute }, { readSpacingMs: 10 * minute }]) {
      const stage = new Stage(more);
      stage.clock.advanceSync(100 * minute);
      stage.progress.turned('user');
      stage.progress.ticked(stage.clock.now());
      expect(stage.progress.stuck()).toBeUndefined();
    }
  });
});

describe('the page of readiness', () => {
  it('names what is late, by how much, and within what it should be; a halt changes nothing', () => {
    const stage = new Stage();
    stage.good();
    stage.clock.advanceSync(61_000);
    stage.lastLookAt = undefined;
    const page = readyPage(stage.progress.checks(stage.facts, stage.lastLookAt), true);
    expect([page.status, JSON.parse(page.body)]).toEqual([
      503,
      {
        ready: false,
        late: ['poll', 'decision', 'reconciliation'],
        checks: [
          { what: 'poll', late: true, ageSeconds: 61, boundSeconds: 60 },
          { what: 'decision', late: true, ageSeconds: 61, boundSeconds: 60 },
          { what: 'reconciliation', late: true, ageSeconds: null, boundSeconds: 180 },
        ],
        halted: true,
      },
    ]);
    stage.good();
    expect(readyPage(stage.progress.checks(stage.facts, stage.lastLookAt), true).status).toBe(200);
  });
});
