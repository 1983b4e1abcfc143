import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrubber } from '../../src/domain/secret.ts';
import { durationMs, sizeBytes } from '../../src/settings/units.ts';
import { checkFiles } from '../../src/settings/check.ts';
import { loadSettings, packagedConfig } from '../../src/settings/load.ts';
import { folderWith, load, settingsOf, smallest, someEnvironment } from './written.ts';

/** The example of the documentation, with every key. */
const example = `mode: live
service:
  baseUrl: http://127.0.0.1:4010   # or, instead:
  # sandbox: { seed: 7, listings: 500 }
account:
  apiKey: \${MAGPIE_API_KEY}
  partnerKey: \${MAGPIE_PARTNER_KEY:-}    # optional
  dedicated: false
  tradeUrl: \${MAGPIE_TRADE_URL}
feed:
  interval: 1s
  health: { interval: 5s, require: ok, staleAfter: 15s }   # require: ok | degraded | off
rate:
  reads: { perSecond: 4, concurrent: 2 }
  buys: { perSecond: 2, concurrent: 1 }
  timeout: 10s
limits:
  maxPrice: 50
  spend: { hour: 100, day: 500, total: 5000 }
  perItem: { day: 2 }
  never: ["Souvenir *"]
  reserve: 25
  openPurchases: 200
  unknown: 1
  breaker: { refusalsInRow: 50, perHour: 1000, unusual: 10 }
strategies: ./strategies
data: ./data
web: { host: 127.0.0.1, port: 8787, token: \${MAGPIE_WEB_TOKEN} }
`;

describe('a configuration', () => {
  it('becomes settings in exact money, milliseconds and absolute paths', () => {
    const cwd = folderWith({ 'magpie.yaml': example });
    const loaded = loadSettings({ file: 'magpie.yaml', env: someEnvironment, cwd });
    expect(loaded).toMatchObject({ ok: true, notices: [], warnings: [] });
    if (!loaded.ok) return;
    const { file, strategies, data, recordingFolder: _, ...rest } = loaded.settings;
    expect([file, strategies, data]).toEqual(['magpie.yaml', 'strategies', 'data'].map((name) => join(cwd, name)));
    expect(JSON.parse(JSON.stringify(rest))).toMatchInlineSnapshot(`
      {
        "accountNames": [],
        "alerts": {
          "stuckAfterMs": 86400000,
        },
        "backup": {
          "everyMs": 86400000,
          "keep": 7,
        },
        "decisions": {
          "keepMs": 2592000000,
        },
        "dedicated": false,
        "disk": {
          "minFreeBytes": 200000000,
        },
        "feed": {
          "health": {
            "intervalMs": 5000,
            "require": "ok",
            "staleAfterMs": 15000,
          },
          "intervalMs": 1000,
          "parse": "stream",
        },
        "limits": {
          "breaker": {
            "perHour": 1000,
            "refusalsInRow": 50,
            "unusual": 10,
          },
          "maxPrice": 50000000,
          "never": [
            "Souvenir *",
          ],
          "openPurchases": 200,
          "perItem": {
            "day": 2,
          },
          "reserve": 25000000,
          "spend": {
            "day": 500000000,
            "hour": 100000000,
            "total": 5000000000,
          },
          "unknown": 1,
        },
        "log": {
          "format": "human",
          "level": "info",
        },
        "mode": "live",
        "rate": {
          "buys": {
            "concurrent": 1,
            "perSecond": 2,
          },
          "reads": {
            "concurrent": 2,
            "perSecond": 4,
          },
          "timeoutMs": 10000,
        },
        "reconcile": {
          "intervalMs": 30000,
        },
        "recording": {
          "maxAgeMs": 2592000000,
          "maxBytes": 2000000000,
        },
        "reference": {
          "days": 14,
          "fall": {
            "by": 0.1,
            "calmMs": 86400000,
            "share": 0.3,
          },
          "maxJump": 0.5,
          "minSamples": 3,
        },
        "reload": {
          "onSave": true,
        },
        "secrets": [
          "***",
          "***",
          "***",
          "***",
        ],
        "service": {
          "account": {
            "apiKey": "***",
            "partnerKey": "***",
            "tradeUrl": "***",
          },
          "baseUrl": "http://127.0.0.1:4010",
          "kind": "remote",
        },
        "settle": {
          "marginMs": 250,
          "perMinute": 30,
        },
        "web": {
          "host": "127.0.0.1",
          "port": 8787,
          "token": "***",
        },
      }
    `);
  });

  it('has the documented defaults [C17]', () => {
    const {
      file: _,
      strategies,
      data,
      recordingFolder: ____,
      service: __,
      secrets: ___,
      ...rest
    } = settingsOf('service: { baseUrl: "http://127.0.0.1:1" }\n');
    expect([strategies, data].map((path) => path.split('/').at(-1))).toEqual(['strategies', 'data']);
    expect(rest).toMatchInlineSnapshot(`
      {
        "account": undefined,
        "accountNames": [],
        "alerts": {
          "lowBalance": undefined,
          "stuckAfterMs": 86400000,
        },
        "backup": {
          "everyMs": 86400000,
          "keep": 7,
        },
        "deadMan": undefined,
        "decisions": {
          "keepMs": 2592000000,
        },
        "dedicated": false,
        "disk": {
          "minFreeBytes": 200000000,
        },
        "feed": {
          "health": {
            "intervalMs": 5000,
            "require": "ok",
            "staleAfterMs": 15000,
          },
          "intervalMs": 1000,
          "parse": "stream",
        },
        "limits": {
          "breaker": {
            "perHour": 1000,
            "refusalsInRow": 50,
            "unusual": 10,
          },
          "maxPrice": undefined,
          "never": [],
          "openPurchases": 200,
          "perItem": {},
          "reserve": 0,
          "spend": {
            "day": undefined,
            "hour": undefined,
            "total": undefined,
          },
          "unknown": 1,
        },
        "log": {
          "format": "human",
          "level": "info",
        },
        "metrics": undefined,
        "mode": "dry-run",
        "notify": undefined,
        "rate": {
          "buys": {
            "concurrent": 1,
            "perSecond": 2,
          },
          "reads": {
            "concurrent": 2,
            "perSecond": 4,
          },
          "timeoutMs": 10000,
        },
        "reconcile": {
          "intervalMs": 30000,
        },
        "recording": {
          "maxAgeMs": 2592000000,
          "maxBytes": 2000000000,
        },
        "reference": {
          "days": 14,
          "fall": {
            "by": 0.1,
            "calmMs": 86400000,
            "share": 0.3,
          },
          "maxJump": 0.5,
          "minSamples": 3,
        },
        "reload": {
          "onSave": true,
        },
        "settle": {
          "latencyMs": undefined,
          "marginMs": 250,
          "perMinute": 30,
        },
        "treasury": undefined,
        "watch": undefined,
        "web": undefined,
        "webhooks": undefined,
      }
    `);
  });

  it('keeps caps to the micro-dollar and never rounds one up', () => {
    const { limits } = settingsOf(`${smallest}limits: { maxPrice: 0.0000019, reserve: 0.0000011, spend: { day: 0.57 } }\n`);
    expect(limits).toMatchObject({ maxPrice: 1, reserve: 2, spend: { day: 570_000 } });
  });

  it('prints no secret, and names every one that must be scrubbed', () => {
    const settings = settingsOf(example, { ...someEnvironment, MAGPIE_PARTNER_KEY: 'the-top-level-key' });
    const printed = `${JSON.stringify(settings)} ${inspect(settings, { depth: 9, showHidden: true })} ${String(settings.secrets)}`;
    const secret = ['key-of-the-account', 'the-top-level-key', 'AbCdEfGh', 'token-of-the-page-0123456789'];
    for (const text of secret) expect(printed).not.toContain(text);
    expect(secret.map(scrubber(settings.secrets))).toEqual(['***', '***', '***', '***']);
  });

  it('uses the key of the account for market health where there is no other', () => {
    const { service } = settingsOf(example, someEnvironment);
    expect(service.kind === 'remote' && service.account?.partnerKey.reveal()).toBe('key-of-the-account');
  });

  it('makes the embedded exchange with its own defaults', () => {
    expect(settingsOf('service: { sandbox: { seed: 9, faults: { buyLate: 0.5 } } }\n').service).toMatchObject({
      kind: 'sandbox',
      sandbox: {
        seed: 9,
        listings: 500,
        balance: 1_000_000_000,
        speed: 1,
        faults: { buyLate: 0.5, buyCut: 0, healthDown: 0.02 },
      },
    });
  });
});

describe('the command line', () => {
  it('makes a live configuration dry-run, and a dry-run one never live [C17 money-20]', () => {
    const cwd = folderWith({ 'live.yaml': example, 'dry.yaml': smallest });
    const modeOf = (file: string, dryRun: boolean): unknown => {
      const loaded = loadSettings({ file, env: someEnvironment, cwd, overrides: { dryRun } });
      return loaded.ok && loaded.settings.mode;
    };
    expect(modeOf('live.yaml', true)).toBe('dry-run');
    expect(modeOf('live.yaml', false)).toBe('live');
    expect(modeOf('dry.yaml', false)).toBe('dry-run');
    expect(modeOf('dry.yaml', true)).toBe('dry-run');
  });

  it('names folders from where one stands, before the environment and the file', () => {
    const cwd = folderWith({ 'conf/magpie.yaml': example });
    const foldersOf = (env: Record<string, string>, overrides: { data?: string; strategies?: string }): unknown => {
      const loaded = loadSettings({ file: 'conf/magpie.yaml', env: { ...someEnvironment, ...env }, cwd, overrides });
      return loaded.ok && [loaded.settings.data, loaded.settings.strategies];
    };
    expect(foldersOf({}, {})).toEqual([join(cwd, 'conf/data'), join(cwd, 'conf/strategies')]);
    expect(foldersOf({ MAGPIE_DATA: 'elsewhere' }, {})).toEqual([join(cwd, 'elsewhere'), join(cwd, 'conf/strategies')]);
    expect(foldersOf({ MAGPIE_DATA: 'elsewhere' }, { data: '../d', strategies: 's' })).toEqual([
      resolve(cwd, '../d'),
      join(cwd, 's'),
    ]);
  });

  it('without a file takes the configuration that comes with Magpie, and keeps its data where one stands', () => {
    const cwd = folderWith();
    const loaded = loadSettings({ env: {}, cwd });
    expect(loaded.ok && loaded.settings.file).toBe(packagedConfig);
    expect(loaded.ok && loaded.settings.data).toBe(join(cwd, 'data/sandbox'));
    expect(loaded.ok && loaded.settings.strategies).toBe(resolve('strategies'));
    const moved = loadSettings({ env: { MAGPIE_DATA: 'there' }, cwd });
    expect(moved.ok && moved.settings.data).toBe(join(cwd, 'there'));
  });

  it('given that same file by name keeps its data where the file says', () => {
    const loaded = loadSettings({ file: packagedConfig, env: {}, cwd: folderWith() });
    expect(loaded.ok && loaded.settings.data).toBe(resolve('data/sandbox'));
  });
});

describe('the configurations that come with Magpie', () => {
  it('start live on play money at once, without a key', () => {
    const loaded = loadSettings({ env: {}, cwd: folderWith() });
    expect(loaded).toMatchObject({
      ok: true,
      warnings: [],
      notices: [],
      settings: { mode: 'live', service: { kind: 'sandbox' } },
    });
  });

  it('are a dry run against the real service, that goes live by its last line', () => {
    const env = { ...someEnvironment, MAGPIE_BASE_URL: 'https://api.example.com' };
    const loaded = loadSettings({ file: resolve('config/live.yaml'), env, cwd: folderWith() });
    expect(loaded).toMatchObject({
      ok: true,
      warnings: [],
      notices: [],
      settings: { mode: 'dry-run', service: { kind: 'remote' } },
    });
  });
});

describe('config/live.yaml copied to a place of the user', () => {
  const env = { ...someEnvironment, MAGPIE_BASE_URL: 'https://api.example.com' };

  it('works with the strategies and the data beside it', () => {
    const text = readFileSync(resolve('config/live.yaml'), 'utf8');
    const cwd = folderWith({ 'mine/live.yaml': text });
    const loaded = loadSettings({ file: 'mine/live.yaml', env, cwd });
    expect(loaded).toMatchObject({
      ok: true,
      settings: { strategies: join(cwd, 'mine/strategies'), data: join(cwd, 'mine/data') },
    });
  });

  it('says what to do while there are no strategies beside it', () => {
    const file = resolve('config/live.yaml');
    const { faults } = checkFiles({ files: [], config: file, env, cwd: folderWith() });
    expect(faults).toMatchObject([
      {
        message: expect.stringMatching(/strategies: there is no such folder$/) as string,
        suggestion: `put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: ${resolve('strategies')}`,
      },
    ]);
  });
});

describe('a file that cannot be read as text', () => {
  const messageOf = (loaded: ReturnType<typeof load>): unknown =>
    !loaded.ok && loaded.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);

  it('is a fault that says why', () => {
    expect(messageOf(loadSettings({ file: 'nowhere.yaml', env: {}, cwd: folderWith() }))).toMatchInlineSnapshot(`
      [
        "1:1 there is no such file",
      ]
    `);
    expect(messageOf(loadSettings({ file: 'sub', env: {}, cwd: folderWith({ 'sub/x.yaml': '' }) }))).toMatchInlineSnapshot(`
      [
        "1:1 is a folder, not a file",
      ]
    `);
    expect(messageOf(loadSettings({ file: '/dev/null', env: {}, cwd: folderWith() }))).toMatchInlineSnapshot(`
      [
        "1:1 is not a regular file",
      ]
    `);
    expect(messageOf(load(`# ${'x'.repeat(300 * 1024)}\n`))).toMatchInlineSnapshot(`
      [
        "1:1 is larger than 256 KiB",
      ]
    `);
    expect(messageOf(load('mode: dry-run\ndata: "a\0b"\n'))).toMatchInlineSnapshot(`
      [
        "2:9 holds a NUL character: it is no text file, or was damaged",
      ]
    `);
    expect(messageOf(load(Buffer.from('mode: dry-run\ndata: "\xe9"\n', 'latin1')))).toMatchInlineSnapshot(`
      [
        "2:8 is not UTF-8 text",
      ]
    `);
    expect(messageOf(load(Buffer.from('\ufeffmode: dry-run\n', 'utf16le')))).toMatchInlineSnapshot(`
      [
        "1:1 is UTF-16 text",
      ]
    `);
    expect(messageOf(load(Buffer.from('mode: dry-run\ndata: "龍', 'utf8').subarray(0, -1)))).toMatchInlineSnapshot(`
      [
        "2:8 is not UTF-8 text",
      ]
    `);
  });

  it('may begin with a byte order mark, and end its lines as Windows does', () => {
    const { limits } = settingsOf(`\ufeff${smallest}limits: { maxPrice: 5 }\n`.replaceAll('\n', '\r\n'));
    expect(limits.maxPrice).toBe(5_000_000);
  });
});

describe('a key in the file itself', () => {
  it('is warned of only where other users may read the file [C16]', async () => {
    const { chmodSync } = await import('node:fs');
    const cwd = folderWith({ 'magpie.yaml': 'service: { baseUrl: "http://127.0.0.1:1" }\naccount:\n  apiKey: in-the-open\n' });
    const warnings = (): unknown => loadSettings({ file: 'magpie.yaml', env: {}, cwd }).warnings;
    expect(warnings()).toEqual([]);
    chmodSync(join(cwd, 'magpie.yaml'), 0o644);
    expect(warnings()).toMatchInlineSnapshot(`
      [
        {
          "column": 11,
          "file": "magpie.yaml",
          "line": 3,
          "message": "stands in a file that other users of this machine may read",
          "path": "account.apiKey",
          "suggestion": "chmod 600 magpie.yaml, or take it from the environment: \${NAME}",
        },
      ]
    `);
  });
});

describe('units', () => {
  it('mean exactly what they say', () => {
    const msOf: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.constantFrom('ms', 's', 'm', 'h', 'd'), (amount, unit) => {
        expect(durationMs(`${amount}${unit}`)).toBe(amount * (msOf[unit] ?? Number.NaN));
      }),
    );
    expect(['10', '1.5s', '-1s', '1 s', '1S', '', 's', '1s1s'].map(durationMs)).toEqual(Array.from({ length: 8 }));
    expect(['2GB', '500MB', '1kB', '2gb', '2 GB'].map(sizeBytes)).toEqual([2e9, 5e8, 1000, undefined, undefined]);
  });
});
