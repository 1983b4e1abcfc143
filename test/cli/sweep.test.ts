import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { magpie } from './harness.ts';
import { document, over, sweep, sweepFolder } from './sweep-stage.ts';

describe('sweep', () => {
  it('says of one variant what a backtest says of that strategy, in either part', async () => {
    const cwd = sweepFolder({ 'other/half.yaml': 'name: half\nprice: { maxOfSteam: 0.6 }\n' });
    const { variants, ...found } = await document(cwd, ...over('price.maxOfSteam=0.6'));
    expect(variants).toHaveLength(1);
    for (const part of ['train', 'test'] as const) {
      const { from, to } = found[part];
      const times = ['--strategies', 'other', '--latency', '200ms', '--from', from, '--to', to];
      const { out } = await magpie(['backtest', '--config', 'magpie.yaml', '--json', ...times], { cwd });
      const [figures] = (JSON.parse(out) as { strategies: Record<string, unknown>[] }).strategies;
      const [{ [part]: result }] = variants as unknown as readonly [Record<typeof part, unknown>];
      const { halt, ...own } = result as Record<string, unknown>;
      expect(halt).toBeNull();
      expect(figures).toMatchObject(own);
      expect(own['matched']).toBeGreaterThan(0);
    }
  });

  it('shows a person the variants, a map, how much is luck, and what to write to take the best', async () => {
    const cwd = sweepFolder();
    const args = over('price.maxOfSteam=0.4,0.6', 'price.max=10,12');
    const { code, out } = await magpie([...sweep, ...args, '--report', 'sweep.html'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('Tried 4 variants of strategies/half.yaml on data/recording.db');
    expect(out).toMatch(/price.maxOfSteam +price.max +bought +spent/);
    expect(out).toMatch(/as it is +0.5 +–/);
    expect(out).toContain('train profit, price.maxOfSteam (down) by price.max (across)');
    expect(out).toContain('test profit, price.maxOfSteam');
    expect(out).toContain('by luck alone');
    expect(out).toContain('In the test part, which had no say in choosing it');
    expect(out).toMatch(/write in strategies\/half.yaml\n {2}price.maxOfSteam: 0.6\n {2}price.max: 12/);
    const page = readFileSync(join(cwd, 'sweep.html'), 'utf8');
    expect(page).toContain('magpie sweep --config magpie.yaml --recording data/recording.db --strategy strategies/half.yaml');
    expect(page).toContain('class="number heat"');
  });

  it('says that caps decide where they keep more out than comes in, in most variants, and by which', async () => {
    const words =
      'In 2 of 2 variants caps kept more matches of the train part out than were admitted, most for strategy-count-total:';
    const cwd = sweepFolder({
      'strategies/half.yaml': 'name: half\nprice: { maxOfSteam: 0.5 }\nlimits: { count: { total: 1 } }\n',
    });
    const { out } = await magpie([...sweep, ...over('price.maxOfSteam=0.5,0.6'), '--report', 'sweep.html'], { cwd });
    expect(out).toContain(words);
    expect(readFileSync(join(cwd, 'sweep.html'), 'utf8')).toContain(words);
    const roomy = await magpie([...sweep, ...over('price.maxOfSteam=0.5,0.6')], { cwd: sweepFolder() });
    expect(roomy.out).not.toContain('caps kept more');
  });

  it('says what is wrong with what it was given', async () => {
    const cwd = sweepFolder({ 'sweep.yaml': 'strategy: strategies/half.yaml\nvary: { price.maxOfStem: [1] }\n' });
    for (const [args, words] of [
      [[], 'What is varied is not said'],
      [['--strategy', 'strategies/half.yaml'], 'What is varied is not said'],
      [['sweep.yaml', ...over('price.max=1')], 'What is varied is not said'],
      [['sweep.yaml'], 'fault sweep.yaml:2:9: vary["price.maxOfStem"]: there is no maxOfStem in price of a strategy'],
      [['none.yaml'], 'there is no such file'],
      [over('price.maxOfSteam'), 'fault --vary:1:1: price.maxOfSteam: names no values to try → write price.maxOfSteam=0.6,0.7\n'],
      [over('price.max=1', 'price.maxOfSteam='), 'fault --vary:2:1: price.maxOfSteam: names no values to try'],
      [over('price.maxOfSteam=0.6,70'), 'with price.maxOfSteam 70'],
      [[...over('price.max=1,2,3'), '--max', '2'], 'makes 3 variants, more than 2'],
      [[...over('price.max=1'), '--train', '1'], '--train "1" leaves one of the two parts nothing'],
      [[...over('price.max=1'), '--samples', 'many'], 'is no whole number'],
    ] as const) {
      const { code, err } = await magpie([...sweep, ...args], { cwd });
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});
