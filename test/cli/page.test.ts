import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageWanted } from '../../src/cli/page.ts';
import { loadSettings } from '../../src/settings/load.ts';
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
