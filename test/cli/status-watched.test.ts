import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../src/app/narrate.ts';
import { watchedJson, watchedWords } from '../../src/cli/status-watched.ts';
import type { WatchedItem } from '../../src/domain/watched-item.ts';

const NOW = Date.UTC(2026, 0, 5, 12);

const item = (fields: Partial<WatchedItem>): WatchedItem => ({
  ...{ asked: 'AWP | Asiimov (Field-Tested)', itemId: 'aaaaaaaaaaaaaaaa', problem: undefined, near: [] },
  ...{ lookedAt: NOW - 3_000, listings: 24, complete: true, fault: undefined },
  ...fields,
});

const words = (items: readonly WatchedItem[]): readonly string[] =>
  watchedWords(items, NOW, { palette: plainPalette } as Parameters<typeof watchedWords>[2]);

describe('what status says of watched items', () => {
  it('tells when each was looked at, and those in trouble first', () => {
    const unfound = item({ asked: 'AWP | Asimov', itemId: undefined, problem: 'no item has this name', near: ['AWP | Asiimov'] });
    expect(
      words([
        item({}),
        item({ asked: 'a', complete: false, listings: 1 }),
        item({ asked: 'b', fault: 'HTTP 500' }),
        item({ asked: 'c', lookedAt: undefined }),
        unfound,
        item({ asked: 'd', itemId: undefined, lookedAt: undefined }),
      ]),
    ).toEqual([
      'b: looked at 3 s ago: 24 listings; then it failed: HTTP 500',
      'AWP | Asimov: not watched: no item has this name → "AWP | Asiimov"?',
      'AWP | Asiimov (Field-Tested): looked at 3 s ago: 24 listings',
      'a: looked at 3 s ago: 1 listing, not all that there are',
      'c: not looked at yet',
      'd: its name is looked up next',
    ]);
  });

  it('shows some of many, and all of them to programs', () => {
    const many = Array.from({ length: 20 }, (_, index) => item({ asked: String(index) }));
    expect(words(many).at(-1)).toBe('and 8 items more (`magpie status --json`)');
    expect(watchedJson(many)).toHaveLength(20);
    expect(watchedJson(undefined)).toBeNull();
    expect(watchedJson([item({})])).toEqual([
      {
        ...{ item: 'AWP | Asiimov (Field-Tested)', itemId: 'aaaaaaaaaaaaaaaa', problem: null, near: [] },
        ...{ lookedAt: '2026-01-05T11:59:57.000Z', listings: 24, complete: true, fault: null },
      },
    ]);
  });
});
