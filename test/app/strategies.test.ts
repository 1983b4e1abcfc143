import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, offer, openExchange, ordersAt, startBot } from './stage.ts';

describe('a strategy that is removed or renamed', () => {
  it('leaves its purchases to be followed to their end, and counted by the account [B27 C13]', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('2', { price: 11 })], speed: 40 });
    const place = freshPlace();
    const config = { limits: { maxPrice: 1000, spend: { day: 21 } }, reconcile: { interval: '1s' } };
    const former = { former: { when: { name: '*' }, price: { max: 10.5 } } };
    const first = await startBot({ place, at: exchange, config, strategies: former });
    await first.sees('a purchase', () => first.purchases()[0]?.state === 'bought');
    await first.stop();

    rmSync(join(place, 'strategies', 'former.yaml'));
    const later = { later: { when: { name: '*' }, price: { max: 1000 } } };
    const second = await startBot({ place, at: exchange, config, strategies: later });
    await second.sees('the purchase completed', () => second.purchases()[0]?.state === 'completed');
    const refused = expect.objectContaining({ listingId: '2', strategy: 'later', reason: 'spend-day' });
    const decided = (): readonly unknown[] => second.beside((ledger) => ledger.decisions(10));
    await second.sees('the cap', () => decided().some((each) => refused.asymmetricMatch(each)));
    await second.stop();
    expect(second.json()).toMatchObject([{ strategy: 'former', state: 'completed', listingId: '1' }]);
    expect(decided()).toContainEqual(refused);
    expect(ordersAt(exchange)).toHaveLength(1);
  });
});
