/** `buying-child FOLDER LINES`: buys three listings, one after another, and appends a line when each is decided and when it is sent. */
import { appendFileSync } from 'node:fs';
import type { Venue } from '../../../src/engine/ports.ts';
import { Buyer } from '../../../src/execution/buyer.ts';
import { openLedger } from '../../../src/ledger/open.ts';
import { approve } from '../../../src/risk/intent.ts';
import { NOON, dollars, intent, listing, wideLimits } from '../../support/values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { permit } from './counter.ts';
import { Ear } from './desk.ts';

const [, , folder = '', lines = ''] = process.argv;
const say = (line: string): void => appendFileSync(lines, `${line}\n`);

const opened = openLedger({ folder });
if (!opened.ok) throw new Error(opened.fault.message);
const { ledger } = opened.value;
ledger.bindAccount('account-1');
ledger.recordBalance({ amount: dollars(1_000), beganAt: NOON, endedAt: NOON + 1 });

const venue: Venue = {
  buy: (order) => {
    say(`sent ${order.listingId}`);
    const outcome = { kind: 'unsent', cause: 'connection', message: 'nobody is there' } as const;
    return Promise.resolve({ outcome, times: { sentAt: undefined, answeredAt: undefined } });
  },
};
const buyer = new Buyer({ journal: ledger, venue, clock: new VirtualClock(NOON), limits: () => wideLimits, told: new Ear() });
for (const id of ['1', '2', '3']) {
  say(`decided ${id}`);
  await buyer.buy(approve(intent({ listing: listing({ id }) })), permit());
  say(`recorded ${id}`);
}
ledger.close();
