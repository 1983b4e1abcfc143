import { type Figure, figure, time } from '../figure.ts';
import { measurePolls, pollGoals } from '../snapshots.ts';

/** Row four: the CPU of one poll of 10,000 listings, by how much of it is new. */
export function pollRows(part: number): readonly Figure[] {
  return pollGoals.map(({ share, goal }) => {
    const { floorMs, oursMs, ratio } = measurePolls({ share, polls: Math.ceil(21 * part), warmUp: Math.ceil(15 * part) });
    const what = `CPU of a poll, 10,000 listings, ${share * 100} % new`;
    return figure({ id: `poll-${share * 100}`, what, floor: time(floorMs), ours: time(oursMs), value: ratio }, goal);
  });
}
