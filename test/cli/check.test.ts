import { describe, expect, it } from 'vitest';
import { magpie, place, redlines } from './harness.ts';

describe('check', () => {
  it('finds nothing wrong with what is right, and says what it looked at', async () => {
    const { code, out, err } = await magpie(['check', '--config', 'magpie.yaml'], { cwd: place() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Good: configuration and 1 strategy checked, no faults.
      "
    `);
  });

  it('and a start tell alike of a folder of strategies that is not there, where it was named', async () => {
    const cwd = place({ 'magpie.yaml': 'service: { sandbox: { seed: 7 } }\nstrategies: ./${PLACE}\nmode: dry-run\n' });
    const said = async (...args: string[]): Promise<string | undefined> => {
      const { code, out, err } = await magpie([...args, '--config', 'magpie.yaml'], { cwd, env: { PLACE: 'nothere' } });
      expect(code).toBe(2);
      return /^fault .*?: there is no such folder/m.exec(out + err)?.[0];
    };
    for (const args of [['check'], ['run', '--once']]) {
      expect(await said(...args)).toBe('fault magpie.yaml:2:13: strategies: nothere: there is no such folder');
      const given = [...args, '--strategies', 'gone'];
      expect(await said(...given)).toBe('fault --strategies: gone: there is no such folder');
    }
  });

  it('gives each fault with its place, what was found, what is allowed and the likely fix, and exits 2 [C1]', async () => {
    const cwd = place({
      'magpie.yaml': 'service: { sandbox: { seed: 7 } }\nlimits:\n  maxPrise: 5\n  spend: { day: 20 }\nmode: live\n',
      'strategies/wide.yaml': 'name: wide\nwhen: { wear: { below: 7 } }\nprice: {}\n',
    });
    const { code, out } = await magpie(['check', '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(2);
    expect(out).toMatchInlineSnapshot(`
      "fault magpie.yaml:3:3: limits.maxPrise: no such key; allowed: maxPrice, spend, perItem, never, reserve, openPurchases, unknown, breaker → write maxPrice
      fault strategies/wide.yaml:2:24: when.wear.below: must be a number from 0 to 1; found the number 7
      fault strategies/wide.yaml:3:8: price: must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price; found an empty block

      Faulty: configuration and 2 strategies checked, 3 faults. Mend them and check again.
      "
    `);
  });

  it('prints one document with --json: every fault with file, line, column, path, message and suggestion', async () => {
    const cwd = place({ 'strategies/redlines.yaml': redlines.replace('price:', 'prise:') });
    const { code, out, err } = await magpie(['check', '--json', '--config', 'magpie.yaml'], { cwd });
    expect({ code, err }).toEqual({ code: 2, err: '' });
    const { ok, faults } = JSON.parse(out) as { ok: boolean; faults: object[] };
    expect(ok).toBe(false);
    expect(faults.map((fault) => Object.keys(fault))).toContainEqual(['file', 'line', 'column', 'path', 'message', 'suggestion']);
    expect(faults).toContainEqual(
      expect.objectContaining({ file: 'strategies/redlines.yaml', line: 3, column: 1, suggestion: 'write price' }),
    );
    const good = await magpie(['check', '--json', '--config', 'magpie.yaml'], { cwd: place() });
    expect(good.code).toBe(0);
    expect(JSON.parse(good.out)).toMatchObject({ ok: true, faults: [] });
  });

  it('shows warnings and does not fail for them', async () => {
    const cwd = place({ 'strategies/seeds.yaml': 'name: seeds\nwhen: { paintSeed: [661] }\nprice: { max: 5 }\n' });
    const { code, out } = await magpie(['check', '--config', 'magpie.yaml'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "warning strategies/seeds.yaml:2:20: when.paintSeed: stands without a name, but a seed means something only for one weapon and finish → add a name

      Good: configuration and 2 strategies checked, no faults, 1 warning.
      "
    `);
  });

  it('calls an empty folder of strategies, and one that is not there, a fault', async () => {
    const cwd = place({ 'empty/readme.txt': '' });
    for (const folder of ['empty', 'nowhere']) {
      expect((await magpie(['check', '--config', 'magpie.yaml', '--strategies', folder], { cwd })).code).toBe(2);
    }
    expect((await magpie(['check', 'nothing.yaml'], { cwd })).code).toBe(2);
  });

  it('looks at single files and folders too', async () => {
    const cwd = place();
    const { code, out } = await magpie(['check', 'strategies', 'magpie.yaml', 'strategies/redlines.yaml'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Good: configuration and 2 strategies checked, no faults.
      "
    `);
  });

  it('knows a file for `magpie sweep`, and looks at it as that reads it', async () => {
    const redlinesOver = (vary: string): string => `strategy: strategies/redlines.yaml\nvary: { ${vary} }\n`;
    const cwd = place({
      'good.yaml': redlinesOver('price.max: [5, 6]'),
      'wrong.yaml': redlinesOver('price.maxx: [5, 6]'),
      'many.yaml': redlinesOver('price.max: { from: 1, to: 100, step: 0.001 }'),
    });
    expect(await magpie(['check', 'good.yaml'], { cwd })).toMatchObject({ code: 0, out: 'Good: 1 sweep checked, no faults.\n' });
    const { code, out } = await magpie(['check', 'wrong.yaml', 'many.yaml', 'strategies'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('fault wrong.yaml:2:9: vary["price.maxx"]: there is no maxx in price of a strategy');
    expect(out).toMatch(/fault many.yaml:2:\d+: vary: makes \d+ variants, more than 10000/);
    expect(out).toContain('1 strategy and 2 sweeps checked, 2 faults');
  });

  it('prints every default with --defaults', async () => {
    const { code, out } = await magpie(['check', '--defaults'], { cwd: place() });
    expect(code).toBe(0);
    expect(out).toContain('mode: dry-run');
    expect(out).toContain('openPurchases: 200');
  });

  it('shows hostile text of a file as visible escapes [S18]', async () => {
    const cwd = place({ 'strategies/bad.yaml': 'name: bad\nwhen: { name: "x", "\\e[2Jname": 1 }\nprice: { max: 5 }\n' });
    const { out } = await magpie(['check', '--config', 'magpie.yaml'], { cwd });
    expect(out).not.toContain('\u001b');
    expect(out).toContain('\\u001b[2Jname');
  });
});
