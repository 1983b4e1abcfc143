import { type Figure, figure, time } from '../figure.ts';
import { measureMatching } from '../matching.ts';

/** Row five: 1,000 strategies for one listing, what a first sight costs on the hot path, and how long a reload keeps the thread. */
export function matchingRow(part: number): readonly Figure[] {
  const { floorMicros, indexMicros, ofFloor, rebuildMs, tickMs } = measureMatching({
    strategies: 1_000,
    listings: 10_000,
    rounds: Math.ceil(9 * part),
  });
  const common = { floor: time(floorMicros / 1_000) };
  return [
    figure(
      {
        ...{ ...common, id: 'matching', what: 'matching 1,000 strategies, per listing, CPU' },
        ...{ ours: time(indexMicros / 1_000), value: ofFloor.known },
      },
      0.05,
    ),
    figure({
      ...{ ...common, id: 'matching-first-sight', what: 'first sight of an item on the hot path, per listing, CPU' },
      ...{ ours: time((floorMicros * ofFloor.firstSight) / 1_000), value: ofFloor.firstSight },
    }),
    figure(
      {
        ...{ id: 'matching-reload', what: 'longest pause of a reload, 1,000 strategies', floor: '', unit: 'ms' },
        ...{ ours: time(rebuildMs.median), value: Math.max(rebuildMs.most, tickMs.most) },
      },
      10,
    ),
  ];
}
