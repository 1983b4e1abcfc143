import type { Strategy } from '../strategy/strategy.ts';
import type { Settings } from './settings.ts';
import { watch as watchBlock } from './watch-schema.ts';

interface Asked {
  readonly settings: Pick<Settings, 'watch'>;
  readonly strategies: readonly Pick<Strategy, 'watches'>[];
}

/** How the items are looked at, and which: those of the configuration and those that strategies ask for, each once; undefined: none is. */
export function watchedItems({ settings, strategies }: Asked): NonNullable<Settings['watch']> | undefined {
  const asked = strategies.flatMap(({ watches }) => watches);
  if (settings.watch === undefined && asked.length === 0) return undefined;
  const { items, share, pages } = settings.watch ?? watchBlock.parse({});
  return { items: [...new Set([...items, ...asked])], share, pages };
}
