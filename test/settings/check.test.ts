import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../../src/settings/check.ts';
import { type FileFault, faultJson, formatFault } from '../../src/settings/file-fault.ts';
import { packagedStrategies } from '../../src/settings/strategies.ts';
import { folderWith, smallest, someEnvironment } from './written.ts';

const redline = 'name: redline\nwhen: { name: "AK-47 | Redline*" }\nprice: { max: 20 }\n';
const good = { 'magpie.yaml': smallest, 'strategies/a.yaml': redline };

const shown = (fault: FileFault): string => formatFault(fault).replaceAll(packagedStrategies, 'EXAMPLES');

function check(
  files: Readonly<Record<string, string>>,
  request: { files?: string[]; config?: string; strategies?: string } = {},
) {
  const { files: named = [], ...rest } = request;
  const report = checkFiles({ files: named, env: someEnvironment, cwd: folderWith(files), ...rest });
  return { ...report, faults: report.faults.map(shown), warnings: report.warnings.map(formatFault) };
}

describe('a check', () => {
  it('without files looks at the configuration and its strategies', () => {
    expect(check(good, { config: 'magpie.yaml' })).toEqual({
      ok: true,
      faults: [],
      warnings: [],
      notices: [],
      checked: ['magpie.yaml', 'strategies'],
      counts: { configurations: 1, strategies: 1, sweeps: 0 },
    });
  });

  it('tells a strategy that is a list or bare text how one begins, and a configuration likewise', () => {
    const lists = { 'magpie.yaml': '- mode: live\n', 'a.yaml': '- name: a\n' };
    expect(check(lists, { config: 'magpie.yaml' }).faults).toMatchInlineSnapshot(`
      [
        "magpie.yaml:1:1: must be a map of keys and values → begin with a line such as \`mode: dry-run\`",
      ]
    `);
    expect(check(lists, { files: ['a.yaml'] }).faults).toMatchInlineSnapshot(`
      [
        "a.yaml:1:1: must be a map of keys and values → begin with a line such as \`name: my-strategy\`",
      ]
    `);
    const list = { ...good, 'strategies/a.yaml': 'just words\n' };
    expect(check(list, { config: 'magpie.yaml' }).faults).toMatchInlineSnapshot(`
      [
        "strategies/a.yaml:1:1: must be a map of keys and values → begin with a line such as \`name: my-strategy\`",
      ]
    `);
  });

  it('without anything looks at what comes with Magpie, and finds nothing', () => {
    const report = check({});
    expect(report).toMatchObject({ ok: true, faults: [] });
    expect(report.checked).toEqual([resolve('config/sandbox.yaml'), resolve('strategies')]);
  });

  it('asks for no strategies where a file is of a treasury alone, and looks at those that are there', () => {
    const treasury = 'service: { baseUrl: "https://api.example" }\ntreasury: { floor: 1, target: 2, children: [] }\n';
    const texts = (files: Record<string, string>): readonly string[] => {
      const { faults, warnings } = check(files, { config: 'magpie.yaml' });
      return [...faults, ...warnings];
    };
    const alone = texts({ 'magpie.yaml': treasury });
    expect(alone.filter((text) => /no such folder|account\.apiKey/.test(text))).toEqual([]);
    const beside = texts({ 'magpie.yaml': treasury, 'strategies/a.yaml': redline.replace('max', 'mux') });
    expect(beside).toContainEqual(expect.stringContaining('strategies/a.yaml:3:10: price.mux'));
    const buyer = texts({ 'magpie.yaml': `${treasury}limits: { maxPrice: 1 }\n` });
    expect(buyer).toContainEqual(expect.stringContaining('there is no such folder'));
  });

  it('looks at the strategies even when the configuration is wrong', () => {
    const files = { 'magpie.yaml': `${smallest}mode: Live\n`, 'strategies/a.yaml': redline.replace('max', 'mux') };
    expect(check(files, { config: 'magpie.yaml' }).faults).toMatchInlineSnapshot(`
      [
        "magpie.yaml:3:7: mode: must be one of dry-run, live; found the text "Live" → write live",
        "strategies/a.yaml:3:10: price.mux: no such key here; allowed: max, maxOfSteam, minProfit, steamFee, maxOfMedian, belowFloor → write max",
      ]
    `);
  });

  it('of a configuration whose strategies are not there or empty is a fault', () => {
    expect(check({ 'magpie.yaml': smallest }, { config: 'magpie.yaml' }).faults).toMatchInlineSnapshot(`
      [
        "magpie.yaml:1:1: strategies: strategies: there is no such folder → put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: EXAMPLES",
      ]
    `);
    expect(check({ 'magpie.yaml': smallest, 'strategies/notes.txt': '' }, { config: 'magpie.yaml' }).faults)
      .toMatchInlineSnapshot(`
      [
        "magpie.yaml:1:1: strategies: strategies: holds no *.yaml file: without a strategy nothing is ever bought → put a strategy there",
      ]
    `);
  });

  it('has that fault where the folder was named: by a key, by one of an account, or on the command line', () => {
    const said = (text: string, strategies?: string): unknown =>
      check({ 'magpie.yaml': text }, { config: 'magpie.yaml', strategies }).faults.filter((fault) =>
        fault.includes('such folder'),
      );
    const told = (next: string): unknown => [
      expect.stringMatching(`there is no such folder → put your strategies there, or name another folder by ${next};`),
    ];
    const named = said(`${smallest}strategies: ./nothere\n`);
    expect(named).toEqual(told('the key `strategies`'));
    expect(named).toEqual([expect.stringContaining('magpie.yaml:3:13: strategies: nothere: ')]);
    const accounts = 'service: { sandbox: {} }\naccounts:\n  anna: {}\n  bert: { strategies: ./his }\n';
    expect(said(accounts)).toEqual([
      expect.stringContaining('magpie.yaml:1:1: strategies: strategies: '),
      expect.stringContaining('magpie.yaml:4:23: accounts.bert.strategies: his: '),
    ]);
    const given = said(`${smallest}strategies: ./nothere\n`, 'gone');
    expect(given).toEqual(told('--strategies'));
    expect(given).toEqual([expect.stringMatching(/^--strategies: gone: /)]);
  });

  it('warns of a price that the account never lets through, at its place', () => {
    const files = { 'magpie.yaml': `${smallest}limits: { maxPrice: 15 }\n`, 'strategies/a.yaml': redline };
    expect(check(files, { config: 'magpie.yaml' })).toMatchObject({
      ok: true,
      warnings: [
        'strategies/a.yaml:3:15: price.max: is 20, but limits.maxPrice of the configuration lets nothing cost more than 15 → write 15 or less, or raise limits.maxPrice',
      ],
    });
    expect(
      check({ ...files, 'magpie.yaml': `${smallest}limits: { maxPrice: 20 }\n` }, { config: 'magpie.yaml' }).warnings,
    ).toEqual([]);
  });

  it('warns of the examples in a live configuration for a real account, and only there', () => {
    const live = `${smallest.replace('account: {', 'account: { tradeUrl: "${MAGPIE_TRADE_URL}",')}limits: { maxPrice: 500, spend: { day: 5000 } }\n`;
    const example = (name: string): string => readFileSync(join(packagedStrategies, `${name}.yaml`), 'utf8');
    const strategies = {
      'strategies/own.yaml': redline,
      'strategies/fade.yaml': example('fade-95'),
      'strategies/knives.yaml': example('knives-and-gloves'),
      'strategies/paper.yaml': example('stickers-on-paper'),
      'strategies/mine.yaml': `${example('doppler-knives')}# looked at\n`,
    };
    const warnings = (mode: string): unknown =>
      check({ ...strategies, 'magpie.yaml': `${live}mode: ${mode}\n` }, { config: 'magpie.yaml' }).warnings;
    expect(warnings('live')).toMatchInlineSnapshot(`
      [
        "strategies:1:1: fade-95, knives-and-gloves are examples that come with Magpie, unchanged: live, with your money → keep those that you want, as your own: with your prices and limits",
      ]
    `);
    expect(warnings('dry-run')).toEqual([]);
  });

  it('warns of a kind of item that nobody lists', () => {
    const files = { 'magpie.yaml': smallest, 'strategies/a.yaml': redline.replace('when: {', 'when: { type: [riffle, knife],') };
    expect(check(files, { config: 'magpie.yaml' })).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/when\.type\[0\]: "riffle" is no type that is known here; .* → write "rifle"$/)],
    });
  });

  it('tells configurations, strategies and folders apart by what they hold', () => {
    const files = {
      ...good,
      'other/limits.yaml': 'mode: live\nlimits: { maxPrice: x }\n',
      'other/named.yaml': 'name: x\nmode: live\nlimits: { spend: { day: 5 } }\n',
    };
    const report = check(files, { files: ['magpie.yaml', 'other/limits.yaml', 'other/named.yaml', 'strategies', 'magpie.yaml'] });
    expect(report.checked).toEqual(['magpie.yaml', 'strategies', 'other/limits.yaml', 'other/strategies', 'other/named.yaml']);
    expect(report.faults).toMatchInlineSnapshot(`
      [
        "other/limits.yaml:1:1: strategies: other/strategies: there is no such folder → put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: EXAMPLES",
        "other/limits.yaml:2:21: limits.maxPrice: must be an amount in US dollars, from 0 to 10000000; found the text "x"",
        "other/named.yaml:1:1: price: is missing; it must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price",
      ]
    `);
  });

  it('takes another folder of strategies than the configuration names', () => {
    expect(check({ ...good, 'mine/b.yaml': redline }, { config: 'magpie.yaml', strategies: 'mine' }).checked).toEqual([
      'magpie.yaml',
      'mine',
    ]);
  });

  it('of a file that is not there is a fault', () => {
    expect(check(good, { files: ['nowhere.yaml'] }).faults).toMatchInlineSnapshot(`
      [
        "nowhere.yaml:1:1: there is no such file → check the path: it is relative to the folder that you are in",
      ]
    `);
  });

  it('names an unset variable of the environment', () => {
    const { faults, ok } = check(
      { ...good, 'magpie.yaml': smallest.replace('http://127.0.0.1:4010', '${ADDRESS}') },
      { config: 'magpie.yaml' },
    );
    expect({ ok, faults }).toMatchInlineSnapshot(`
      {
        "faults": [
          "magpie.yaml:1:21: service.baseUrl: the environment variable ADDRESS is not set → set ADDRESS, or give a default: \${ADDRESS:-text}",
        ],
        "ok": false,
      }
    `);
  });

  it('gives each fault to programs with every field', () => {
    const report = checkFiles({
      files: [],
      config: 'magpie.yaml',
      env: {},
      cwd: folderWith({ ...good, 'magpie.yaml': `${smallest}mode: nonsense\n` }),
    });
    expect(report.faults.map(faultJson)).toMatchInlineSnapshot(`
      [
        {
          "column": 7,
          "file": "magpie.yaml",
          "line": 3,
          "message": "must be one of dry-run, live; found the text "nonsense"",
          "path": "mode",
          "suggestion": null,
        },
      ]
    `);
  });

  it('shows hostile names without what could move a cursor', () => {
    const report = check(
      { ...good, 'magpie.yaml': `${smallest}"\\e[31mred\\u202E": 1\nmode: "\\e[2J"\n` },
      { config: 'magpie.yaml' },
    );
    expect(report.faults).toMatchInlineSnapshot(`
      [
        "magpie.yaml:3:1: ["\\u001b[31mred\\u202e"]: no such key; allowed: mode, service, account, accounts, feed, rate, limits, strategies, data, web, watch, log, recording, reconcile, alerts, dryRun, notify, metrics, webhooks, deadMan, reference, treasury, reload, decisions, backup, disk",
        "magpie.yaml:4:7: mode: must be one of dry-run, live; found the text "\\e[2J"",
      ]
    `);
  });
});
