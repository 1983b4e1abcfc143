import { describe, expect, it } from 'vitest';
import { scrubber } from '../../src/domain/secret.ts';
import { channelsOf } from '../../src/app/channels.ts';
import { loadLocalSettings, loadSettings } from '../../src/settings/load.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { faultsOf, folderWith, settingsOf, smallest } from './written.ts';

const HOOK = 'https://discord.com/api/webhooks/123456789/abcdefghijklmnopqrstuvwxyz';

const all = `${smallest}notify:
  discord: { webhook: "${HOOK}", only: [halt, unknown] }
  telegram: { token: "123456:AAbbCCddEEffGG", chat: "-100123" }
  webhook: { url: "https://example.org/told?key=0123456789abcdef", secret: shared-secret }
  command: { run: [/usr/local/bin/tell, --loud] }
  digest: 08:30
`;

describe('notify', () => {
  it('is off by default', () => {
    const settings = settingsOf(smallest);
    expect(settings.notify).toBeUndefined();
    expect(channelsOf(settings.notify, { clock: new VirtualClock(), env: {} })).toEqual([]);
  });

  it('makes a channel of each block, with the kinds that are told there', () => {
    const { notify } = settingsOf(all);
    const channels = channelsOf(notify, { clock: new VirtualClock(), env: {} });
    expect(channels.map(({ name, only, channel }) => [name, only, channel?.name])).toEqual([
      ['discord', ['halt', 'unknown'], 'discord'],
      ['telegram', undefined, 'telegram'],
      ['webhook', undefined, 'webhook'],
      ['command', undefined, 'command'],
    ]);
    expect(notify?.digestMs).toBe(8.5 * 3_600_000);
    expect(notify?.telegram?.api).toBe('https://api.telegram.org');
  });

  it('hides addresses, tokens and secrets, and the parts of them that are enough', () => {
    const scrub = scrubber(settingsOf(all).secrets);
    for (const text of [
      HOOK,
      'abcdefghijklmnopqrstuvwxyz',
      '123456:AAbbCCddEEffGG',
      'AAbbCCddEEffGG',
      '0123456789abcdef',
      'shared-secret',
    ]) {
      expect(scrub(`x ${text} y`)).toBe('x *** y');
    }
  });

  it('takes https alone, except on this machine, and knows its kinds', () => {
    const text = `${smallest}notify:
  discord: { webhook: "http://discord.com/api/webhooks/1/2", only: [halts] }
  telegram: { token: "a b", chat: 123, only: [] }
  webhook: { url: "https://user:pass@example.org/", secret: "x y" }
  command: { run: tell }
`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:4:23: notify.discord.webhook: must be an https address (http only to this machine, such as http://127.0.0.1:8080/told), without user and fragment; the value is not shown
      magpie.yaml:4:69: notify.discord.only[0]: must be one of halt, unknown, accept, low-balance, late-bought, adopted, debit, treasury, stuck, refund, reverted, feed-stale, orders-unread, health, key, owner, slowed-down, clock, limits, rules, trade-url, restarts, disk, lock, reserve, reference, market-fall, listing, order-odd, balance-odd, channel, monitoring, purchase, digest; found the text "halts" → write halt
      magpie.yaml:5:22: notify.telegram.token: must be the token of a bot, such as 123456:ABC-DEF; the value is not shown
      magpie.yaml:5:35: notify.telegram.chat: must be the number of a chat, or @name of a channel, in quotes; found 123 → put it in quotes: "123"
      magpie.yaml:5:46: notify.telegram.only: must be a list of kinds of alerts, such as [halt, unknown]; found a list
      magpie.yaml:6:19: notify.webhook.url: must be an https address (http only to this machine, such as http://127.0.0.1:8080/told), without user and fragment; the value is not shown
      magpie.yaml:6:61: notify.webhook.secret: must be a key: letters, digits and signs without blanks or line breaks; the value is not shown
      magpie.yaml:7:19: notify.command.run: must be a list of a program and its arguments, such as ["/usr/local/bin/tell", "--loud"]; found the text "tell" → put it in brackets: ["tell"]"
    `);
    expect(faultsOf(`${smallest}notify: { discord: { webhook: "http://127.0.0.1:8080/x" } }\n`)).toBe('');
    expect(faultsOf(`${smallest}notify: { command: { run: [tell] }, digest: "24:00" }\n`)).toContain(
      'a time of day such as "08:00"',
    );
    expect(faultsOf(`${smallest}notify: { digest: "08:00" }\n`)).toContain('at least one of discord');
    expect(faultsOf(`${smallest}notify: {}\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:9: notify: must be a block with at least one of discord, telegram, webhook, command; found an empty block"`,
    );
  });

  it('needs its secrets where something may be told, and lets other commands be without them', () => {
    const text = `${smallest}notify:
  discord: { webhook: "\${HOOK}" }
  webhook: {}
`;
    expect(faultsOf(text)).toMatchInlineSnapshot(`
      "magpie.yaml:4:23: notify.discord.webhook: the environment variable HOOK is not set → set HOOK, or give a default: \${HOOK:-text}
      magpie.yaml:5:3: notify.webhook.url: is missing: nothing can be told there without it → write \`url: \${MAGPIE_WEBHOOK_URL}\` below webhook
      magpie.yaml:5:3: notify.webhook.secret: is missing: nothing can be told there without it → write \`secret: \${MAGPIE_WEBHOOK_SECRET}\` below webhook"
    `);
    const request = { file: 'magpie.yaml', env: {}, cwd: folderWith({ 'magpie.yaml': text }) };
    expect(loadSettings(request).ok).toBe(false);
    const local = loadLocalSettings(request);
    if (!local.ok) throw new Error(JSON.stringify(local.faults));
    const channels = channelsOf(local.settings.notify, { clock: new VirtualClock(), env: {} });
    expect(channels.map(({ name, channel }) => [name, channel])).toEqual([
      ['discord', undefined],
      ['webhook', undefined],
    ]);
  });
});
