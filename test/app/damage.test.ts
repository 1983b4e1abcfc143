import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOON } from '../support/values.ts';
import { damages, killed } from '../ledger/damaged-log.ts';
import { ScriptedService, listings, profile } from './scripted-service.ts';
import { type Bot, freshPlace, offer, pause, startBot, tryBot } from './stage.ts';

/** Overwrites what is after the first page by another program, as a failing disk would, without touching the locks of this process. */
function ruin(path: string, from = 1): void {
  const pages = Math.ceil(statSync(path).size / 4_096);
  const where = [`of=${path}`, 'bs=4096', `seek=${from}`, `count=${Math.max(pages - from, 1)}`];
  execFileSync('dd', ['if=/dev/urandom', ...where, 'conv=notrunc'], { stdio: 'ignore' });
}

async function damagedWhileRunning(...files: readonly string[]): Promise<{ bot: Bot; service: ScriptedService }> {
  const feed: { offers: readonly unknown[] } = { offers: [] };
  const service = await ScriptedService.open({ live: () => listings(feed.offers) });
  const bot = await startBot({ place: freshPlace(), at: service.address });
  await bot.says('Start checks passed');
  for (const file of files) ruin(join(bot.data, file), file.endsWith('-wal') ? 0 : 1);
  // Another writer makes the daemon read anew.
  feed.offers = [offer('1')];
  await bot.says('The journal cannot be written');
  return { bot, service };
}

describe('a ledger that is damaged while the daemon runs', () => {
  it.each([['its file', ['magpie.db', 'magpie.db-wal']]])(
    '%s: it stays up, buys nothing, and says so once with what to do [P19 unattended-6]',
    async (_, files) => {
      const { bot, service } = await damagedWhileRunning(...files);
      const asked = service.asked('live');
      await bot.sees('polls all the same', () => service.asked('live') > asked + 10);
      await pause(1_500);
      expect(service.asked('buy')).toBe(0);
      expect(bot.text.match(/ALERT/g)).toHaveLength(1);
      expect(bot.text).toContain('then `magpie restore FILE` with the newest backup');
      expect(bot.lines.length).toBeLessThan(20);
      expect(await bot.stop()).toEqual({ exitCode: 0 });
    },
    40_000,
  );
});

describe('a ledger whose log was damaged while the daemon was down', () => {
  it('is started halted, which a halt that was lost with it may have been, and buys once a person resumes [P19 P20]', async () => {
    const service = await ScriptedService.open({
      live: () => listings([offer('1'), offer('2')]),
      user: () => profile(1_000, 'account-1'),
    });
    const place = freshPlace();
    killed({ anchored: true, damage: damages[2]?.[1] ?? fail, target: join(place, 'data') });
    const bot = await startBot({ place, at: service.address });
    await bot.says('Start checks passed');
    expect(bot.beside((ledger) => ledger.standingHalts().map(({ by }) => by))).toEqual(['start']);
    expect(bot.text).toContain('ALERT');
    expect(bot.text).toContain('The ledger has lost what it wrote last: its write-ahead log was damaged');
    expect(bot.text).toContain('HALTED');
    expect(bot.beside((ledger) => ledger.alerts(0, 10).map(({ kind }) => kind))).toContain('disk');
    await pause(500);
    expect(service.asked('buy')).toBe(0);
    bot.beside((ledger) => ledger.resume(NOON));
    await bot.sees('it buys', () => service.asked('buy') > 0);
    await bot.stop();
    const again = await startBot({ place, at: service.address });
    await again.says('Start checks passed');
    expect(again.text).not.toContain('HALTED');
  });

  it('is not started where all that it knew was in that log', async () => {
    const service = await ScriptedService.open({ live: () => listings([offer('1')]) });
    const place = freshPlace();
    killed({ anchored: false, damage: damages[2]?.[1] ?? fail, target: join(place, 'data') });
    expect(await tryBot({ place, at: service.address })).toMatchObject({ ok: false, exitCode: 1 });
    expect(service.asked('buy')).toBe(0);
  });
});

function fail(): never {
  throw new Error('there is no such damage');
}
