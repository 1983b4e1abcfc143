import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { type DaySample, dayOf } from '../../src/domain/reference.ts';
import { magpie } from '../cli/harness.ts';
import { opened } from '../ledger/support.ts';
import { dollars } from '../support/values.ts';
import { freshPlace, offer, openExchange, postsAt, startBot } from './stage.ts';

/** A folder in which a name was seen at this steamPrice on each of the last days. */
function remembered(place: string, name: string, steam: number, days = 5): void {
  const ledger = opened(`${place}/data`);
  const today = dayOf(Date.now());
  for (let day = today - days; day < today; day++) {
    const sample: DaySample = { day, readings: 24, steam: dollars(steam), floor: dollars(9) };
    const reading = { at: day * 86_400_000, floor: dollars(9), nextFloor: undefined };
    ledger.keepReferences([{ name, reading, sample }], 0);
  }
  ledger.close();
}

const realTime = new SystemClock();
const redline = 'AK-47 | Redline (Field-Tested)';
const awp = 'AWP | Asiimov (Field-Tested)';
const bySteam = { wants: { when: { name: '*' }, price: { max: 1000, maxOfSteam: 0.7 } } };

describe('a daemon with a record of prices', () => {
  it('does not buy by a steamPrice that has jumped tenfold, says so, and `why` shows the record [money-23 M8]', async () => {
    const place = freshPlace();
    remembered(place, redline.toLowerCase(), 40);
    const jumped = offer('800000001', { marketHashName: redline, steamPrice: 400 });
    const sound = offer('800000002', { marketHashName: awp, steamPrice: 40 });
    const exchange = await openExchange({ offers: [jumped, sound] });
    const bot = await startBot({ place, at: exchange, strategies: bySteam });
    await bot.says('ALERT');
    await bot.sees('the other bought', () => bot.purchases().length === 1);
    await bot.sees('the look after it', () => bot.purchases()[0]?.state === 'bought');
    await bot.stop();
    expect(bot.purchases().map(({ listingId }) => listingId)).toEqual(['800000002']);
    expect(postsAt(exchange)).toBe(1);
    expect(bot.text).toContain('+900 % from $40.00, the median of 5 days');
    const why = await magpie(['why', '800000001', '--config', 'magpie.yaml', '--json'], { cwd: place, clock: realTime });
    expect(JSON.parse(why.out)).toMatchObject({
      reference: { median: 40, samples: 5, low: 40, high: 40, jumped: expect.stringContaining('+900 %') },
      decisions: expect.arrayContaining([expect.objectContaining({ reason: 'reference-jumped', verdict: 'refused' })]),
      strategies: [{ matches: true, admission: { admitted: false, reason: 'reference-jumped' } }],
    });
    const text = await magpie(['why', '800000001', '--config', 'magpie.yaml'], { cwd: place, clock: realTime });
    expect(text.out).toContain('our record of its steamPrice: median $40.00 of 5 days ($40.00 to $40.00), now +900 %, newest ');
  });

  it('buys nothing while the whole market has fallen, as `status` says, and goes on when a person resumes', async () => {
    const place = freshPlace();
    const ledger = opened(`${place}/data`);
    const why = 'of 500 names the cheapest listings of 400 are down';
    ledger.saveMarketFall({ since: Date.now() - 1_000, why, calmSince: undefined, resumed: false });
    ledger.close();
    const exchange = await openExchange({ offers: [offer('800000001')] });
    const bot = await startBot({ place, at: exchange });
    await bot.sees('a refusal', () =>
      bot.beside((each) => each.decisionsOf('800000001').some(({ reason }) => reason === 'market-fall')),
    );
    await bot.sees('a sign of life that tells it', () =>
      bot.beside((each) => each.heartbeat()?.blockers[0]?.reason === 'market-fall'),
    );
    const status = await magpie(['status', '--config', 'magpie.yaml'], { cwd: place, clock: realTime });
    expect(status.out).toContain(why);
    expect(postsAt(exchange)).toBe(0);
    const resumed = await magpie(['resume', '--config', 'magpie.yaml'], { cwd: place, clock: realTime });
    expect(resumed.out).toContain(`a fall of the market: ${why}`);
    await bot.sees('a purchase', () => bot.purchases().length === 1);
    await bot.stop();
  });

  it('buys what is so much below all others of its name, and says the same of it afterwards', async () => {
    const place = freshPlace();
    // Once the first is gone, the second is not so much below the third.
    const offers = [offer('800000001', { price: 9 }), offer('800000002', { price: 10 }), offer('800000003', { price: 10.2 })];
    const exchange = await openExchange({ offers });
    const strategies = { wants: { when: { name: '*' }, price: { max: 1000, belowFloor: 0.05 } } };
    const bot = await startBot({ place, at: exchange, strategies });
    await bot.sees('a purchase', () => bot.purchases().length === 1);
    await bot.sees('a reading', () => bot.beside((each) => each.referenceOf(redline.toLowerCase()) !== undefined));
    await bot.stop();
    expect(bot.purchases().map(({ listingId }) => listingId)).toEqual(['800000001']);
    const why = await magpie(['why', '800000002', '--config', 'magpie.yaml'], { cwd: place, clock: realTime });
    expect(why.out).toContain('price.belowFloor');
  });
});
