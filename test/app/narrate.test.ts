import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { narrate, plainPalette } from '../../src/app/narrate.ts';
import { NOON } from '../support/values.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('src', path));

describe('a line for people', () => {
  it('is a sentence for every event that is logged', () => {
    const events = sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/log\??\.(?:info|warn|error)\(\s*'([a-z-]+)'/g)].map((found) => found[1] ?? ''),
    );
    expect(events.length).toBeGreaterThan(20);
    expect([...new Set(events)].filter((event) => narrate(event, {}, plainPalette) === event)).toEqual([]);
  });

  it('says when the service wants us to slow down, and until when', () => {
    const until = narrate('slowed-down', { until: NOON, message: 'HTTP 429' }, plainPalette);
    expect(until).toBe(`Slowed down until ${new Date(NOON).toISOString().slice(0, 19)}Z: HTTP 429`);
  });
});
