import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '../../src/settings/load.ts';
import { type RuleFiles, ruleFiles, ruleFilesOfAccounts } from '../../src/settings/rule-files.ts';
import { folderWith } from './written.ts';

const config = 'service: { sandbox: {} }\nlimits: { maxPrice: 5, spend: { day: 9 } }\n';
const strategy = (name: string): string => `name: ${name}\nwhen: { name: "*" }\nprice: { max: 3 }\n`;

function followed(files: Readonly<Record<string, string>> = {}): { folder: string; files: RuleFiles } {
  const all = Object.entries({ 'strategies/a.yaml': strategy('a'), ...files });
  const folder = folderWith({ 'magpie.yaml': config, ...Object.fromEntries(all) });
  const request = { file: 'magpie.yaml', env: {}, cwd: folder };
  const loaded = loadSettings(request);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return { folder, files: ruleFiles(request, loaded.settings) };
}

const breathe = async (): Promise<void> => undefined;

describe('the files of limits and strategies', () => {
  it('have the same mark while nobody touches them, and another after any change', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`strategies/s${n}.yaml`, strategy(`s${n}`)]));
    const { folder, files } = followed(many);
    const marks = [await files.mark()];
    expect(await files.mark()).toBe(marks[0]);
    const at = (name: string): string => join(folder, name);
    const changes = [
      () => writeFileSync(at('magpie.yaml'), config.replace('9', '8')),
      () => writeFileSync(at('strategies/s119.yaml'), `${strategy('s119')}# longer\n`),
      () => writeFileSync(at('strategies/b.yaml'), strategy('b')),
      () => rmSync(at('strategies/s0.yaml')),
      () => renameSync(at('strategies/s1.yaml'), at('strategies/other.yaml')),
      () => rmSync(at('magpie.yaml')),
      () => rmSync(at('strategies'), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      marks.push(await files.mark());
    }
    expect(new Set(marks).size).toBe(1 + changes.length);
  });

  it('have another mark when a link to them is swapped, as mounted configuration is', async () => {
    const { folder, files } = followed({ 'one/x.yaml': strategy('x'), 'other/x.yaml': strategy('y') });
    symlinkSync('../one/x.yaml', join(folder, 'strategies', 'x.yaml'));
    const before = await files.mark();
    symlinkSync('../other/x.yaml', join(folder, 'strategies', '.next'));
    renameSync(join(folder, 'strategies', '.next'), join(folder, 'strategies', 'x.yaml'));
    expect(await files.mark()).not.toBe(before);
  });

  it('are read as at a start: all of them or the faults of all of them', async () => {
    const { folder, files } = followed();
    expect(await files.read(breathe)).toMatchObject({ ok: true, strategies: [{ name: 'a' }], settings: { mode: 'dry-run' } });
    writeFileSync(join(folder, 'strategies', 'b.yaml'), 'name: b\nwhen: { nme: "*" }\n');
    expect(await files.read(breathe)).toMatchObject({
      ok: false,
      faults: [{ file: 'strategies/b.yaml' }, { file: 'strategies/b.yaml' }],
    });
    writeFileSync(join(folder, 'magpie.yaml'), 'limits: { maxprice: 5 }\n');
    expect(await files.read(breathe)).toMatchObject({
      ok: false,
      faults: expect.arrayContaining([expect.objectContaining({ file: 'magpie.yaml' })]),
    });
  });

  it('are parsed where their text is not that of a strategy that counts, and nowhere else', async () => {
    const { folder, files } = followed({ 'strategies/b.yaml': strategy('b') });
    const before = await files.read(breathe);
    if (!before.ok) throw new Error(JSON.stringify(before.faults));
    const [a, b] = before.strategies;
    writeFileSync(join(folder, 'strategies', 'b.yaml'), strategy('b').replace('3', '2'));
    const after = await files.read(breathe, before.strategies);
    if (!after.ok) throw new Error(JSON.stringify(after.faults));
    expect(after.strategies[0]).toBe(a);
    expect(after.strategies[1]).not.toBe(b);
    expect(after.strategies[1]).toMatchObject({ name: 'b', text: strategy('b').replace('3', '2') });
  });

  it('have a fault where a strategy that counts stands in two of them, as at a start', async () => {
    const { folder, files } = followed();
    const before = await files.read(breathe);
    if (!before.ok) throw new Error(JSON.stringify(before.faults));
    writeFileSync(join(folder, 'strategies', 'again.yaml'), strategy('a'));
    const asAtStart = await files.read(breathe);
    expect(await files.read(breathe, before.strategies)).toEqual(asAtStart);
    expect(asAtStart).toMatchObject({ ok: false, faults: [{ message: 'is the name of strategies/a.yaml too' }] });
  });

  it('are followed where the configuration names another folder', async () => {
    const { folder, files } = followed({ 'others/c.yaml': strategy('c') });
    writeFileSync(join(folder, 'magpie.yaml'), `${config}strategies: ./others\n`);
    expect(await files.read(breathe)).toMatchObject({ ok: true, strategies: [{ name: 'c' }] });
    const before = await files.mark();
    writeFileSync(join(folder, 'others', 'd.yaml'), strategy('d'));
    expect(await files.mark()).not.toBe(before);
  });

  it('of many accounts are each its own, and what one reading of them gives, until the file is another', async () => {
    const top = 'service: { sandbox: {} }\nlimits: { maxPrice: 5, spend: { day: 9 } }\n';
    const two = (day: number): string => `${top}accounts:\n  one: {}\n  two: { limits: { spend: { day: ${day} } } }\n`;
    const folder = folderWith({ 'magpie.yaml': two(3), 'strategies/a.yaml': strategy('a') });
    const request = { file: 'magpie.yaml', env: {}, cwd: folder };
    const loaded = loadSettings(request);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const [one, other] = loaded.each.map(ruleFilesOfAccounts(request)) as [RuleFiles, RuleFiles];
    const days = async (): Promise<unknown[]> =>
      (await Promise.all([one, other].map((files) => files.read(breathe)))).map((read) =>
        read.ok ? [read.settings.account, read.settings.limits.spend.day] : read.faults.map(({ message }) => message),
      );
    expect(await days()).toEqual([
      ['one', 9_000_000],
      ['two', 3_000_000],
    ]);
    writeFileSync(join(folder, 'magpie.yaml'), two(4.5));
    expect(await days()).toEqual([
      ['one', 9_000_000],
      ['two', 4_500_000],
    ]);
    writeFileSync(join(folder, 'magpie.yaml'), two(4.5).replace('  one: {}\n', ''));
    expect(await days()).toEqual([[expect.stringContaining('no account is called one')], ['two', 4_500_000]]);
  });
});
