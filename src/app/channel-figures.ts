import type { ChannelName } from '../notify/channel.ts';
import type { Waiting } from '../notify/delivery.ts';

/** What came of a channel since the start. */
export interface ChannelFigures {
  readonly name: ChannelName;
  /** Alerts that it has taken. */
  told: number;
  /** Alerts that wait for it. */
  pending: number;
  /** Messages that it did not take. */
  failures: number;
  /** It did not take the last one. */
  failing: boolean;
}

export function freshFigures(name: ChannelName): ChannelFigures {
  return { name, told: 0, pending: 0, failures: 0, failing: false };
}

/** The same, counted once it has been told. */
export function counted(figures: ChannelFigures, waiting: Waiting | undefined): Waiting | undefined {
  figures.pending = waiting?.groups.reduce((total, { count }) => total + count, 0) ?? 0;
  if (waiting === undefined) return undefined;
  return {
    groups: waiting.groups,
    told: () => {
      waiting.told();
      figures.told += figures.pending;
      figures.pending = 0;
    },
  };
}
