import { describe, expect, it } from 'vitest';
import { faultsOf, settingsOf, smallest, someEnvironment, warningsOf } from './written.ts';

describe('the keys of a configuration', () => {
  it('are refused when mistyped, with what is allowed and what was meant [C1 configuration-1]', () => {
    const text = `${smallest}limts: { maxPrice: 5 }\nfeed: { intervall: 1s, helth: { stale: 5s } }\nlimits:\n  maxprice: 5\n  perItem: { week: 2 }\n`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:3:1: limts: no such key; allowed: mode, service, account, accounts, feed, rate, limits, strategies, data, web, watch, log, recording, reconcile, alerts, dryRun, notify, metrics, webhooks, deadMan, reference, treasury, reload, decisions, backup, disk → write limits
      magpie.yaml:4:9: feed.intervall: no such key; allowed: interval, health, parse → write interval
      magpie.yaml:4:24: feed.helth: no such key; allowed: interval, health, parse → write health
      magpie.yaml:6:3: limits.maxprice: no such key; allowed: maxPrice, spend, perItem, never, reserve, openPurchases, unknown, breaker → write maxPrice
      magpie.yaml:7:14: limits.perItem.week: no such key; allowed: hour, day, total"
    `);
  });

  it('are refused with a value of another kind, with what was found and what was meant', () => {
    const text = `${smallest}mode: Live
feed:
  interval: 10
  health: { interval: 1.5s, require: false, staleAfter: 15 sec }
rate: { reads: 4, buys: { perSecond: "2", concurrent: 1.5 } }
limits:
  maxPrice: 5,00
  spend: 500
  reserve: $25
  openPurchases: 1_000
  unknown: 0
  never: Souvenir *
  perItem: { hour: 1:30, day: 3.0, total: -1 }
strategies: [./strategies]
data: 5
log: json
recording: { off: "false", maxSize: 2 GB, maxAge: 30 }
`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:3:7: mode: must be one of dry-run, live; found the text "Live" → write live
      magpie.yaml:5:13: feed.interval: must be a duration from 10ms to 1h, such as 500ms, 10s, 5m, 24h or 7d; found 10 → give it a unit: 10s, 10m, 10h or 10d
      magpie.yaml:6:23: feed.health.interval: must be a duration from 10ms to 1h, such as 500ms, 10s, 5m, 24h or 7d; found the text "1.5s" → write 1500ms
      magpie.yaml:6:38: feed.health.require: must be one of ok, degraded, off; found false → write off
      magpie.yaml:6:57: feed.health.staleAfter: must be a duration from 100ms to 24h, such as 500ms, 10s, 5m, 24h or 7d; found the text "15 sec" → write 15s
      magpie.yaml:7:16: rate.reads: must be a block of the keys perSecond, concurrent; found 4
      magpie.yaml:7:38: rate.buys.perSecond: must be a number above 0, at most 1000; found the text "2" → write 2 without quotes
      magpie.yaml:7:55: rate.buys.concurrent: must be a whole number from 1 to 64; found 1.5
      magpie.yaml:9:13: limits.maxPrice: must be an amount in US dollars, from 0 to 10000000; found the text "5,00" → write 5.00, with a point
      magpie.yaml:10:10: limits.spend: must be a block of the keys hour, day, total; found 500
      magpie.yaml:11:12: limits.reserve: must be an amount in US dollars, from 0 to 10000000; found the text "$25" → write 25
      magpie.yaml:12:18: limits.openPurchases: must be a whole number from 0 to 1000000; found the text "1_000" → write 1000
      magpie.yaml:13:12: limits.unknown: must be a whole number from 1 to 1000000; found 0
      magpie.yaml:14:10: limits.never: must be a list of names, with * and ? for anything, such as ["Souvenir *"]; found the text "Souvenir *" → put it in brackets: ["Souvenir *"]
      magpie.yaml:15:20: limits.perItem.hour: must be a whole number from 0 to 1000000; found the text "1:30"
      magpie.yaml:15:43: limits.perItem.total: must be a whole number from 0 to 1000000; found -1
      magpie.yaml:16:13: strategies: must be a path, in which ~ has no meaning (write \${HOME}); found a list
      magpie.yaml:17:7: data: must be a path, in which ~ has no meaning (write \${HOME}); found 5 → put it in quotes: "5"
      magpie.yaml:18:6: log: must be a block of the keys format, level; found the text "json"
      magpie.yaml:19:19: recording.off: must be true or false; found the text "false" → write false, without quotes
      magpie.yaml:19:37: recording.maxSize: must be a size from 1MB to 10TB, such as 500MB or 2GB; found the text "2 GB" → write 2GB
      magpie.yaml:19:51: recording.maxAge: must be a duration from 1h to 3650d, such as 500ms, 10s, 5m, 24h or 7d; found 30 → give it a unit: 30s, 30m, 30h or 30d"
    `);
  });

  it('are refused with yes and no where true and false are wanted [C5 configuration-7]', () => {
    const withDedicated = (value: string): string =>
      faultsOf(`service: { baseUrl: "http://127.0.0.1:1" }\naccount:\n  dedicated: ${value}\n`);
    expect(withDedicated('"false"')).toMatchInlineSnapshot(
      `"magpie.yaml:3:14: account.dedicated: must be true or false; found the text "false" → write false, without quotes"`,
    );
    expect(withDedicated('no')).toMatchInlineSnapshot(
      `"magpie.yaml:3:14: account.dedicated: must be true or false; found the text "no" → write false, without quotes"`,
    );
    expect(withDedicated('On')).toMatchInlineSnapshot(
      `"magpie.yaml:3:14: account.dedicated: must be true or false; found the text "On" → write true, without quotes"`,
    );
    expect(withDedicated('1')).toMatchInlineSnapshot(
      `"magpie.yaml:3:14: account.dedicated: must be true or false; found 1 → write true, without quotes"`,
    );
    expect(withDedicated('perhaps')).toMatchInlineSnapshot(
      `"magpie.yaml:3:14: account.dedicated: must be true or false; found the text "perhaps""`,
    );
  });

  it('are refused with a decimal comma inside braces, where YAML reads another key [C4]', () => {
    expect(faultsOf(`${smallest}limits: { maxPrice: 5,00, reserve: 1 }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:23: limits.00: the comma before 00 begins a new key → write 5.00, with a point"`,
    );
  });

  it('are refused as an empty block where that would read as no limit [C6 configuration-2]', () => {
    expect(faultsOf(`${smallest}limits: { spend: {}, perItem: {} }\n`)).toMatchInlineSnapshot(`
      "magpie.yaml:3:18: limits.spend: must be a block with at least one of hour, day, total; found an empty block
      magpie.yaml:3:31: limits.perItem: must be a block with at least one of hour, day, total; found an empty block"
    `);
  });

  it('are refused beyond what anybody can mean [C19]', () => {
    const text = `${smallest}feed: { interval: 0s }\nrate: { reads: { perSecond: 0 }, timeout: 1d }\nlimits: { maxPrice: 10000001, breaker: { unusual: 1 } }\nrecording: { maxSize: 1kB }\nweb: { port: 70000 }\n`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:3:19: feed.interval: must be a duration from 10ms to 1h, such as 500ms, 10s, 5m, 24h or 7d; found the text "0s"
      magpie.yaml:4:29: rate.reads.perSecond: must be a number above 0, at most 1000; found 0
      magpie.yaml:4:43: rate.timeout: must be a duration from 100ms to 5m, such as 500ms, 10s, 5m, 24h or 7d; found the text "1d"
      magpie.yaml:5:21: limits.maxPrice: must be an amount in US dollars, from 0 to 10000000; found 10000001
      magpie.yaml:5:51: limits.breaker.unusual: must be a number above 1, at most 1000000; found 1
      magpie.yaml:6:23: recording.maxSize: must be a size from 1MB to 10TB, such as 500MB or 2GB; found the text "1kB"
      magpie.yaml:7:14: web.port: must be a whole number from 0 to 65535; found 70000"
    `);
  });

  it('are refused in the embedded exchange too, faults by name', () => {
    const text = 'service:\n  sandbox:\n    seeds: 7\n    faults: { buyLostafter: 0.1, buyLate: 2, nonsense: 1 }\n';
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:3:5: service.sandbox.seeds: no such key; allowed: seed, listings, balance, speed, faults, webhooks → write seed
      magpie.yaml:4:15: service.sandbox.faults.buyLostafter: no such key; allowed: buyLostBefore, buyLostAfter, buyLate, buyExecutedLate, buyCut, buyHtml, buyErrorBefore, buyErrorAfter, buyRefusedYetBought, buyProcessing, buyTwice, buyWithoutOrderId, buyUnusualStatus, buyOtherGoods, buyRefusedOwner, readLost, readLate, readCut, readHtml, readError, readOddShape, tooMany, forbidden, dateWrong, feedFrozen, feedPriceSlip, feedDuplicates, feedBadRows, feedShort, ordersNever, ordersLate, ordersPartial and others → write buyLostAfter
      magpie.yaml:4:43: service.sandbox.faults.buyLate: must be a number from 0 to 1; found 2
      magpie.yaml:4:46: service.sandbox.faults.nonsense: no such key; allowed: buyLostBefore, buyLostAfter, buyLate, buyExecutedLate, buyCut, buyHtml, buyErrorBefore, buyErrorAfter, buyRefusedYetBought, buyProcessing, buyTwice, buyWithoutOrderId, buyUnusualStatus, buyOtherGoods, buyRefusedOwner, readLost, readLate, readCut, readHtml, readError, readOddShape, tooMany, forbidden, dateWrong, feedFrozen, feedPriceSlip, feedDuplicates, feedBadRows, feedShort, ordersNever, ordersLate, ordersPartial and others"
    `);
  });
});

describe('addresses and keys', () => {
  it('are refused when they cannot be used, without repeating what is secret [C18]', () => {
    const text = `service: { baseUrl: "http://user:password@host/" }
account:
  apiKey: "secret key"
  tradeUrl: https://steamcommunity.com/tradeoffer/new/?partner=12x&token=secret
web: { host: "a b", token: "secret token" }
data: ~/magpie
`;
    const faults = faultsOf(text);
    expect(faults).toMatchInlineSnapshot(`
      "magpie.yaml:1:21: service.baseUrl: must be an address such as https://host or http://127.0.0.1:4010, without user, query and fragment; found the text "http://***@host/"
      magpie.yaml:3:11: account.apiKey: must be a key: letters, digits and signs without blanks or line breaks; the value is not shown
      magpie.yaml:4:13: account.tradeUrl: must be a trade URL: https://HOST/tradeoffer/new/?partner=DIGITS&token=TEXT; the value is not shown
      magpie.yaml:5:14: web.host: must be a host name or an IP address; found the text "a b"
      magpie.yaml:5:28: web.token: must be a key: letters, digits and signs without blanks or line breaks; the value is not shown
      magpie.yaml:6:7: data: must be a path, in which ~ has no meaning (write \${HOME}); found the text "~/magpie""
    `);
    expect(faults).not.toMatch(/secret|password/);
  });

  it('are never repeated, however YAML mistakes them', () => {
    const spoilt = [
      '0x5ec2e7',
      '5ec2e7 #5ec2e7',
      '*5ec2e7',
      '&5ec2e7 x',
      '12345678901234567890',
      '1e400',
      '!5ec2e7 x',
      '@5ec2e7',
      '"5ec2e7',
      '[5ec2e7]',
      '{ a: 5ec2e7 }',
      '5ec2e7: 5ec2e7',
      '${5ec2e7}',
      '${KEY',
      '\t5ec2e7: x',
      "'5ec2e7",
      '|5ec2e7',
    ];
    const faultsWith = (key: string): string =>
      faultsOf(`service: { baseUrl: "http://127.0.0.1:1" }\naccount:\n  apiKey: ${key}\n`);
    expect(spoilt.filter((key) => faultsWith(key) === '')).toEqual([]);
    expect(spoilt.filter((key) => /5ec2e7|12345678901234567890|1e400/.test(faultsWith(key)))).toEqual([]);
  });

  it('of digits alone need quotes, since YAML reads them as a number', () => {
    const faults = faultsOf('service: { baseUrl: "http://127.0.0.1:1" }\naccount:\n  apiKey: 8675309\n  partnerKey: true\n');
    expect(faults).toMatchInlineSnapshot(`
      "magpie.yaml:3:11: account.apiKey: must be a key: letters, digits and signs without blanks or line breaks; YAML reads this one as a number; the value is not shown → put it in quotes
      magpie.yaml:4:15: account.partnerKey: must be a key: letters, digits and signs without blanks or line breaks; YAML reads this one as true or false; the value is not shown → put it in quotes"
    `);
    expect(faults).not.toContain('8675309');
  });

  it('may be any address of http or https', () => {
    const addressOf = (baseUrl: string): unknown => settingsOf(`service: { baseUrl: "${baseUrl}" }\n`).service;
    expect(addressOf('https://api.example.com/base/')).toMatchObject({ baseUrl: 'https://api.example.com/base' });
    expect(addressOf('http://[::1]:4010')).toMatchObject({ baseUrl: 'http://[::1]:4010' });
  });
});

describe('keys that need each other', () => {
  it('are exactly one of an address and the embedded exchange', () => {
    expect(faultsOf('mode: dry-run\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: service: needs exactly one of baseUrl and sandbox → write \`baseUrl: https://…\` for the service, or \`sandbox: {}\` for the embedded exchange"`,
    );
    expect(faultsOf('service: {}\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:10: service: needs exactly one of baseUrl and sandbox → write \`baseUrl: https://…\` for the service, or \`sandbox: {}\` for the embedded exchange"`,
    );
    expect(faultsOf('service:\n  baseUrl: http://127.0.0.1:1\n  sandbox: {}\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: service: has both baseUrl and sandbox; it must have exactly one → remove one of them"`,
    );
  });

  it('are an account and caps in live mode [C17]', () => {
    expect(faultsOf('mode: live\nservice: { baseUrl: "http://127.0.0.1:1" }\n')).toMatchInlineSnapshot(`
      "magpie.yaml:1:7: account.apiKey: is missing: live mode needs the key of the account → write \`apiKey: \${MAGPIE_API_KEY}\` below account
      magpie.yaml:1:7: account.tradeUrl: is missing: live mode needs the trade URL that items are sent to → write \`tradeUrl: \${MAGPIE_TRADE_URL}\` below account
      magpie.yaml:1:7: limits.maxPrice: is missing: live mode needs a cap for one purchase → write \`maxPrice: 50\` below limits
      magpie.yaml:1:7: limits.spend: lacks day and total: live mode needs one of them → write \`spend: { day: 100 }\` below limits"
    `);
    expect(
      faultsOf('mode: live\nservice: { baseUrl: "http://127.0.0.1:1" }\naccount:\n  apiKey: k\nlimits:\n  spend: { hour: 5 }\n'),
    ).toMatchInlineSnapshot(`
      "magpie.yaml:3:1: account.tradeUrl: is missing: live mode needs the trade URL that items are sent to → write \`tradeUrl: \${MAGPIE_TRADE_URL}\` below account
      magpie.yaml:5:1: limits.maxPrice: is missing: live mode needs a cap for one purchase → write \`maxPrice: 50\` below limits
      magpie.yaml:6:10: limits.spend: lacks day and total: live mode needs one of them → write \`spend: { day: 100 }\` below limits"
    `);
  });

  it('are caps in live mode on the embedded exchange, which brings its account', () => {
    expect(faultsOf('mode: live\nservice: { sandbox: {} }\n')).toMatchInlineSnapshot(`
      "magpie.yaml:1:7: limits.maxPrice: is missing: live mode needs a cap for one purchase → write \`maxPrice: 50\` below limits
      magpie.yaml:1:7: limits.spend: lacks day and total: live mode needs one of them → write \`spend: { day: 100 }\` below limits"
    `);
    expect(faultsOf('mode: live\nservice: { sandbox: {} }\nlimits: { maxPrice: 5, spend: { total: 5 } }\n')).toBe('');
  });

  it('are a token for a page that others can reach [S6]', () => {
    const withHost = (host: string): string => faultsOf(`${smallest}web: { host: "${host}" }\n`);
    expect(withHost('0.0.0.0')).toMatchInlineSnapshot(
      `"magpie.yaml:3:1: web.token: is missing: others can reach 0.0.0.0, so the page needs a token → write \`token: \${MAGPIE_WEB_TOKEN}\`, or \`host: 127.0.0.1\`"`,
    );
    expect(withHost('::')).not.toBe('');
    expect(withHost('magpie.example.com')).not.toBe('');
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) expect(withHost(host)).toBe('');
  });

  it('are named together with everything else that is wrong', () => {
    const text = 'mode: live\nservice: { baseUrl: "${NOWHERE}" }\naccount: { apiKey: "${NOTHING}" }\nlimits: { maxPrice: 5 }\n';
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:2:21: service.baseUrl: the environment variable NOWHERE is not set → set NOWHERE, or give a default: \${NOWHERE:-text}
      magpie.yaml:3:20: account.apiKey: the environment variable NOTHING is not set → set NOTHING, or give a default: \${NOTHING:-text}
      magpie.yaml:4:1: limits.spend: lacks day and total: live mode needs one of them → write \`spend: { day: 100 }\` below limits"
    `);
  });
});

describe('a configuration that is legal but hardly meant', () => {
  it('is warned of [configuration-8]', () => {
    const text = `mode: live
service: { baseUrl: http://api.example.com }
account:
  apiKey: \${MAGPIE_API_KEY}
  tradeUrl: https://steamcomunity.com/tradeoffer/new/?partner=12345&token=AbCdEfGh
feed:
  interval: 200ms
  health: { interval: 20s }
limits:
  maxPrice: 100
  spend: { hour: 60, day: 50, total: 0 }
  perItem: { hour: 3, day: 2 }
  openPurchases: 0
  never: [case, "*", "AK-47 | Redline (Field-Tested)"]
web: { host: 0.0.0.0, token: short }
`;
    expect(warningsOf(text, { MAGPIE_API_KEY: 'key-of-the-account' })).toMatchInlineSnapshot(`
      "magpie.yaml:1:1: rate.reads.perSecond: is 4, less than the 5.05 that polls and health need, so polls come late → raise it, or lengthen feed.interval
      magpie.yaml:2:21: service.baseUrl: is plain http: everybody on the way can read the key → write https://
      magpie.yaml:5:13: account.tradeUrl: is on an unusual host: items go to whoever owns that trade URL → usual is steamcommunity.com
      magpie.yaml:8:3: feed.health.staleAfter: is no longer than health.interval (20s), so health is stale most of the time and buying stops
      magpie.yaml:11:18: limits.spend.hour: is 60, more than day (50), so it never counts
      magpie.yaml:11:27: limits.spend.day: is 50, more than total (0), so it never counts
      magpie.yaml:11:38: limits.spend.total: is 0, so nothing is ever bought → use \`magpie halt\` to stop buying for a while
      magpie.yaml:12:20: limits.perItem.hour: is 3, more than day (2), so it never counts
      magpie.yaml:13:18: limits.openPurchases: is 0, so nothing is ever bought → use \`magpie halt\` to stop buying for a while
      magpie.yaml:14:11: limits.never[0]: is compared with whole names, so no name that merely holds "case" is kept out → write "*case*" to keep out every name that holds it
      magpie.yaml:14:17: limits.never[1]: keeps everything from being bought
      magpie.yaml:15:30: web.token: is shorter than 16 characters, and others can reach 0.0.0.0 → make it longer"
    `);
  });

  it('is warned of a guard that asks for more days than are kept', () => {
    const text = `mode: live\n${smallest}limits: { maxPrice: 5, spend: { day: 10 } }\nreference: { days: 2 }\n`;
    expect(warningsOf(text, someEnvironment)).toMatchInlineSnapshot(
      `"magpie.yaml:5:1: reference.minSamples: is 3, but only 2 days are kept: nothing is ever held against a steamPrice → write 2 or less, or more for reference.days"`,
    );
  });

  it('is warned of a dry run without a key, and of a trade URL that may have been cut', () => {
    expect(warningsOf('service: { baseUrl: "https://api.example.com" }\n')).toMatchInlineSnapshot(
      `"magpie.yaml:1:1: account.apiKey: is missing: the service shows listings to nobody without a key → set MAGPIE_API_KEY"`,
    );
    const cut = { ...someEnvironment, MAGPIE_TRADE_URL: 'https://steamcommunity.com/tradeoffer/new/?partner=12345&token=AbCdEf' };
    expect(warningsOf(smallest, cut)).toMatchInlineSnapshot(
      `"magpie.yaml:2:1: account.tradeUrl: has a token that is not 8 characters long; it may have been cut"`,
    );
  });

  it('is not warned of anything in the usual case', () => {
    expect(
      warningsOf(`mode: live\n${smallest}limits: { maxPrice: 5, spend: { hour: 5, day: 10, total: 100 } }\n`, someEnvironment),
    ).toBe('');
  });
});
