import type { EpochMs } from '../domain/clock.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** Ends without a word that are remembered: a restart loop shows within minutes. */
const REMEMBERED_MS = 600_000;

export interface StartFound {
  /** Starts of the last ten minutes, this one included, that followed an end which was not in order. */
  readonly afterCrash: number;
  /** Goods went elsewhere before: the trade URL is another than at the last start that had one. */
  readonly tradeUrlChanged: boolean;
}

export interface Starts {
  /** Notes a start. `tradeUrlMark` tells one trade URL from another and gives nothing away; undefined where there is none. */
  noteStart(at: EpochMs, tradeUrlMark: string | undefined): StartFound;
  /** Notes that the process ends in order. */
  noteStop(): void;
}

interface Noted {
  readonly running: boolean;
  readonly crashes: readonly EpochMs[];
  readonly tradeUrlMark?: string | undefined;
}

export function createStarts(store: Store, meta: Meta): Starts {
  const noted = (): Noted => {
    const text = meta.text('starts');
    return text === undefined ? { running: false, crashes: [] } : (JSON.parse(text) as Noted);
  };
  const note = (next: Noted): void => meta.set('starts', JSON.stringify(next));
  return {
    noteStart: (at, tradeUrlMark) =>
      store.transaction('start', () => {
        const before = noted();
        const crashes = [...before.crashes, ...(before.running ? [at] : [])].filter(
          (crash) => Math.abs(at - crash) < REMEMBERED_MS,
        );
        note({ running: true, crashes, tradeUrlMark: tradeUrlMark ?? before.tradeUrlMark });
        const tradeUrlChanged =
          tradeUrlMark !== undefined && before.tradeUrlMark !== undefined && before.tradeUrlMark !== tradeUrlMark;
        return { afterCrash: before.running ? crashes.length : 0, tradeUrlChanged };
      }),
    noteStop: () => store.transaction('stop', () => note({ ...noted(), running: false })),
  };
}
