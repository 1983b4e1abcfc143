import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { micros } from '../../src/domain/money.ts';
import { formatFault } from '../../src/settings/file-fault.ts';
import { loadLocalSettings, loadSettings } from '../../src/settings/load.ts';
import { faultsOf, folderWith, load, warningsOf } from './written.ts';

const tradeUrl = (partner: number): string => `https://steamcommunity.com/tradeoffer/new/?partner=${partner}&token=AbCdEfGh`;

const platform = `service: { baseUrl: "http://127.0.0.1:4010" }
account: { partnerKey: top-key-of-the-operator, dedicated: true }
limits: { maxPrice: 50, spend: { day: 100, total: 900 }, never: ["Souvenir *"] }
accounts:
  anna: { apiKey: key-of-anna, tradeUrl: "${tradeUrl(1)}", limits: { spend: { day: 20 }, never: ["* Case"] }, strategies: ./for-anna }
  bert-2: { apiKey: key-of-bert, tradeUrl: "${tradeUrl(2)}", mode: dry-run, dedicated: false, rate: { buys: { perSecond: 1 } } }
mode: live
`;

describe('the accounts of a configuration', () => {
  it('are each what the top says, joined with what stands below their name', () => {
    const cwd = folderWith({ 'magpie.yaml': platform });
    const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd });
    if (!loaded.ok) throw new Error(loaded.faults.map(formatFault).join('\n'));
    const [anna, bert] = loaded.each;
    expect(loaded.settings).toMatchObject({ account: undefined, accountNames: ['anna', 'bert-2'], data: join(cwd, 'data') });
    expect(anna).toMatchObject({
      account: 'anna',
      mode: 'live',
      dedicated: true,
      strategies: join(cwd, 'for-anna'),
      data: join(cwd, 'data/accounts/anna'),
      recordingFolder: join(cwd, 'data'),
      limits: { maxPrice: micros(50_000_000), spend: { day: micros(20_000_000), total: micros(900_000_000) }, never: ['* Case'] },
    });
    expect(bert).toMatchObject({
      account: 'bert-2',
      mode: 'dry-run',
      dedicated: false,
      rate: { reads: { perSecond: 4 }, buys: { perSecond: 1, concurrent: 1 } },
      limits: { spend: { day: micros(100_000_000) }, never: ['Souvenir *'] },
    });
    const keys = loaded.each.map(({ service }) => (service.kind === 'remote' ? service.account : undefined));
    expect(keys.map((account) => account?.apiKey.reveal())).toEqual(['key-of-anna', 'key-of-bert']);
    expect(keys.map((account) => account?.partnerKey.reveal())).toEqual(['top-key-of-the-operator', 'top-key-of-the-operator']);
    const hidden = new Set(bert?.secrets.map((secret) => secret.reveal()));
    expect([...hidden]).toEqual(expect.arrayContaining(['key-of-anna', 'key-of-bert', 'top-key-of-the-operator']));
  });

  it('are asked for by name, with the folder of their own', () => {
    const cwd = folderWith({ 'magpie.yaml': platform });
    const of = (account: string): ReturnType<typeof loadSettings> =>
      loadSettings({ file: 'magpie.yaml', env: {}, cwd, account, overrides: { data: 'elsewhere' } });
    const bert = of('bert-2');
    expect(bert.ok && bert.settings.data).toBe(join(cwd, 'elsewhere/accounts/bert-2'));
    const stranger = of('bert');
    expect(stranger.ok ? '' : stranger.faults.map(formatFault).join('\n')).toMatchInlineSnapshot(
      `"--account: no account is called bert; those of magpie.yaml are: anna, bert-2 → --account bert-2"`,
    );
  });

  it('are not asked for where the configuration is for one', () => {
    const cwd = folderWith({ 'magpie.yaml': 'service: { sandbox: {} }\n' });
    const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd, account: 'anna' });
    expect(loaded.ok ? '' : loaded.faults.map(formatFault).join('\n')).toMatchInlineSnapshot(
      `"--account: magpie.yaml has no \`accounts\`: it is for one account, and --account anna means none → leave --account out"`,
    );
  });

  it('have a key each, which is nobody else’s, and no message repeats it', () => {
    const text = platform.replace('key-of-bert', 'key-of-anna');
    expect(faultsOf(text)).toMatchInlineSnapshot(
      `"magpie.yaml:6:21: accounts.bert-2.apiKey: is the same key as accounts.anna.apiKey: a key belongs to one account → give each account the child key of its own merchant"`,
    );
    expect(faultsOf(platform.replace('key-of-bert', '${SAME}'), { SAME: 'top-key-of-the-operator' })).toContain(
      'accounts.bert-2.apiKey: is the same key as account.partnerKey',
    );
    expect(warningsOf(platform.replace(tradeUrl(2), tradeUrl(1)))).toContain(
      'accounts.bert-2.tradeUrl: is the same trade URL as that of accounts.anna',
    );
  });

  it('stand beside no key of the top that buys, whoever brings it', () => {
    const text = platform.replace('dedicated: true', `apiKey: one-too-many, tradeUrl: "${tradeUrl(3)}"`);
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:2:57: account.apiKey: cannot stand beside \`accounts\`, each of which has its own → move it below the account that it belongs to, or unset MAGPIE_API_KEY
      magpie.yaml:2:81: account.tradeUrl: cannot stand beside \`accounts\`, each of which has its own → move it below the account that it belongs to, or unset MAGPIE_TRADE_URL"
    `);
    expect(faultsOf(platform, { MAGPIE_API_KEY: 'from-the-environment' })).toMatchInlineSnapshot(
      `"magpie.yaml:2:1: account.apiKey: cannot stand beside \`accounts\`, each of which has its own → move it below the account that it belongs to, or unset MAGPIE_API_KEY"`,
    );
  });

  it('need what live mode needs, each for itself, and a top-level key for all', () => {
    const text = platform
      .replace('partnerKey: top-key-of-the-operator, ', '')
      .replace('apiKey: key-of-anna, ', '')
      .replace('maxPrice: 50, ', '');
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:2:1: account.partnerKey: is missing: with \`accounts\` the live listings and market health are read for all of them with a top-level key → write \`partnerKey: \${MAGPIE_PARTNER_KEY}\` below account
      magpie.yaml:5:3: accounts.anna.apiKey: is missing: live mode needs the key of the account → write \`apiKey: \${ANNA_API_KEY}\` below accounts.anna
      magpie.yaml:5:92: accounts.anna.limits.maxPrice: is missing: live mode needs a cap for one purchase → write \`maxPrice: 50\` below limits"
    `);
  });

  it('are refused with names that no folder and no option could have', () => {
    const text = platform.replace('anna:', '"../anna":').replace('bert-2:', 'Bert:');
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:5:3: accounts["../anna"]: an account is named by a-z, 0-9 and -, at most 40 characters, beginning and ending with no -
      magpie.yaml:6:3: accounts.Bert: an account is named by a-z, 0-9 and -, at most 40 characters, beginning and ending with no -"
    `);
    expect(faultsOf('service: { sandbox: {} }\naccounts: {}\n')).toContain('accounts: must be');
  });

  it('are refused with keys that an account has not, and with values of another kind', () => {
    const text = platform.replace('strategies: ./for-anna', 'web: { port: 1 }').replace('spend: { day: 20 }', 'maxPrise: "20"');
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:5:123: accounts.anna.limits.maxPrise: no such key; allowed: maxPrice, spend, perItem, never, reserve, openPurchases, unknown, breaker → write maxPrice
      magpie.yaml:5:160: accounts.anna.web: no such key; allowed: apiKey, tradeUrl, dedicated, mode, strategies, limits, rate, reconcile, alerts"
    `);
  });

  it('take keys from the environment, and may lack them where nothing is sent', () => {
    const text = platform.replace('key-of-anna', '${ANNA_KEY}');
    expect(faultsOf(text)).toContain('the environment variable ANNA_KEY is not set');
    expect(faultsOf(text, { ANNA_KEY: 'key-from-there' })).toBe('');
    const cwd = folderWith({ 'magpie.yaml': text });
    const local = loadLocalSettings({ file: 'magpie.yaml', env: {}, cwd, account: 'anna' });
    expect(local.ok && local.settings.data).toBe(join(cwd, 'data/accounts/anna'));
  });

  it('have a folder that a halt finds even where the configuration is faulty', () => {
    const cwd = folderWith({ 'magpie.yaml': platform.replace('maxPrice: 50', 'maxPrice: much') });
    const loaded = loadLocalSettings({ file: 'magpie.yaml', env: {}, cwd, account: 'anna' });
    expect(loaded).toMatchObject({ ok: false, data: join(cwd, 'data/accounts/anna'), accountNames: ['anna', 'bert-2'] });
  });

  it('buy on the embedded exchange with its own keys, whatever the file says', () => {
    const loaded = load(platform.replace('{ baseUrl: "http://127.0.0.1:4010" }', '{ sandbox: {} }'));
    expect(loaded.ok && loaded.notices.join('\n')).toContain('accounts.anna.apiKey, accounts.anna.tradeUrl');
    expect(loaded.ok && loaded.each.map(({ service }) => service.kind)).toEqual(['sandbox', 'sandbox']);
  });
});
