import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYaml } from '../../src/settings/yaml-document.ts';
import { faultsOf, settingsOf, smallest } from './written.ts';

describe('a configuration that YAML would read otherwise than a person', () => {
  it('is refused with a key that stands twice, also in a block [C2]', () => {
    expect(faultsOf(`${smallest}mode: dry-run\nmode: live\nfeed: { interval: 1s, interval: 2s }\n`)).toMatchInlineSnapshot(`
      "magpie.yaml:4:1: mode: stands twice; first in line 3 → remove one of them
      magpie.yaml:5:23: feed.interval: stands twice; first in line 5 → remove one of them"
    `);
  });

  it('is refused with an empty value, however it is spelt [C6 configuration-2]', () => {
    expect(faultsOf(`${smallest}limits:\n  maxPrice:\n  reserve: ~\n  unknown: null\n  never:\n    - \n    - "a b"\nweb:\n`))
      .toMatchInlineSnapshot(`
      "magpie.yaml:4:3: limits.maxPrice: is empty → write a value, or remove the key
      magpie.yaml:5:12: limits.reserve: is empty (~) → write a value, or remove the key
      magpie.yaml:6:12: limits.unknown: is empty (null) → write a value, or remove the key
      magpie.yaml:8:5: limits.never[0]: is empty → write a value, or remove the key
      magpie.yaml:10:1: web: is empty → write a value, or remove the key"
    `);
  });

  it('is refused with a name that a comment cuts, and told of the quotes [configuration-4]', () => {
    expect(faultsOf(`${smallest}limits:\n  never:\n    - M4A4 | #1 fan\n    - M4A4 | # 1 fan\n    - AK-47 #4\n`))
      .toMatchInlineSnapshot(`
      "magpie.yaml:5:7: limits.never[0]: is cut at the #: a # after a blank begins a comment, so only M4A4 | is left → put it in quotes: "M4A4 | #1 fan"; a comment needs a blank after its #
      magpie.yaml:6:7: limits.never[1]: is cut at the #: a # after a blank begins a comment, so only M4A4 | is left → put it in quotes: "M4A4 | # 1 fan"; a comment needs a blank after its #
      magpie.yaml:7:7: limits.never[2]: is cut at the #: a # after a blank begins a comment, so only AK-47 is left → put it in quotes: "AK-47 #4"; a comment needs a blank after its #"
    `);
  });

  it('is refused with a list that a comment cuts, and told of the quotes', () => {
    expect(faultsOf(`${smallest}limits:\n  never: [M4A4 | #1 fan]\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:5:1: is not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ] → a # after a blank begins a comment: put the text around it in quotes"`,
    );
  });

  it('may have comments after its values', () => {
    const text = `${smallest}feed: # how often\n  interval: 2s #each\nlimits:\n  reserve: 5 #dollars\n  never: # names\n    - "a #1" #quoted\n    - plain # text\n`;
    expect(settingsOf(text)).toMatchObject({
      feed: { intervalMs: 2000 },
      limits: { reserve: 5_000_000, never: ['a #1', 'plain'] },
    });
  });

  it('is refused with numbers that are not written in plain digits [C4 money-13]', () => {
    const text = `${smallest}limits:\n  maxPrice: .inf\n  reserve: .NaN\n  openPurchases: 0x10\n  unknown: 010\n  spend: { hour: 1e3, day: 0o17, total: -.inf }\n`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:4:13: limits.maxPrice: .inf is no number that can be counted with → write a plain number, or remove the key
      magpie.yaml:5:12: limits.reserve: .NaN is no number that can be counted with → write a plain number, or remove the key
      magpie.yaml:6:18: limits.openPurchases: 0x10 is read by YAML as the number 16 → write "0x10" in quotes for the text, or 16 for the number
      magpie.yaml:7:12: limits.unknown: 010 is read by YAML as the number 10 → write "010" in quotes for the text, or 10 for the number
      magpie.yaml:8:18: limits.spend.hour: 1e3 is read by YAML as the number 1000 → write "1e3" in quotes for the text, or 1000 for the number
      magpie.yaml:8:28: limits.spend.day: 0o17 is read by YAML as the number 15 → write "0o17" in quotes for the text, or 15 for the number
      magpie.yaml:8:41: limits.spend.total: -.inf is no number that can be counted with → write a plain number, or remove the key"
    `);
  });

  it('is refused with ids and names that YAML reads as numbers [configuration-5]', () => {
    expect(faultsOf(`${smallest}limits:\n  never: [0x12ab, 1e9, 0420, 420, 12345678901234567890, true]\n`))
      .toMatchInlineSnapshot(`
      "magpie.yaml:4:11: limits.never[0]: 0x12ab is read by YAML as the number 4779 → write "0x12ab" in quotes for the text, or 4779 for the number
      magpie.yaml:4:19: limits.never[1]: 1e9 is read by YAML as the number 1000000000 → write "1e9" in quotes for the text, or 1000000000 for the number
      magpie.yaml:4:24: limits.never[2]: 0420 is read by YAML as the number 420 → write "0420" in quotes for the text, or 420 for the number
      magpie.yaml:4:30: limits.never[3]: must be a text: names, with * and ? for anything; found 420 → put it in quotes: "420"
      magpie.yaml:4:35: limits.never[4]: 12345678901234567890 has more digits than a number keeps → write "12345678901234567890" in quotes for the text
      magpie.yaml:4:57: limits.never[5]: must be a text: names, with * and ? for anything; found true → put it in quotes: "true""
    `);
  });

  it('is refused with aliases, anchors, tags and merge keys [C7 C8 C9 S24 S28 configuration-6]', () => {
    expect(faultsOf(`${smallest}limits: &mine\n  never: [*Redline*, "b"]\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:4:3: limits: an anchor (&) stands before the value → remove it, or put the value in quotes"`,
    );
    expect(faultsOf(`${smallest}limits:\n  never: [*Redline*, &b "b", !!str c]\n  <<: { maxPrice: 5 }\n`)).toMatchInlineSnapshot(`
      "magpie.yaml:4:11: limits.never[0]: *Redline* is read by YAML as an alias → put it in quotes: "*Redline*"
      magpie.yaml:4:25: limits.never[1]: an anchor (&) stands before the value → remove it, or put the value in quotes
      magpie.yaml:4:36: limits.never[2]: a tag (!) stands before the value → remove it, or put the value in quotes
      magpie.yaml:5:3: limits["<<"]: merge keys are not followed → write the values out"
    `);
    expect(faultsOf(`${smallest}data: !mine ./data\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:7: a value begins with "!", which YAML reads as a tag → put the value in quotes: "…""`,
    );
  });

  it('is refused with several documents or a directive [C9]', () => {
    expect(faultsOf(`${smallest}---\nmode: live\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:4:1: holds more than one document → remove the line --- or ... between them"`,
    );
    expect(faultsOf(`${smallest}...\nmode: live\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:4:1: holds more than one document → remove the line --- or ... between them"`,
    );
    expect(faultsOf(`%YAML 1.1\n---\n${smallest}`)).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: holds a directive → remove the line that begins with %"`,
    );
    expect(faultsOf(`%FOO bar\n---\n${smallest}`)).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: is not valid YAML: unknown directive %FOO"`,
    );
  });

  it('is refused with keys that are no plain words [C10 S17]', () => {
    const text = `${smallest}__proto__: { mode: live }\nconstructor: 1\nprototype: 1\ntoString: 1\n5: x\ntrue: y\n? [a]\n: z\n`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:3:1: __proto__: is no key of Magpie → remove it
      magpie.yaml:4:1: constructor: is no key of Magpie → remove it
      magpie.yaml:5:1: prototype: is no key of Magpie → remove it
      magpie.yaml:6:1: toString: no such key; allowed: mode, service, account, accounts, feed, rate, limits, strategies, data, web, watch, log, recording, reconcile, alerts, dryRun, notify, metrics, webhooks, deadMan, reference, treasury, reload, decisions, backup, disk
      magpie.yaml:7:1: 5: the key 5 is read by YAML as no text → put it in quotes: "5"
      magpie.yaml:8:1: true: the key true is read by YAML as no text → put it in quotes: "true"
      magpie.yaml:9:3: ["?"]: a key must be a plain word"
    `);
    expect(({} as Record<string, unknown>)['mode']).toBeUndefined();
  });

  it('is refused when it is empty, no map, or no YAML', () => {
    expect(faultsOf('')).toMatchInlineSnapshot(`"magpie.yaml:1:1: is empty → write at least one key"`);
    expect(faultsOf('# only this\n')).toMatchInlineSnapshot(`"magpie.yaml:1:1: is empty → write at least one key"`);
    expect(faultsOf('- mode\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: must be a map of keys and values → begin with a line such as \`mode: dry-run\`"`,
    );
    expect(faultsOf('mode\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: must be a map of keys and values → begin with a line such as \`mode: dry-run\`"`,
    );
    expect(faultsOf('mode: live: really\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:7: a value holds ": ", which begins a new key → put the value in quotes: "…""`,
    );
    expect(faultsOf('data: "./data\nmode: live\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:7: a quote opens here and is never closed → close it"`,
    );
    expect(faultsOf("data: 'it\nmode: live\n")).toMatchInlineSnapshot(
      `"magpie.yaml:1:7: a quote opens here and is never closed → close it"`,
    );
    expect(faultsOf('feed: { interval: 1s\nmode: live\n')).toMatchInlineSnapshot(
      `"magpie.yaml:2:1: is not valid YAML: flow map in block collection must be sufficiently indented and end with a }"`,
    );
    expect(faultsOf('feed:\n\tinterval: 1s\n')).toMatchInlineSnapshot(
      `"magpie.yaml:2:1: is indented with a tab → indent with spaces"`,
    );
    expect(faultsOf('data: @home\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:7: a value begins with a character that YAML keeps for itself → put the value in quotes: "…""`,
    );
    expect(faultsOf('data: "\ue000"\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:8: holds a private-use character, which no name has → remove it"`,
    );
  });

  it('does not bring the process down by nesting, and is refused [C8 S24]', () => {
    expect(faultsOf(`a: ${'['.repeat(200_000)}`)).toMatchInlineSnapshot(`"magpie.yaml:1:36: is nested deeper than 32 levels"`);
    expect(faultsOf(`a:\n  ${'- '.repeat(100_000)}x\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:2:1: is nested deeper than 32 levels"`,
    );
    expect(faultsOf(`a: ${'{b: '.repeat(40_000)}`)).toMatchInlineSnapshot(`"magpie.yaml:1:132: is nested deeper than 32 levels"`);
    const staircase = Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    expect(faultsOf(staircase)).toMatchInlineSnapshot(`"magpie.yaml:102:1: is nested deeper than 32 levels"`);
  });

  it('is read in a moment even when it is made to take long [C8 S24]', () => {
    const many = Array.from({ length: 25_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(faultsOf(`${many}\n`).split('\n')).toHaveLength(100);
    expect(faultsOf('k: 1\n'.repeat(40_000)).split('\n')).toHaveLength(100);
    expect(faultsOf(`a: [${'0x1, '.repeat(40_000)}]\n`).split('\n')).toHaveLength(100);
    expect(faultsOf(`a: "${'\\x41'.repeat(60_000)}"\n`)).toMatch(/no such key/);
  });
});

describe('reading YAML', () => {
  it('never throws, and places every fault inside the text', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b: ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ',',
        ': ',
        '\n',
        '\n  ',
        ' #',
        '#x',
        '"',
        "'",
        '|',
        '>',
        '&x ',
        '*x',
        '!t ',
        '<<: ',
        '${A',
        '}',
        '~',
        '0x1',
        '1e9',
        '---\n',
        '...\n',
        '%',
        '\t',
        '\r\n',
        '? ',
        'é',
        '龍',
      ],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (written, references) => {
        const { document, faults } = readYaml(written, 'f.yaml', { references });
        expect(document !== undefined || faults.length > 0).toBe(true);
        const lines = written.split('\n');
        for (const { line, column } of faults) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('gives back every plain value, whatever the names of its keys', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\ue000-\ue07f]/.test(text)),
      fc.boolean(),
      fc.integer(),
    );
    const value = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z#:*& -]{0,8}$/), tie('tree'), { maxKeys: 4 }),
      ),
    })).tree;
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { minKeys: 1, maxKeys: 5 }), (map) => {
        const { document, faults } = readYaml(JSON.stringify(map), 'f.yaml', { references: false });
        expect(faults).toEqual([]);
        expect(JSON.parse(JSON.stringify(document?.value))).toEqual(JSON.parse(JSON.stringify(map)));
      }),
    );
  });
});
