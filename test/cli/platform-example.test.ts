import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import { openReader } from '../../src/ledger/open.ts';
import { PATIENCE_MS, within } from '../app/stage.ts';
import { Signals, magpie } from './harness.ts';

const config = fileURLToPath(new URL('../../config/platform.yaml', import.meta.url));
const shops = ['shop-one', 'shop-two', 'shop-three'] as const;

function boughtBy(data: string, shop: string): readonly Purchase[] {
  const reader = openReader(join(data, 'accounts', shop));
  if (!reader.ok) return [];
  const purchases = reader.value.purchases({ lane: 'live' });
  reader.value.close();
  return purchases.filter(({ serviceOrderId }) => serviceOrderId !== undefined);
}

describe('the example of a platform', () => {
  it('runs by the one command that README gives: each merchant buys, none what another has, and one that is halted stops none', async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'magpie-platform-')));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const data = join(cwd, 'data');
    const given = ['--config', config, '--data', data];
    const [signals, clock] = [new Signals(), new SystemClock()];
    const running = magpie(['run', ...given], { cwd, clock, signals });
    const count = (): number[] => shops.map((shop) => boughtBy(data, shop).length);
    expect(await within(() => count().every((each) => each > 0), PATIENCE_MS)).toBe(true);

    const halted = await magpie(['halt', ...given, '--account', 'shop-two', '--reason', 'to see that the others go on'], {
      cwd,
      clock,
    });
    expect(halted).toMatchObject({ code: 0, err: '' });
    const status = await magpie(['status', ...given], { cwd, clock });
    expect(status.out).toMatch(/^shop-two {4}halted: to see that the others go on · balance/m);
    expect(status.out).toMatch(/^shop-one {4}(?!halted)/m);
    const alive = await magpie(['status', ...given, '--alive'], { cwd, clock });
    expect(alive.code).toBe(0);
    const second = await magpie(['run', ...given], { cwd, clock });
    expect(second.code).toBe(3);

    signals.send('SIGINT');
    const ran = await running;
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
    const all = shops.flatMap((shop) => boughtBy(data, shop));
    expect(new Set(all.map(({ market, listingId }) => `${market}:${listingId}`)).size).toBe(all.length);
    expect(new Set(all.map(({ account }) => account)).size).toBe(3);
    for (const [at, shop] of shops.entries()) {
      const accounts = new Set(boughtBy(data, shop).map(({ account }) => account));
      expect({ at, size: accounts.size }).toEqual({ at, size: 1 });
    }
    for (const { marketHashName } of boughtBy(data, 'shop-three')) expect(marketHashName.startsWith('★')).toBe(false);
  });
});
