import { expect, it } from 'vitest';
import { SHOP, TOP, treasuryScene as scene } from './treasury-scene.ts';

it('has the key of the account that a child is called as, where both stand in one file, and takes no other below that name', async () => {
  const accounts = `account: { partnerKey: ${TOP} }\naccounts: { shop: { apiKey: ${SHOP} } }\n`;
  const named = await scene((yaml) => accounts + yaml.replace(`, key: ${SHOP}`, ''));
  const moved = await named.run('treasury', 'run', '--once');
  expect([moved.code, moved.out]).toEqual([0, expect.stringContaining('Moved $180.00 to shop (transfer 1)')]);
  const other = 'play-key-of-somebody-else';
  const torn = await scene((yaml) => accounts + yaml.replace(`key: ${SHOP}`, `key: ${other}`));
  const refused = await torn.run('treasury', 'run', '--once');
  expect([refused.code, torn.sandbox.books().transfers]).toEqual([2, []]);
  expect(refused.err).toContain('is another key than accounts.shop.apiKey');
  for (const secret of [SHOP, other]) expect(refused.err).not.toContain(secret);
});
