import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { narrate, plainPalette } from '../../src/app/narrate.ts';
import { pageWanted, servePageOf } from '../../src/cli/page.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { Secret } from '../../src/domain/secret.ts';
import { magpie, onPlayMoney, place } from './harness.ts';

const text = `${onPlayMoney}web: { port: 0 }\n`;

describe('a data folder that cannot be made', () => {
  it('is told with what to give instead, before anything starts', async () => {
    const cwd = place({ 'magpie.yaml': text });
    const { code, err } = await magpie(['run', '--config', 'magpie.yaml', '--data', 'magpie.yaml/data'], { cwd });
    expect(code).toBe(1);
    expect(err).toContain(`${cwd}/magpie.yaml/data: the data folder cannot be made: ENOTDIR`);
    expect(err).toContain('→ --data or `data:` must name a folder that may be written');
  });

  it('has no page told for lack of a token, which would mend nothing', () => {
    const cwd = place({ 'magpie.yaml': text });
    const told: string[] = [];
    const wanted = (data: string) => {
      const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd, overrides: { data } });
      if (!loaded.ok) throw new Error('a configuration was expected');
      const err = { line: (line = '') => void told.push(line) };
      return pageWanted(loaded.settings, { err, thread: () => undefined } as never);
    };
    expect(wanted(join(cwd, 'magpie.yaml', 'data'))).toBeUndefined();
    expect(told).toEqual([]);
    expect(wanted(join(cwd, 'data'))).toMatchObject({ isOwn: true });
  });
});

describe('a page that nobody can be served', () => {
  it.each([
    ['listen EADDRINUSE: address already in use 127.0.0.1:8787', 'stop that program, or set web.port to a port that is free'],
    ['listen EADDRNOTAVAIL: address not available 9.9.9.9', 'set web.host and web.port to where this machine may be listened at'],
  ])('is told with what to do: %s', (message, next) => {
    let say = (_: unknown): void => undefined;
    const thread = { stop: () => undefined, onEnd: () => undefined, onWord: (hear: typeof say) => void (say = hear) };
    const lines: string[] = [];
    const log = { warn: (event: string, fields: object) => void lines.push(narrate(event, { ...fields }, plainPalette)) };
    const wanted = { web: { host: '127.0.0.1', port: 8787 }, token: new Secret('token-of-a-page'), isOwn: true };
    const daemon = { log, stopping: new AbortController().signal };
    const settings = { data: 'data', accountNames: [] };
    servePageOf({ thread: () => thread } as never, daemon as never, settings as never, wanted as never, { env: {}, cwd: '/' });
    say({ kind: 'unheard', message });
    expect(lines).toEqual([expect.stringContaining(message)]);
    expect(lines[0]).toMatch(new RegExp(`; it is tried again each minute → ${next}$`));
  });
});
