import { describe, expect, it } from 'vitest';
import { scrubber } from '../../src/domain/secret.ts';
import { loadLocalSettings, loadSettings } from '../../src/settings/load.ts';
import { faultsOf, folderWith, settingsOf, smallest, warningsOf } from './written.ts';

describe('metrics', () => {
  it('are told nowhere by default, and to this machine alone unless the configuration says otherwise', () => {
    expect(settingsOf(smallest).metrics).toBeUndefined();
    expect(settingsOf(`${smallest}metrics: { port: 9999 }\n`).metrics).toEqual({ host: '127.0.0.1', port: 9999 });
  });

  it('that others can reach, or whose port is the page’s, are warned of', () => {
    expect(warningsOf(`${smallest}metrics: { host: 0.0.0.0, port: 8787 }\nweb: { port: 8787 }\n`)).toMatchInlineSnapshot(`
      "magpie.yaml:3:18: metrics.host: others can reach 0.0.0.0, and whoever does reads balance and purchases: metrics have no password → let only the machine of Prometheus through, or write \`host: 127.0.0.1\`
      magpie.yaml:3:33: metrics.port: is 8787, as web.port is → give each a port of its own"
    `);
    expect(warningsOf(`${smallest}metrics: { host: localhost }\n`)).toBe('');
  });
});

describe('the dead-man’s ping', () => {
  const pinging = `${smallest}deadMan: { url: "\${PING}", every: 10m }\n`;

  it('goes nowhere by default', () => {
    expect(settingsOf(smallest).deadMan).toBeUndefined();
  });

  it('has a secret address, of which nothing that would be enough is shown', () => {
    const folder = folderWith({ 'magpie.yaml': pinging });
    const env = { PING: 'https://hc-ping.com/01234567-89ab-cdef-0123-456789abcdef' };
    const loaded = loadSettings({ file: 'magpie.yaml', env, cwd: folder });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    expect([loaded.settings.deadMan?.everyMs, loaded.settings.deadMan?.url?.reveal()]).toEqual([600_000, env.PING]);
    const scrub = scrubber(loaded.settings.secrets);
    for (const text of [env.PING, '01234567-89ab-cdef-0123-456789abcdef']) expect(scrub(`x ${text} y`)).toBe('x *** y');
    expect(JSON.stringify(loaded.settings)).not.toContain('hc-ping');
  });

  it('needs one, except for commands that send nothing', () => {
    expect(faultsOf(`${smallest}deadMan: { every: 10m }\n`)).toMatchInlineSnapshot(
      `"magpie.yaml:3:1: deadMan.url: is missing: there is nothing to ping without it → write \`url: \${MAGPIE_DEAD_MAN_URL}\` below deadMan"`,
    );
    const folder = folderWith({ 'magpie.yaml': pinging });
    expect(loadLocalSettings({ file: 'magpie.yaml', env: {}, cwd: folder }).ok).toBe(true);
    expect(loadSettings({ file: 'magpie.yaml', env: {}, cwd: folder }).ok).toBe(false);
  });

  it('is https, or stays on this machine; a fault does not repeat it', () => {
    expect(faultsOf(`${smallest}deadMan: { url: "http://hc-ping.com/0123456789abcdef", every: 10s }\n`)).toMatchInlineSnapshot(`
      "magpie.yaml:3:17: deadMan.url: must be an https address (http only to this machine, such as http://127.0.0.1:8080/told), without user and fragment; the value is not shown
      magpie.yaml:3:63: deadMan.every: must be a duration from 1m to 24h, such as 500ms, 10s, 5m, 24h or 7d; found the text "10s""
    `);
  });
});
