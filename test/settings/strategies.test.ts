import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FileFault, formatFault } from '../../src/settings/file-fault.ts';
import { loadStrategies, packagedStrategies } from '../../src/settings/strategies.ts';
import { folderWith } from './written.ts';

const redline = 'name: redline\nwhen: { name: "AK-47 | Redline*" }\nprice: { max: 20 }\n';
const howl = 'name: howl\npriority: 5\nwhen: { name: "M4A4 | Howl*" }\nprice: { maxOfSteam: 0.7 }\n';

function faultsOf(files: Readonly<Record<string, string>>): string {
  const loaded = loadStrategies(folderWith(files), 'strategies');
  return loaded.ok ? '' : loaded.faults.map(formatFault).join('\n');
}

const shown = (fault: FileFault): string => formatFault(fault).replaceAll(packagedStrategies, 'EXAMPLES');

const namesOf = (folder: string): unknown => {
  const loaded = loadStrategies(folder, 'strategies');
  return loaded.ok ? loaded.strategies.map(({ name }) => name) : loaded.faults.map(shown);
};

describe('a folder of strategies', () => {
  it('is read in the order of the names of its files, with the text and its hash', () => {
    const loaded = loadStrategies(folderWith({ '20.yaml': redline, '10.yaml': howl }), 'strategies');
    expect(loaded).toMatchObject({ ok: true, warnings: [] });
    expect(loaded.ok && loaded.strategies.map(({ name, text, hash }) => ({ name, text, hash }))).toEqual([
      { name: 'howl', text: howl, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { name: 'redline', text: redline, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('may hold other files, folders and hidden ones, and links to strategies', () => {
    const folder = folderWith({
      'a.yaml': redline,
      'notes.txt': '# mine',
      '.draft.yaml': 'nonsense',
      'a.yaml~': 'x',
      'old/b.yaml': howl,
    });
    const elsewhere = folderWith({ 'shared.yaml': howl });
    symlinkSync(join(elsewhere, 'shared.yaml'), join(folder, 'linked.yaml'));
    expect(namesOf(folder)).toEqual(['redline', 'howl']);
  });

  it('is warned of files whose names end otherwise than .yaml', () => {
    const loaded = loadStrategies(folderWith({ 'a.yaml': redline, 'b.yml': howl, 'c.YAML': howl }), 'strategies');
    expect(loaded.warnings.map(formatFault)).toMatchInlineSnapshot(`
      [
        "strategies/b.yml:1:1: is not read: names of strategy files end in .yaml → rename it",
        "strategies/c.YAML:1:1: is not read: names of strategy files end in .yaml → rename it",
      ]
    `);
  });

  it('is refused when it is empty or not there', () => {
    expect(faultsOf({ 'notes.txt': 'none yet' })).toMatchInlineSnapshot(
      `"strategies:1:1: holds no *.yaml file: without a strategy nothing is ever bought → put a strategy there"`,
    );
    expect(namesOf(join(folderWith(), 'nowhere'))).toMatchInlineSnapshot(`
      [
        "strategies:1:1: there is no such folder → put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: EXAMPLES",
      ]
    `);
    expect(namesOf(join(folderWith({ 'a.yaml': redline }), 'a.yaml'))).toMatchInlineSnapshot(`
      [
        "strategies:1:1: is not a folder → put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: EXAMPLES",
      ]
    `);
  });

  it('is refused when two of its strategies have one name', () => {
    expect(faultsOf({ 'a.yaml': redline, 'b.yaml': `# again\n${redline}` })).toMatchInlineSnapshot(
      `"strategies/b.yaml:2:7: name: is the name of strategies/a.yaml too → give each strategy a name of its own"`,
    );
  });

  it('is refused when a strategy has the name of purchases by hand', () => {
    expect(faultsOf({ 'a.yaml': redline.replace('redline', 'by-hand') })).toMatchInlineSnapshot(
      `"strategies/a.yaml:1:7: name: is kept for purchases by hand → choose another name"`,
    );
  });

  it('is refused as a whole when one of its files cannot be read', () => {
    const folder = folderWith({ 'a.yaml': redline });
    mkdirSync(join(folder, 'b.yaml'));
    symlinkSync(join(folder, 'nowhere.yaml'), join(folder, 'c.yaml'));
    symlinkSync(join(folder, 'd.yaml'), join(folder, 'd.yaml'));
    writeFileSync(join(folder, 'e.yaml'), Buffer.from([0x6e, 0xff, 0xfe]));
    expect(namesOf(folder)).toMatchInlineSnapshot(`
      [
        "strategies/b.yaml:1:1: is a folder, not a file",
        "strategies/c.yaml:1:1: there is no such file → check the path: it is relative to the folder that you are in",
        "strategies/d.yaml:1:1: is a link that leads nowhere",
        "strategies/e.yaml:1:2: is not UTF-8 text → save it as UTF-8",
      ]
    `);
  });

  it.skipIf(process.getuid?.() === 0)('is refused when a file may not be read', () => {
    const folder = folderWith({ 'a.yaml': redline });
    chmodSync(join(folder, 'a.yaml'), 0);
    expect(namesOf(folder)).toEqual(['strategies/a.yaml:1:1: may not be read by this user → check its owner and permissions']);
  });
});

describe('a strategy file', () => {
  it('has its faults placed by line and column', () => {
    const text = `# mine
name: Redline
wehn: { name: x }
when:
  name: [AK-47 | Redline*, *Howl*]
  wear: { min: 0.15, bellow: 0.18 }
  paintSeed: 420
price:
  max: 5,00
limits:
  spend: { day: }
`;
    expect(faultsOf({ 'a.yaml': text })).toMatchInlineSnapshot(`
      "strategies/a.yaml:2:7: name: must be a name of a-z, 0-9 and -, at most 64 characters; found the text "Redline" → write redline
      strategies/a.yaml:3:1: wehn: no such key here; allowed: name, mode, priority, doppler, watch, when, price, limits → write when
      strategies/a.yaml:5:28: when.name[1]: *Howl* is read by YAML as an alias → put it in quotes: "*Howl*"
      strategies/a.yaml:6:22: when.wear.bellow: no such key here; allowed: min, max, above, below → write below
      strategies/a.yaml:7:14: when.paintSeed: must be a list of paint seeds from 0 to 1000, such as [661, 670], or a range, such as { min: 1, max: 20 }; found the number 420 → put it in brackets: [420]
      strategies/a.yaml:9:8: price.max: must be an amount in dollars above 0, such as 12.50; found the text "5,00" → write 5.00
      strategies/a.yaml:11:12: limits.spend.day: is empty → write a value, or remove the key"
    `);
  });

  it('is refused with text that YAML reads as something else', () => {
    const text =
      'name: 0420\nwhen:\n  name:\n    - M4A4 | #1 fan\n    - 1e9\n    - 0x12ab\n  charm: !mine x\nprice: { max: 1 }\n';
    expect(faultsOf({ 'a.yaml': text.replace('!mine ', '') })).toMatchInlineSnapshot(`
      "strategies/a.yaml:1:7: name: 0420 is read by YAML as the number 420 → write "0420" in quotes for the text, or 420 for the number
      strategies/a.yaml:4:7: when.name[0]: is cut at the #: a # after a blank begins a comment, so only M4A4 | is left → put it in quotes: "M4A4 | #1 fan"; a comment needs a blank after its #
      strategies/a.yaml:5:7: when.name[1]: 1e9 is read by YAML as the number 1000000000 → write "1e9" in quotes for the text, or 1000000000 for the number
      strategies/a.yaml:6:7: when.name[2]: 0x12ab is read by YAML as the number 4779 → write "0x12ab" in quotes for the text, or 4779 for the number"
    `);
    expect(faultsOf({ 'a.yaml': text })).toMatchInlineSnapshot(
      `"strategies/a.yaml:7:10: a value begins with "!", which YAML reads as a tag → put the value in quotes: "…""`,
    );
  });

  it('keeps ${…} as text, since the environment belongs to the configuration', () => {
    const folder = folderWith({ 'a.yaml': redline.replace('AK-47', '${HOME}') });
    expect(namesOf(folder)).toEqual(['redline']);
  });

  it('has its warnings placed too', () => {
    const loaded = loadStrategies(
      folderWith({ 'a.yaml': 'name: seeds\nwhen:\n  paintSeed: [661]\nprice: { max: 20 }' }),
      'strategies',
    );
    expect(loaded.warnings.map(formatFault)).toMatchInlineSnapshot(`
      [
        "strategies/a.yaml:3:14: when.paintSeed: stands without a name, but a seed means something only for one weapon and finish → add a name",
        "strategies/a.yaml:4:19: does not end with a line break, so its end may have been cut off → look at its end, and add a line break",
      ]
    `);
  });
});
