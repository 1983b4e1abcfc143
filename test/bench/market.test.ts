import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { EntryMemory } from '../../src/feed/entry.ts';
import { SliceReader } from '../../src/feed/slices/reader.ts';
import { Bench } from '../sandbox/harness.ts';
import { PollFloor } from './floors/poll.ts';
import { Market, WANTED, type Wire, snapshotOf } from './market.ts';

const drawn = (new Bench({ listings: 400 }).feed() as unknown as Wire[]).filter((wire) => wire['marketHashName'] !== WANTED);

function market(size = 200): Market {
  return new Market(size, seededRandom(1, 'test'), drawn);
}

describe('a snapshot of the market', () => {
  it('is JSON of exactly its listings, and says where the bytes of one of them end', () => {
    const entries = market().next(0);
    const marked = entries[77]!;
    const { body, endOf } = snapshotOf(entries, 5, marked);
    expect(JSON.parse(body.toString())).toEqual({
      requestId: 'bd09c449-98bf-4c15-b889-000000000005',
      success: true,
      data: { listings: entries, listingsCount: entries.length },
    });
    expect(body.subarray(0, endOf).toString().endsWith(JSON.stringify(marked))).toBe(true);
  });

  it('differs from the one before by the share that was asked for', () => {
    const moving = market();
    const floor = new PollFloor();
    const poll = (share: number): number => floor.poll(textOf(moving.next(share))).changed.length;
    expect(poll(1)).toBe(200);
    expect(poll(0)).toBe(0);
    expect(poll(0.1)).toBe(20);
    expect(poll(1)).toBe(200);
  });

  it('holds the one listing that is wanted when it is planted, and then no more', () => {
    const moving = market();
    const { entries, wanted } = moving.planted(moving.next(0));
    expect(entries.filter((wire) => wire['marketHashName'] === WANTED)).toEqual([wanted]);
    expect(moving.next(0.1).filter((wire) => wire['marketHashName'] === WANTED)).toEqual([]);
  });
});

it('the floor and Magpie find the same differences, whatever the share and the order', () => {
  const moving = market();
  const floor = new PollFloor();
  const diff = new ListingsDiff(new EntryMemory());
  const reader = new SliceReader(() => undefined);
  for (const [seq, share] of [0, 0.01, 0.1, 0.5, 0.1, 1].entries()) {
    if (seq === 4) moving.shuffle();
    const { entries } = moving.planted(moving.next(share));
    const text = textOf(entries);
    const { changed, gone } = floor.poll(text);
    const listings = reader.read([Buffer.from(text)])?.listings ?? [];
    const times = { pollSeq: seq, beganAt: seq, endedAt: seq };
    const ours = diff.apply({ ...times, listings, listingsCount: listings.length });
    expect(ours.changed.map(({ listing }) => listing.id)).toEqual(changed.map((wire) => wire['id']));
    expect(ours.gone).toHaveLength(gone);
  }
});

function textOf(entries: readonly Wire[]): string {
  return snapshotOf(entries, 1, entries[0]!).body.toString();
}
