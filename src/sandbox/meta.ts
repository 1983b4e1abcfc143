import type { EpochMs } from '../domain/clock.ts';
import type { RecordStore } from './records.ts';
import { SandboxError } from './sandbox-error.ts';

/** What a start of the exchange needs to know of the starts before it. */
export interface Meta {
  /** 1 at the first start: the random streams of each start differ, those of the same start do not. */
  readonly boot: number;
  readonly savedAt: EpochMs;
  readonly nextSeq: number;
  /** Which market the saved listings belong to: `made-up`, or one of a saved answer. */
  readonly market: string;
  /** The saved listings are of the same market: it goes on. */
  readonly marketGoesOn: boolean;
}

interface SavedMeta {
  readonly seed: number;
  readonly boot: number;
  readonly savedAt: EpochMs;
  readonly nextSeq: number;
  readonly market: string;
}

/** Numbers left out after a start, since the last listings before a kill may have been shown but not saved. */
const NUMBERS_LEFT_OUT = 10_000;

/** Reads what the last start left. Throws SandboxError when the books are of another seed. */
export function metaOf(store: RecordStore, seed: number, market: string, now: EpochMs): Meta {
  const saved = store.load('meta')[0] as SavedMeta | undefined;
  if (!saved) return { boot: 1, savedAt: now, nextSeq: 0, market, marketGoesOn: false };
  if (saved.seed !== seed) {
    throw new SandboxError(
      'seed',
      `the sandbox's books here were made with seed ${saved.seed}, not ${seed}: use that seed, another data folder, or delete sandbox.db`,
    );
  }
  return {
    boot: saved.boot + 1,
    savedAt: saved.savedAt,
    nextSeq: saved.nextSeq + NUMBERS_LEFT_OUT,
    market,
    marketGoesOn: saved.market === market,
  };
}
