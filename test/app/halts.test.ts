import { describe, expect, it } from 'vitest';
import { Bell } from '../../src/app/bell.ts';
import { EngineLoop, type Posted } from '../../src/app/engine-loop.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { Obedience } from '../../src/app/obedience.ts';
import { Outside } from '../../src/app/outside.ts';
import { initialState } from '../../src/engine/state.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { begun, freshFolder, freshLedger, outcomes, raw, settled } from '../ledger/support.ts';
import { NOON, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ScriptedService, failure, listings } from './scripted-service.ts';
import { freshPlace, offer, pause, startBot } from './stage.ts';

const rules = {
  strategies: new StrategyIndex([]),
  limits: { ...wideLimits, breaker: { ...wideLimits.breaker, refusalsInRow: 1 } },
  never: () => false,
  health: { require: 'off', staleAfterMs: 15_000 },
  patienceMs: 2_000,
} as const;

/** The parts that halts go through, around a real ledger. */
function halting(folder = freshFolder(), ledger = freshLedger(folder)) {
  const clock = new VirtualClock(NOON);
  const said: string[] = [];
  const say = (event: string): void => void said.push(event);
  const log = { info: say, warn: say, error: say };
  const past = { purchases: [], adopted: [], halt: ledger.halted(), slowedUntil: undefined, refusalsInRow: 0, now: clock.now() };
  const loop = new EngineLoop(
    initialState(rules, past),
    clock,
    (effect) => obedience.obey(effect),
    ({ type }) => say(`${type}${ledger.halted() === undefined ? '' : ' with a halt on disk'}`),
  );
  const post = (event: Posted): void => loop.post(event);
  const journal = new JournalGuard({
    ...{ clock, post, log, onTurn: () => undefined },
    probe: () => ledger.probe(clock.now()),
    beforeOpening: () => obedience.writeHalt(),
  });
  const bell = new Bell(log, ledger, journal);
  const obedience = new Obedience({ clock, ledger, journal, bell } as unknown as ConstructorParameters<typeof Obedience>[0]);
  const outside = new Outside({
    ...{ ledger, clock, log, post },
    state: () => loop.state,
    told: { purchases: () => undefined, journal: () => undefined },
    journalFails: () => journal.failing !== undefined,
    haltWaits: () => obedience.haltWaits,
    onHalt: () => undefined,
    onDefect: (error) => {
      throw error;
    },
    obey: () => undefined,
  });
  const db = raw(folder);
  return {
    ...{ clock, ledger, loop, journal, obedience, outside, said },
    /** Stands for a disk that is full, or a program that locks the file, at this one moment. */
    refuseHalts: () => db.exec("CREATE TRIGGER refuse BEFORE INSERT ON halts BEGIN SELECT RAISE(ABORT, 'no room'); END"),
    takeHalts: () => db.exec('DROP TRIGGER refuse'),
    trip: () => {
      const purchase = settled(ledger, begun(ledger, 1), outcomes.refused('request'));
      loop.post({ type: 'outcome', purchase, outcome: outcomes.refused('request') });
    },
    mend: () => {
      journal.mend();
      clock.advanceSync(5_000);
      journal.mend();
    },
  };
}

describe('a halt that tripped while its row could not be written', () => {
  it('is resumed by no look at the ledger, however often', () => {
    const { refuseHalts, takeHalts, trip, outside, loop, obedience, said } = halting();
    refuseHalts();
    trip();
    expect([loop.state.halt?.by, obedience.haltWaits]).toEqual(['refusals-in-row', true]);
    outside.look();
    takeHalts();
    outside.look();
    outside.look();
    expect(loop.state.halt?.by).toBe('refusals-in-row');
    expect(loop.state.refusalsInRow, 'what counted towards it is not forgotten').toBe(1);
    expect(said).not.toContain('resumed');
  });

  it('is on disk before the journal opens buying again', () => {
    const { refuseHalts, takeHalts, trip, mend, loop, ledger, journal, obedience, said } = halting();
    refuseHalts();
    trip();
    mend();
    expect(journal.failing, 'a journal that takes all but the halt is not well').toContain('no room');
    takeHalts();
    mend();
    expect(journal.failing).toBeDefined();
    mend();
    expect([journal.failing, obedience.haltWaits, ledger.halted()?.by]).toEqual([undefined, false, 'refusals-in-row']);
    expect(said.filter((event) => event.startsWith('unblocked'))).toEqual(['unblocked with a halt on disk']);
    expect(loop.state.halt).toBeDefined();
  });

  it('outlasts the resume of an earlier one', () => {
    const { refuseHalts, takeHalts, trip, mend, outside, loop, ledger } = halting();
    refuseHalts();
    trip();
    takeHalts();
    ledger.halt('prices look odd', 'person', NOON);
    ledger.resume(NOON + 1);
    outside.look();
    expect(loop.state.halt?.by).toBe('refusals-in-row');
    mend();
    mend();
    outside.look();
    expect(ledger.halted()?.by).toBe('refusals-in-row');
    ledger.resume(NOON + 2);
    outside.look();
    expect(loop.state.halt).toBeUndefined();
  });

  it('is tried once more at the end, whatever the journal has refused before', () => {
    const { refuseHalts, takeHalts, trip, ledger, obedience } = halting();
    refuseHalts();
    trip();
    obedience.lastHalt();
    expect(obedience.haltWaits).toBe(true);
    takeHalts();
    obedience.lastHalt();
    expect(ledger.halted()?.by).toBe('refusals-in-row');
  });

  it('lets no further buy leave a running daemon', async () => {
    const service = await ScriptedService.open({
      live: () => listings(Array.from({ length: 40 }, (_, n) => offer(String(900_000_000 + n)))),
      buy: () => failure(422, 'ODD', 'something is odd'),
    });
    const limits = { maxPrice: 1000, spend: { day: 100_000 }, breaker: { refusalsInRow: 1 } };
    const bot = await startBot({ place: freshPlace(), at: service.address, config: { limits } });
    const db = raw(bot.data);
    db.exec("CREATE TRIGGER refuse BEFORE INSERT ON halts BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await bot.sees('the refusal that trips', () => service.asked('buy') === 1);
    await bot.says('cannot be written');
    db.exec('DROP TRIGGER refuse');
    await bot.sees('the halt on disk', () => bot.beside((ledger) => ledger.halted()) !== undefined);
    await pause(500);
    expect(bot.text).not.toContain('Resumed');
    expect(service.asked('buy')).toBe(1);
  });
});

describe('a halt that stands in the ledger', () => {
  it('ends with a resume, though the clock of whoever resumes be behind', () => {
    const { outside, loop, ledger } = halting();
    for (const at of [NOON + 2, NOON + 1]) {
      ledger.halt('prices look odd', 'person', at);
      outside.look();
      expect(loop.state.halt?.by).toBe('person');
      ledger.resume(at);
      outside.look();
      expect(loop.state.halt).toBeUndefined();
    }
  });

  it('ends with a resume that came while the daemon was starting', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    ledger.halt('prices look odd', 'person', NOON);
    const { outside, loop } = halting(folder, ledger);
    expect(loop.state.halt).toBeDefined();
    ledger.resume(NOON + 1);
    outside.look();
    expect(loop.state.halt).toBeUndefined();
  });

  it('is not over when another has taken its place before anybody looked', () => {
    const { outside, loop, ledger } = halting();
    ledger.halt('prices look odd', 'person', NOON);
    outside.look();
    ledger.resume(NOON + 1);
    ledger.halt('an order that no purchase explains', 'evidence', NOON + 2);
    outside.look();
    outside.look();
    expect(loop.state.halt).toBeDefined();
    ledger.resume(NOON + 3);
    outside.look();
    expect(loop.state.halt).toBeUndefined();
  });
});
