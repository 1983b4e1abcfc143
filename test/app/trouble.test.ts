import { describe, expect, it, onTestFinished } from 'vitest';
import { startDaemon } from '../../src/app/daemon.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { freshPlace, offer, openExchange, postsAt, startBot, written } from './stage.ts';

describe('trouble', () => {
  it('with the name of the service: the daemon stays up, and says so ever less often [unattended-3 transport-6]', async () => {
    const exchange = await openExchange({ offers: [] });
    const at = { ...exchange, baseUrl: 'http://magpie.invalid' };
    const config = {
      feed: { interval: '20ms', health: { interval: '20ms' } },
      rate: { reads: { perSecond: 1000, concurrent: 8 } },
    };
    const bot = await startBot({ place: freshPlace(), at, config });
    await bot.sees('sixteen failed polls', () => bot.daemon.core.facts.failuresInRow >= 16);
    const told = bot.lines.filter((line) => line.includes('No listings'));
    expect(told.length).toBeGreaterThan(2);
    expect(told.length).toBeLessThanOrEqual(Math.log2(bot.daemon.core.facts.failuresInRow) + 1);
    expect(told[0]).toMatch(/ENOTFOUND|EAI_AGAIN|not known/);
    expect(bot.lines.length).toBeLessThan(30);
    expect(await bot.stop()).toEqual({ exitCode: 0 });
  });

  it('of our own making: nothing more is bought, and the process ends with an error [P30]', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const place = freshPlace();
    const settings = written({ place, at: exchange });
    const loaded = loadStrategies(settings.strategies, settings.strategies);
    if (!loaded.ok) throw new Error('no strategies');
    const matches = (): never => {
      throw new TypeError('a defect of ours');
    };
    const lines: string[] = [];
    const started = await startDaemon({
      settings,
      strategies: loaded.strategies.map((strategy) => ({ ...strategy, matches })),
      notices: [],
      env: { XDG_RUNTIME_DIR: place },
      version: '0.0.0-test',
      clock: new SystemClock(),
      random: systemRandom,
      palette: plainPalette,
      write: (line) => void lines.push(line),
      once: false,
    });
    if (!started.ok) throw new Error(started.message);
    onTestFinished(() => started.daemon.stop('the test is over'));
    expect(await started.daemon.ended).toEqual({ exitCode: 1 });
    expect(lines.join('')).toContain('a defect of ours');
    expect(postsAt(exchange)).toBe(0);
  });
});

describe('what is told of a purchase', () => {
  it('is what it costs with the fee, from the decision to the summary [money-19]', async () => {
    const exchange = await openExchange({ offers: [offer('1', { price: 7.77 })] });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.says('bought    AK-47 | Redline (Field-Tested) $8.16');
    await bot.stop();
    expect(bot.text).toContain('buy       AK-47 | Redline (Field-Tested) $8.16');
    expect(bot.text).not.toContain('$7.77');
    expect(bot.text).toContain('$8.16 committed');
  });
});
