import { describe, expect, it } from 'vitest';
import { ledgerAt, magpie, onPlayMoney, place } from './harness.ts';

const reading: readonly (readonly string[])[] = [
  ['status'],
  ['why', '1'],
  ['purchases'],
  ['purchases', '1'],
  ['check'],
  ['audit'],
  ['reconcile'],
  ['buy', '1', '--market', 'c5game'],
];

/** The only thing on stdout, as a program reads it. */
async function documentOf(cwd: string, ...args: readonly string[]): Promise<{ code: number; document: unknown }> {
  const { code, out } = await magpie([...args, '--json'], { cwd });
  return { code, document: JSON.parse(out) as unknown };
}

describe('--json', () => {
  it.each(reading.map((args) => [args.join(' '), args] as const))(
    'prints one document where the configuration is faulty: %s',
    async (_, args) => {
      const cwd = place({ 'magpie.yaml': onPlayMoney.replace('maxPrice', 'maxPrise') });
      const { code, document } = await documentOf(cwd, ...args, '--config', 'magpie.yaml');
      expect(code).toBe(2);
      expect(document).toMatchObject({ ok: false, faults: [{ file: 'magpie.yaml', line: 2, path: 'limits.maxPrise' }] });
    },
  );

  it('prints one document where a strategy is faulty, or the command line', async () => {
    const cwd = place({ 'strategies/redlines.yaml': 'name: [' });
    const strategy = await documentOf(cwd, 'why', '1', '--config', 'magpie.yaml');
    expect(strategy).toMatchObject({
      code: 2,
      document: { ok: false, exitCode: 2, faults: [{ file: 'strategies/redlines.yaml' }] },
    });
    const wrong = await documentOf(cwd, 'purchases', '--state', 'bougt');
    expect(wrong).toMatchObject({ code: 2, document: { ok: false, exitCode: 2, faults: [] } });
    expect(await documentOf(cwd, 'purchases', '--since', 'soon')).toMatchObject({ code: 2, document: { ok: false } });
  });

  it('prints one document for what is not there', async () => {
    const cwd = place();
    ledgerAt(cwd);
    for (const args of [['why', '4711'], ['purchases', '4711'], ['why']]) {
      const { code, document } = await documentOf(cwd, ...args, '--config', 'magpie.yaml');
      expect({ args, code: code > 0 }).toEqual({ args, code: true });
      expect(document).toMatchObject({ ok: false, exitCode: code, message: expect.any(String) as string, faults: [] });
    }
  });

  it('says in it what stderr says: no label of a terminal, and the same next step', async () => {
    const cwd = place();
    expect(await documentOf(cwd, 'frobnicate')).toMatchObject({ document: { message: "unknown command 'frobnicate'" } });
    const { out, err } = await magpie(['why', '--json', '--config', 'magpie.yaml'], { cwd });
    const { message } = JSON.parse(out) as { message: string };
    expect(message).toContain('`magpie why --config magpie.yaml LISTING_ID`');
    expect(err.trim()).toBe(message);
  });

  it('hides in it what is hidden everywhere', async () => {
    const { out } = await magpie(['status', '--json', '--apiKey=some-secret-key'], { cwd: place() });
    expect(JSON.parse(out)).toMatchObject({ ok: false });
    expect(out).not.toContain('some-secret-key');
  });

  it('gives the defaults with their meaning', async () => {
    const { code, document } = await documentOf(place(), 'check', '--defaults');
    expect(code).toBe(0);
    const { defaults } = document as { defaults: unknown[] };
    expect(document).toMatchObject({ ok: true, faults: [] });
    expect(defaults).toContainEqual({ key: 'feed.interval', default: '1s', meaning: expect.any(String) as string });
    expect(defaults).toContainEqual(expect.objectContaining({ key: 'limits.maxPrice', default: null }));
  });

  it('is no document where a person asked', async () => {
    const { code, out } = await magpie(['why', '4711', '--config', 'magpie.yaml'], { cwd: place() });
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });
});
