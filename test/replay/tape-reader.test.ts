import { describe, expect, it } from 'vitest';
import { TapeReader } from '../../src/replay/tape-reader.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { reading, recordingPath, tapeAt } from './recording.ts';

describe('what the recording knows of a listing', () => {
  it('is every version of it, between which polls each was seen, and when it went', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '1' })]));
    tape.poll(polls.next([entry({ id: '1' }), entry({ id: '7' })]));
    tape.poll(polls.next([], { listingsCount: 2 }));
    tape.poll(polls.fail());
    tape.poll(polls.next([entry({ id: '7', price: 9 }), entry({ id: '1' })]));
    tape.poll(polls.next([entry({ id: '7', price: 9 }), entry({ id: '1' })]));
    tape.poll(polls.next([entry({ id: '1' })]));
    tape.close(START + 60_000);
    expect(reading(path, (reader) => reader.findListing('7'))).toEqual([
      {
        market: 'c5game',
        id: '7',
        firstSeenAt: START + 2_050,
        lastSeenAt: START + 6_050,
        goneAt: START + 7_050,
        standing: false,
        events: [
          {
            kind: 'appeared',
            at: START + 2_050,
            pollSeq: 2,
            afterPollAt: START + 1_050,
            position: 1,
            chunk: 0,
            raw: entry({ id: '7' }),
            reason: undefined,
          },
          {
            kind: 'repriced',
            at: START + 5_050,
            pollSeq: 5,
            afterPollAt: START + 2_050,
            position: 0,
            chunk: 0,
            raw: entry({ id: '7', price: 9 }),
            reason: undefined,
          },
          {
            kind: 'gone',
            at: START + 7_050,
            pollSeq: 7,
            afterPollAt: START + 6_050,
            position: undefined,
            chunk: undefined,
            raw: undefined,
            reason: undefined,
          },
        ],
      },
    ]);
    expect(reading(path, (reader) => reader.findListing('1'))).toMatchObject([
      { firstSeenAt: START + 1_050, lastSeenAt: START + 7_050, goneAt: undefined, standing: true },
    ]);
    expect(reading(path, (reader) => reader.findListing('2'))).toEqual([]);
  });

  it('is asked for on one market or on all', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    tape.poll(new Polls().next([entry({ id: '7' }), entry({ id: '7', market: 'ecosteam' })]));
    tape.close(START + 60_000);
    expect(reading(path, (reader) => reader.findListing('7').map(({ market }) => market))).toEqual(['c5game', 'ecosteam']);
    expect(reading(path, (reader) => reader.findListing('7', 'ecosteam').map(({ market }) => market))).toEqual(['ecosteam']);
  });

  it('tells why it was bad', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '7' })]));
    tape.poll(polls.next([entry({ id: '7', wear: 7 })]));
    tape.close(START + 60_000);
    expect(reading(path, (reader) => reader.findListing('7'))).toMatchObject([
      {
        goneAt: START + 2_050,
        standing: false,
        events: [{ kind: 'appeared' }, { kind: 'gone' }, { kind: 'bad', reason: 'wear 7 is outside 0 to 1', raw: { wear: 7 } }],
      },
    ]);
  });

  it('covers every session, and a listing does not stand because it did before a restart', () => {
    const path = recordingPath();
    const before = tapeAt(path);
    const polls = new Polls();
    before.tape.poll(polls.next([entry({ id: '7' })]));
    before.tape.close(START + 5_000);
    const after = tapeAt(path, { startedAt: START + 60_000 });
    const times = { beganAt: START + 61_000, endedAt: START + 61_050 };
    const result = new Polls().next([entry({ id: '8' })], times);
    after.tape.poll({ ...result, facts: { ...result.facts, ...times } });
    after.tape.close(START + 70_000);
    expect(reading(path, (reader) => reader.findListing('7'))).toMatchObject([
      { lastSeenAt: START + 1_050, goneAt: undefined, standing: false },
    ]);
    expect(reading(path, (reader) => reader.info())).toMatchObject({
      from: START + 1_000,
      to: START + 61_050,
      polls: 2,
      completePolls: 2,
      events: 2,
      texts: 2,
      inputs: 0,
      sessions: 2,
      coverage: [
        { from: START + 1_000, to: START + 1_050 },
        { from: START + 61_000, to: START + 61_050 },
      ],
    });
  });

  it('is found among a great many', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    for (let poll = 0; poll < 6; poll++) tape.poll(polls.next([entry({ id: '7' }), ...entries(3_000, 10 + poll * 3_000)]));
    tape.poll(polls.next(entries(3_000, 10 + 5 * 3_000)));
    tape.close(START + 60_000);
    expect(reading(path, (reader) => reader.findListing('7'))).toMatchObject([
      { goneAt: START + 7_050, events: [{ kind: 'appeared' }, { kind: 'gone' }] },
    ]);
    expect(reading(path, (reader) => reader.findListing('9010')[0]?.events.map(({ kind }) => kind))).toEqual([
      'appeared',
      'gone',
    ]);
  });
});

describe('reading beside the daemon that writes', () => {
  it('sees each poll once it is written, and keeps nobody from writing', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next(entries(3)));
    const reader = new TapeReader(path);
    expect(reader.info()).toMatchObject({ polls: 1, events: 3 });
    for (let poll = 0; poll < 30; poll++) tape.poll(polls.next(entries(100, poll * 100)));
    expect(reader.info()).toMatchObject({ polls: 31 });
    reader.close();
    tape.close(START + 60_000);
    expect(troubles).toEqual([]);
  });

  it('has nothing to read where nothing was ever recorded', () => {
    expect(() => new TapeReader(recordingPath())).toThrow('unable to open database file');
    const path = recordingPath();
    tapeAt(path).tape.close(START);
    expect(reading(path, (reader) => [reader.info(), reader.findListing('1')])).toMatchObject([
      { from: undefined, to: undefined, polls: 0, coverage: [] },
      [],
    ]);
  });
});
