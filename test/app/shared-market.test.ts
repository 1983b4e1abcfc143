import { expect, it } from 'vitest';
import { SharedMarket } from '../../src/app/accounts/shared-market.ts';
import { inOrder, matchOf } from '../../src/engine/match.ts';
import type { ListingChange } from '../../src/engine/snapshot.ts';
import type { Reply, Service } from '../../src/engine/ports.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { entry } from '../support/feed-entries.ts';
import { strategy } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

it('of two offers as good the one that was seen first goes first, however far up each stood in its answer', async () => {
  const clock = new VirtualClock();
  // Two that stood above the third are bought meanwhile, and a fourth comes first.
  const answers = [
    ['1', '2', '3'],
    ['4', '3'],
  ];
  const service: Service = {
    read: async () => {
      const listings = (answers.shift() ?? []).map((id) => entry({ id }));
      return {
        ok: true,
        data: { listings, listingsCount: listings.length },
        beganAt: clock.now(),
        endedAt: clock.now(),
      } as Reply<never>;
    },
  };
  const market = new SharedMarket({
    ...{ service, clock, intervalMs: 1_000, healthIntervalMs: 1_000, parse: 'whole', health: false, tape: undefined },
    afterAll: (work) => work(),
    onFirst: () => undefined,
    onPoll: () => undefined,
  });
  const told: ListingChange[] = [];
  market.listings(() => undefined).subscribe((poll) => void told.push(...(poll.change?.changed ?? [])));
  market.start(new AbortController().signal);
  await clock.advance(1_500);
  const strategies = new StrategyIndex([strategy()]);
  const matches = told.flatMap(({ listing, seenAt, position }) => matchOf(listing, strategies, { at: seenAt, position }) ?? []);
  expect(matches.toSorted(inOrder).map(({ listing }) => listing.id)).toEqual(['1', '2', '3', '4']);
});
