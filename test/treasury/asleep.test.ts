import { describe, expect, it } from 'vitest';
import { REPEAT_FOR_MS } from '../../src/treasury/treasury.ts';
import { dollars } from '../support/values.ts';
import { TreasuryStage } from './stage.ts';

const [minute, hour] = [60_000, 3_600_000];

/** The machine sleeps: its clock and the service's go on, and the steady time of the run does not. */
function sleep(stage: TreasuryStage, ms: number): void {
  stage.clock.stepWall(ms);
  stage.serviceNow = () => stage.clock.wall();
}

describe('a treasury on a machine that sleeps', () => {
  it('repeats no key that has grown too old meanwhile', async () => {
    const stage = await TreasuryStage.start();
    stage.fates.push('lost-after');
    const { treasury, journal } = stage.started();
    await treasury.round();
    sleep(stage, REPEAT_FOR_MS + hour);
    for (let round = 0; round < 5; round++) {
      await stage.clock.advance(5 * minute);
      await treasury.round();
    }
    expect([stage.sent.length, journal.open().length]).toEqual([1, 1]);
    const again = stage.started();
    expect((await again.treasury.round()).verdicts).toMatchObject([{ reason: 'clock' }, { reason: 'clock' }]);
    expect(stage.sent).toHaveLength(1);
  });

  it('sends nothing more, though the service does not tell the time: what moves would be of long ago to the next run', async () => {
    const stage = await TreasuryStage.start();
    stage.serviceNow = () => Number.NaN;
    stage.fates.push('lost-before');
    const { treasury, journal } = stage.started();
    await treasury.round();
    stage.clock.stepWall(hour);
    await stage.clock.advance(minute);
    const { verdicts } = await treasury.round();
    expect(verdicts.map(({ reason }) => reason)).toEqual(['clock', 'clock']);
    expect(stage.told.at(-1)).toMatchObject({ kind: 'clock-wrong', why: expect.stringContaining('it has slept') });
    expect(stage.sent).toHaveLength(1);
    stage.clock.stepWall(-hour);
    await treasury.round();
    await treasury.round();
    expect([stage.sent.length, journal.open().length], 'a clock that was set right again stops nothing').toEqual([2, 0]);
  });

  it('goes by no balance that was read before it slept', async () => {
    const stage = await TreasuryStage.start([1_000, 20, 30]);
    stage.onSent = () => sleep(stage, 2 * minute);
    const { treasury } = stage.started();
    await treasury.round();
    expect(stage.sent).toHaveLength(1);
    expect(stage.told).toContainEqual({ kind: 'not-written', child: 'b', why: expect.stringContaining('too long ago') });
    stage.onSent = () => undefined;
    await treasury.round();
    expect(stage.balances()).toEqual([650, 200, 200].map(dollars));
  });

  it('counts what it moves after a short sleep as long as the next run will: by the clock of the machine', async () => {
    const stage = await TreasuryStage.start();
    const { treasury, journal } = stage.started();
    sleep(stage, 4 * minute);
    await treasury.round();
    expect(journal.transfers(0)).toMatchObject([{ state: 'made', settledAt: stage.clock.wall() }]);
  });

  it('counts what may have moved when it woke from then on', async () => {
    const stage = await TreasuryStage.start();
    stage.onSent = () => sleep(stage, 20 * hour);
    const { treasury, journal } = stage.started();
    await treasury.round();
    expect(journal.transfers(0)).toMatchObject([{ state: 'made', settledAt: stage.clock.wall() }]);
  });
});
