import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadedSettings } from '../../src/settings/load.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { load, someEnvironment } from './written.ts';

const env = { ...someEnvironment, MAGPIE_BASE_URL: 'https://api.example.com' };

/** Without the lines that are all comment, where a cut changes nothing. */
function live(name: string): string {
  const text = readFileSync(join('config', name), 'utf8').replace(/^mode: dry-run$/m, 'mode: live');
  return text.replace(/^ *#.*\n/gm, '');
}

/** What a cut left of a file, at each byte at which it was cut. */
function cuts(text: string): { kept: string; loaded: LoadedSettings }[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: bytes.length }, (_, length) => ({
    kept: bytes.subarray(0, length).toString('utf8'),
    loaded: load(bytes.subarray(0, length), env),
  }));
}

const meaning = (settings: Settings): string =>
  JSON.stringify({ ...settings, file: '', strategies: '', data: '', recordingFolder: '' });

describe('a configuration that comes with Magpie, gone live and cut at any byte', () => {
  it.each(['sandbox.yaml', 'live.yaml'])('is refused, a dry run, or means the same (%s) [C3]', (name) => {
    const text = live(name);
    const whole = load(text, env);
    expect(whole).toMatchObject({ ok: true, settings: { mode: 'live' } });
    const outcomes = { refused: 0, 'dry run': 0, same: 0 };
    for (const { loaded } of cuts(text)) {
      if (!loaded.ok) outcomes.refused += 1;
      else if (loaded.settings.mode === 'dry-run') outcomes['dry run'] += 1;
      else {
        expect(meaning(loaded.settings)).toBe(whole.ok && meaning(whole.settings));
        outcomes.same += 1;
      }
    }
    expect(outcomes.same).toBe(1);
    expect(outcomes.refused).toBeGreaterThan(100);
  });
});

/** With the mode at its top, as the documentation's example has it: the order people write without a second thought. */
const modeFirst = `mode: live
service:
  sandbox: { seed: 7 }
limits:
  maxPrice: 50
  spend: { hour: 100, day: 500, total: 5000 }
  perItem: { day: 2 }
  never: ["Souvenir *"]
  reserve: 25
  unknown: 2
strategies: ./strategies
data: ./data
`;

describe('a live configuration with its mode at the top, cut at any byte', () => {
  const acceptedOf = () => cuts(modeFirst).flatMap(({ kept, loaded }) => (loaded.ok ? [{ kept, loaded }] : []));

  it('never spends more on one purchase, nor loses both of the caps that live mode needs', () => {
    const accepted = acceptedOf();
    expect(accepted.length).toBeGreaterThan(0);
    for (const { loaded } of accepted) {
      const { maxPrice, spend } = loaded.settings.limits;
      expect(maxPrice).toBe(50_000_000);
      expect(spend.day).toBe(500_000_000);
      expect(spend.total).toBe(5_000_000_000);
    }
  });

  it('is warned of unless it was cut at the end of a line', () => {
    const silent = acceptedOf()
      .filter(({ loaded }) => loaded.warnings.length === 0)
      .map(({ kept }) => kept.split('\n').at(-2));
    expect(silent).toMatchInlineSnapshot(`
      [
        "  spend: { hour: 100, day: 500, total: 5000 }",
        "  perItem: { day: 2 }",
        "  never: ["Souvenir *"]",
        "  reserve: 25",
        "  unknown: 2",
        "strategies: ./strategies",
      ]
    `);
  });

  it('can lose limits that may be left out, when it was cut at the end of a line: the reason to keep the mode last', () => {
    const lost = acceptedOf()
      .filter(({ loaded }) => loaded.settings.limits.reserve !== 25_000_000)
      .map(({ kept }) => kept.split('\n').at(-1));
    expect(lost).toMatchInlineSnapshot(`
      [
        "  spend: { hour: 100, day: 500, total: 5000 }",
        "",
        " ",
        "  ",
        "  perItem: { day: 2 }",
        "",
        " ",
        "  ",
        "  never: ["Souvenir *"]",
        "",
        " ",
        "  ",
        "  reserve: 2",
      ]
    `);
  });
});
