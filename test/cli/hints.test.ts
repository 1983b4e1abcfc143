import { describe, expect, it } from 'vitest';
import { withPlaces } from '../../src/cli/hints.ts';
import { begun, outcomes, settled } from '../ledger/support.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const both = { config: 'live.yaml', data: "my data/it's here" };

describe('the next steps in a text', () => {
  it('name the configuration and the data folder that were given, quoted for a shell', () => {
    expect(withPlaces('look into it, then `magpie resume`', both)).toBe(
      "look into it, then `magpie resume --config live.yaml --data 'my data/it'\\''s here'`",
    );
    expect(withPlaces('→ magpie resolve 12 --as bought', { config: 'live.yaml' })).toBe(
      '→ magpie resolve --config live.yaml 12 --as bought',
    );
    expect(withPlaces('see:\n    magpie purchases 12', { data: 'd' })).toBe('see:\n    magpie purchases --data d 12');
    expect(withPlaces('`magpie check` looks again, `magpie status` too', both)).toBe(
      "`magpie check --config live.yaml` looks again, `magpie status --config live.yaml --data 'my data/it'\\''s here'` too",
    );
  });

  it('name the configuration where they leave the account to the reader, and no account where a command is for none', () => {
    expect(withPlaces('→ `magpie status --account NAME` shows one', { config: 'live.yaml' })).toBe(
      '→ `magpie status --config live.yaml --account NAME` shows one',
    );
    expect(withPlaces('then `magpie treasury resume`', { config: 'live.yaml', account: 'anna' })).toBe(
      'then `magpie treasury resume --config live.yaml`',
    );
    expect(withPlaces('→ magpie partner users EMAIL asks again', { config: 'live.yaml' })).toBe(
      '→ magpie partner users --config live.yaml EMAIL asks again',
    );
    expect(withPlaces('`magpie resume --account NAME`', { config: 'live.yaml', account: 'anna' })).toBe(
      '`magpie resume --config live.yaml --account NAME`',
    );
  });

  it('show nothing of a path that would write on the terminal', () => {
    expect(withPlaces('`magpie resume`', { config: '\u001b[2Jlive.yaml', data: 'a\nb' })).toBe(
      '`magpie resume --config FILE --data DIR`',
    );
  });

  it('stay as they are where nothing was given, where they say it themselves, and in ordinary words', () => {
    const texts = ['→ magpie halt --config FILE --reason TEXT', '`magpie run --data DIR`', 'Magpie runs', 'a magpie status'];
    for (const text of texts) expect(withPlaces(text, both)).toBe(text);
    expect(withPlaces('`magpie resume`', {})).toBe('`magpie resume`');
  });

  it('are named so by the commands, and by what the ledger keeps of alerts', async () => {
    const cwd = place();
    const ledger = ledgerAt(cwd);
    settled(ledger, begun(ledger, 1), outcomes.unknown());
    const next = 'Look into the reason, then `magpie resume`.';
    ledger.recordAlert({ kind: 'halt', at: Date.UTC(2026, 0, 5, 12), message: 'halted', next, purchaseId: undefined });
    const args = ['--config', 'magpie.yaml', '--data', 'data'];
    const { out } = await magpie(['status', ...args], { cwd });
    expect(out).toContain('magpie resolve --config magpie.yaml --data data 1 --as bought|not-bought');
    expect(out).toContain('then `magpie resume --config magpie.yaml --data data`');
    const json = await magpie(['status', '--json', ...args], { cwd });
    expect(JSON.parse(json.out)).toMatchObject({ alerts: [{ next }] });
    const failed = await magpie(['purchases', '99', ...args], { cwd });
    expect(failed.err).toContain('`magpie purchases --config magpie.yaml --data data` lists them');
  });
});
