import type { Clock } from '../domain/clock.ts';
import { Watchlist } from '../feed/watchlist.ts';
import type { Settings } from '../settings/settings.ts';
import { watchedItems } from '../settings/watched-items.ts';
import type { Strategy } from '../strategy/strategy.ts';

/** What the configuration and the strategies want looked at beside the live listings; undefined: nothing. */
export function watchlistOf(
  settings: Pick<Settings, 'watch' | 'rate'>,
  strategies: readonly Pick<Strategy, 'watches'>[],
  clock: Clock,
): Watchlist | undefined {
  const watched = watchedItems({ settings, strategies });
  if (watched === undefined) return undefined;
  const spacingMs = 1_000 / (settings.rate.reads.perSecond * watched.share);
  return new Watchlist({ clock, items: watched.items, spacingMs, pagesMax: watched.pages });
}
