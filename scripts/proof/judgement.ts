/** What a run of kills has come to, as far as it is judged by. */
export interface KillRun {
  readonly rounds: number;
  /** Orders that came of our buys. */
  readonly bought: number;
  /** Kills right after which a purchase stood without an outcome. */
  readonly caught: number;
  /** See `DaemonProcess.endsByItself`. */
  readonly endsByItself: readonly string[];
  /** Promises that were not kept, and differences between the books. */
  readonly broken: readonly string[];
}

/** Of so many rounds one at least ends between a record and its answer, or the kills fall beside the point. */
const ROUNDS_TO_CATCH = 10;

/** A round that buys nothing is usual on a busy machine, ten in a row are not. */
const ROUNDS_PER_ORDER = 10;

/** Of ends without a kill so many are told in full: the others will say the same. */
const ENDS_TOLD = 3;

/** What is wrong with a run of kills, in words; empty when every promise was kept, and when there was something to show it by. */
export function wrongWith(run: KillRun): string[] {
  return [...toldOf(run.endsByItself), ...run.broken, ...showsNothing(run)];
}

/** Ends of a daemon that nobody had ended. */
export function toldOf(ends: readonly string[]): string[] {
  const more = ends.length - ENDS_TOLD;
  return [...ends.slice(0, ENDS_TOLD), ...(more > 0 ? [`the daemon ended by itself ${more} more times`] : [])];
}

/** An account that never buys breaks no promise, nor does a daemon that is never killed in the midst of a buy. */
function showsNothing({ rounds, bought, caught }: KillRun): string[] {
  const few = bought < Math.max(1, rounds / ROUNDS_PER_ORDER);
  const beside = rounds >= ROUNDS_TO_CATCH && caught === 0;
  return [
    ...(few ? [`the run shows nothing: ${bought} orders came of ${rounds} rounds`] : []),
    ...(beside ? [`the run shows nothing: none of ${rounds} kills fell while a purchase had no outcome`] : []),
  ];
}
