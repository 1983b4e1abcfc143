import { describe, expect, it } from 'vitest';
import { Reloader } from '../../src/app/reloader.ts';
import type { Alert } from '../../src/domain/alert.ts';
import type { RuleFiles, RulesRead } from '../../src/settings/rule-files.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { folderWith, settingsOf } from '../settings/written.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const second = 1_000;

function good(maxPrice: number, interval = '1s'): Extract<RulesRead, { ok: true }> {
  const folder = folderWith({ 'a.yaml': JSON.stringify({ name: 'a', when: { name: '*' }, price: { max: 5 } }) });
  const loaded = loadStrategies(folder, folder);
  if (!loaded.ok) throw new Error('it is good');
  const text = { mode: 'live', service: { sandbox: {} }, feed: { interval }, limits: { maxPrice, spend: { day: 100 } } };
  return { ok: true, settings: { ...settingsOf(JSON.stringify(text)), data: '/data' }, strategies: loaded.strategies };
}

const fault = { file: 'a.yaml', line: 3, column: 5, path: 'price', message: 'must be a number', suggestion: undefined };
const bad: RulesRead = { ok: false, faults: [fault, fault] };

/** Files that are saved by hand, and what a reloader makes of them. */
class Desk {
  readonly clock = new VirtualClock();
  readonly said: string[] = [];
  readonly alerts: Alert[] = [];
  readonly reloader: Reloader;
  readonly stopping = new AbortController();
  reads = 0;
  /** How often it was told that what was asked for is done. */
  done = 0;
  /** The journal takes no writes. */
  failing = false;
  /** Called in the middle of a reading. */
  meanwhile = (): void => undefined;
  #mark = 'as at the start';
  #read: RulesRead = good(10);

  constructor(onSave = true) {
    const files: RuleFiles = {
      mark: async () => this.#mark,
      read: async (breathe) => {
        this.reads += 1;
        const read = this.#read;
        await breathe();
        this.meanwhile();
        return read;
      },
    };
    const say = (event: string): void => void this.said.push(event);
    const rung = new Set<string>();
    this.reloader = new Reloader({
      ...{ files, clock: this.clock, onSave, current: good(10) },
      log: { info: say, warn: say, error: say },
      bell: {
        ring: (alert) => void this.alerts.push(alert),
        once: (cause, alert) => {
          if (!rung.has(cause)) this.alerts.push(alert);
          rung.add(cause);
        },
        again: (cause) => void rung.delete(cause),
      },
      apply: async (_, why, what) => {
        if (!this.failing) this.said.push(`${why}: ${what.join('; ')}`);
        return !this.failing;
      },
      onDone: () => void (this.done += 1),
      onDefect: (error) => {
        throw error;
      },
    });
    void this.reloader.start(this.stopping.signal);
  }

  save(read: RulesRead): void {
    this.#mark += '+';
    this.#read = read;
  }

  /** What happens within so many seconds from now. */
  async passes(seconds: number): Promise<readonly string[]> {
    this.said.length = 0;
    await this.clock.advance(seconds * second);
    return [...this.said];
  }
}

describe('limits and strategies that are saved while Magpie runs', () => {
  it('count when two looks a second apart found the files the same, and only once', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.save(good(8));
    expect(await desk.passes(1)).toEqual([]);
    expect(await desk.passes(1)).toEqual(['saved: limits.maxPrice: $10.00 → $8.00', 'reloaded']);
    expect(await desk.passes(60)).toEqual([]);
    expect(desk.alerts).toEqual([]);
  });

  it('are not read while they are still being written', async () => {
    const desk = new Desk();
    await desk.passes(5);
    const before = desk.reads;
    for (let piece = 0; piece < 10; piece++) {
      desk.save(good(8));
      expect(await desk.passes(1)).toEqual([]);
    }
    expect(desk.reads).toBe(before);
    expect(await desk.passes(2)).toContain('reloaded');
  });

  it('are read again when they were written in the middle of a reading', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.save(good(8));
    desk.meanwhile = () => {
      desk.meanwhile = () => undefined;
      desk.save(good(9));
    };
    expect(await desk.passes(2)).toEqual([]);
    expect(await desk.passes(3)).toEqual(['saved: limits.maxPrice: $10.00 → $9.00', 'reloaded']);
  });

  it('change nothing with a fault in them, which is told once, until they are mended [C11]', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.save(bad);
    expect(await desk.passes(60)).toEqual(['reload-refused']);
    desk.save(bad);
    await desk.passes(60);
    expect(desk.alerts).toMatchObject([{ kind: 'rules', message: expect.stringContaining('a.yaml:3:5: must be a number') }]);
    desk.save(good(8));
    expect(await desk.passes(3)).toContain('reloaded');
    desk.save(bad);
    await desk.passes(3);
    expect(desk.alerts).toHaveLength(2);
  });

  it('are noticed where they changed between the start’s own reading and the first look', async () => {
    const desk = new Desk();
    desk.save(good(8));
    expect(await desk.passes(3)).toEqual(['saved: limits.maxPrice: $10.00 → $8.00', 'reloaded']);
  });

  it('do not count as long as they cannot be written down', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.failing = true;
    desk.save(good(8));
    expect(await desk.passes(10)).toEqual([]);
    desk.failing = false;
    expect(await desk.passes(2)).toContain('reloaded');
  });

  it('are an alert where they let more be bought [C12]', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.save(good(12));
    await desk.passes(3);
    expect(desk.alerts).toMatchObject([
      { kind: 'limits', message: 'More may be bought than before: limits.maxPrice: $10.00 → $12.00' },
    ]);
  });

  it('leave other keys to the next start, and say so once', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.save(good(10, '5s'));
    expect(await desk.passes(60)).toEqual([]);
    desk.save(good(10, '5s'));
    await desk.passes(3);
    expect(desk.alerts).toMatchObject([{ kind: 'rules', message: expect.stringMatching(/next start: feed\.interval$/) }]);
  });

  it('count at once on request, and only then where saving is not to be enough', async () => {
    const desk = new Desk(false);
    desk.save(good(8));
    expect(await desk.passes(60)).toEqual([]);
    desk.reloader.ask();
    expect(await desk.passes(1)).toEqual(['signal: limits.maxPrice: $10.00 → $8.00', 'reloaded']);
    desk.save(good(9));
    expect(await desk.passes(60)).toEqual([]);
  });

  it('are said to be read once for each request, also where it comes in the middle of another reading', async () => {
    const desk = new Desk();
    await desk.passes(5);
    expect(desk.done).toBe(0);
    desk.reloader.ask();
    await desk.passes(5);
    expect(desk.done).toBe(1);
    desk.save(good(8));
    desk.meanwhile = () => {
      desk.meanwhile = () => undefined;
      desk.reloader.ask();
    };
    await desk.passes(5);
    expect(desk.done).toBe(2);
    desk.save(bad);
    desk.reloader.ask();
    await desk.passes(5);
    expect(desk.done).toBe(3);
  });

  it('are looked at no more once Magpie stops', async () => {
    const desk = new Desk();
    await desk.passes(5);
    desk.stopping.abort();
    desk.save(good(8));
    expect(await desk.passes(60)).toEqual([]);
    expect(desk.clock.pending).toBe(0);
  });
});
