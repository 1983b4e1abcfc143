import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import type { PollResult } from '../../src/engine/snapshot.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';
import { reading, recordingPath, rows, standingByEvents, tapeAt } from './recording.ts';

describe('the recording', () => {
  it('keeps each poll, and what it changed, in order, with the entry as it came', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '1', unheardOf: { kept: true } }), entry({ id: '2' })]));
    tape.poll(polls.next([entry({ id: '2', price: 9 }), entry({ id: '3', wear: 7 })], { listingsCount: 17 }));
    tape.poll(polls.fail());
    tape.poll(polls.next([entry({ id: '2', price: 9 })]));
    tape.close(START + 9_000);
    expect(troubles).toEqual([]);
    expect(
      rows(
        path,
        'SELECT seq, began_at - 1767614400000 AS began, outcome, complete, first, status, count, bad, message, last_event FROM poll',
      ),
    ).toEqual([
      { seq: 1, began: 1_000, outcome: 'ok', complete: 1, first: 1, status: 200, count: 2, bad: 0, message: null, last_event: 2 },
      {
        seq: 2,
        began: 2_000,
        outcome: 'count',
        complete: 0,
        first: 0,
        status: 200,
        count: 2,
        bad: 1,
        message: 'the answer counts 17 listings but holds 2',
        last_event: 4,
      },
      {
        seq: 3,
        began: 3_000,
        outcome: 'connection',
        complete: 0,
        first: 0,
        status: null,
        count: null,
        bad: null,
        message: 'connect ECONNREFUSED',
        last_event: 4,
      },
      { seq: 4, began: 4_000, outcome: 'ok', complete: 1, first: 0, status: 200, count: 1, bad: 0, message: null, last_event: 5 },
    ]);
    expect(rows(path, 'SELECT poll, at - 1767614400000 AS at, kind, listing, position, chunk, reason FROM event')).toEqual([
      { poll: 1, at: 1_050, kind: 'appeared', listing: '1', position: 0, chunk: 0, reason: null },
      { poll: 1, at: 1_050, kind: 'appeared', listing: '2', position: 1, chunk: 0, reason: null },
      { poll: 2, at: 2_050, kind: 'repriced', listing: '2', position: 0, chunk: 0, reason: null },
      { poll: 2, at: 2_050, kind: 'bad', listing: '3', position: 1, chunk: null, reason: 'wear 7 is outside 0 to 1' },
      { poll: 4, at: 4_050, kind: 'gone', listing: '1', position: null, chunk: null, reason: null },
    ]);
    expect(standingByEvents(path)).toEqual(new Map([['c5game:2', entry({ id: '2', price: 9 })]]));
    expect(rows(path, 'SELECT text FROM text ORDER BY id')[0]).toEqual({
      text: JSON.stringify(entry({ id: '1', unheardOf: { kept: true } })),
    });
    expect(rows(path, 'SELECT * FROM session')).toEqual([
      { id: 1, started_at: START, stopped_at: START + 9_000, version: '0.1.0', mode: 'dry-run' },
    ]);
  });

  it('keeps what was handed on early of an answer that then broke off, with the look that showed it', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '1' })]));
    polls.diff.early({ pollSeq: 2, listings: [entry({ id: '2' })] }, START + 2_005);
    const change = polls.diff.brokenOff({ pollSeq: 2, beganAt: START + 2_000, endedAt: START + 2_010 });
    tape.poll({ ...polls.fail(), ...(change && { change }) });
    tape.poll(polls.next([entry({ id: '1' }), entry({ id: '2' })]));
    tape.close(START + 9_000);
    expect(rows(path, 'SELECT poll, at - 1767614400000 AS at, kind, listing, chunk FROM event')).toEqual([
      { poll: 1, at: 1_050, kind: 'appeared', listing: '1', chunk: 0 },
      { poll: 2, at: 2_005, kind: 'appeared', listing: '2', chunk: 1 },
    ]);
  });

  it('takes nothing more once it was closed, and troubles nobody about it', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const polls = new Polls();
    tape.poll(polls.next([entry({ id: '1' })]));
    tape.close(START + 2_000);
    tape.poll(polls.next([entry({ id: '2' })]));
    tape.close(START + 3_000);
    expect(troubles).toEqual([]);
    expect(rows(path, 'SELECT count(*) AS polls FROM poll')).toEqual([{ polls: 1 }]);
  });

  it('keeps health, balance, strategies and our own attempts beside the polls', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path);
    tape.input('strategies', START, [{ name: 'a', hash: 'ff', lane: 'live', priority: 1 }]);
    tape.input('health', START + 1, { status: 'ok', markets: {}, receivedAt: START + 1 });
    tape.poll(new Polls().next([]));
    const timings = { seenAt: 1.5, decidedAt: 1.6, committedAt: 2.5, sentAt: 2.75, answeredAt: 90 };
    tape.input('attempt', START + 2, {
      purchaseId: 1,
      lane: 'live',
      strategy: 'a',
      market: 'c5game',
      listingId: '1',
      pollSeq: 1,
      timings,
      outcome: undefined,
    });
    tape.close(START + 3);
    const inputs = rows(path, 'SELECT at - 1767614400000 AS at, kind, value FROM input');
    expect(inputs.map(({ at, kind }) => [at, kind])).toEqual([
      [0, 'strategies'],
      [1, 'health'],
      [2, 'attempt'],
    ]);
    expect(JSON.parse(String(inputs[2]?.['value']))).toMatchObject({ purchaseId: 1, timings });
  });

  it('stores a text once, however often its listing goes and comes, also after a restart', () => {
    const path = recordingPath();
    const polls = new Polls();
    const { tape } = tapeAt(path);
    for (let time = 0; time < 5; time++) tape.poll(polls.next(time % 2 === 0 ? entries(3) : []));
    tape.close(START + 10_000);
    const again = tapeAt(path, { startedAt: START + 20_000 });
    again.tape.poll(new Polls().next(entries(3)));
    again.tape.close(START + 30_000);
    expect(rows(path, 'SELECT count(*) AS texts, count(DISTINCT hash) AS hashes FROM text')).toEqual([{ texts: 3, hashes: 3 }]);
    expect(rows(path, `SELECT count(*) AS n FROM event WHERE kind = 'appeared'`)).toEqual([{ n: 12 }]);
    expect(rows(path, 'SELECT id FROM session')).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('holds no secret, should the service send one back [S2]', () => {
    const path = recordingPath();
    const { tape } = tapeAt(path, { scrub: scrubber([new Secret('sk-canary-12345')]) });
    const polls = new Polls();
    tape.poll(
      polls.next(
        [entry({ id: '1', echo: 'key sk-canary-12345' }), { id: 'sk-canary-12345' }, entry({ market: 'sk-canary-12345' })],
        { requestId: 'sk-canary-12345' },
      ),
    );
    tape.poll({ ...polls.fail(), fault: { ...polls.fail().fault, message: 'no sk-canary-12345' } });
    tape.poll(polls.next([]));
    tape.input('event', START, { said: 'sk-canary-12345' });
    tape.close(START + 5_000);
    expect(readFileSync(path).includes('canary')).toBe(false);
    expect(rows(path, 'SELECT count(*) AS n FROM event')).toEqual([{ n: 5 }]);
  });

  it('keeps an entry without its monstrous parts', () => {
    const path = recordingPath();
    const { tape, troubles } = tapeAt(path);
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    tape.poll(new Polls().next([entry({ id: '1', collection: 'A'.repeat(1_000_000), other: deep }), 'A'.repeat(1_000_000)]));
    tape.close(START + 5_000);
    expect(troubles).toEqual([]);
    const { collection: _, ...rest } = entry({ id: '1' });
    expect(rows(path, 'SELECT text FROM text ORDER BY id').map(({ text }) => JSON.parse(String(text)))).toEqual([
      { ...rest, cut: ['collection', 'other'] },
      { cut: ['everything'] },
    ]);
  });

  it('is readable by its owner only, and made for large segments', () => {
    const path = recordingPath();
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    const { tape } = tapeAt(path);
    tape.poll(new Polls().next([entry()]));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const db = new Database(path, { readonly: true });
    expect(['page_size', 'auto_vacuum', 'journal_mode', 'user_version'].map((name) => db.pragma(name, { simple: true }))).toEqual(
      [65_536, 2, 'wal', 2],
    );
    db.close();
    tape.close(START + 5_000);
  });

  it('rebuilds the feed at every moment, over any series of polls, failures and restarts', () => {
    const series = fc.array(
      fc.record({
        ids: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 8 }),
        price: fc.constantFrom(9, 10),
        fate: fc.constantFrom('ok', 'ok', 'ok', 'partial', 'fails', 'restarts'),
      }),
      { maxLength: 15 },
    );
    fc.assert(
      fc.property(series, (steps) => {
        const path = recordingPath();
        let run = 0;
        let polls = new Polls();
        let { tape } = tapeAt(path, { startedAt: START });
        let standing = new Map<string, unknown>();
        for (const { ids, price, fate } of steps) {
          if (fate === 'restarts') {
            tape.close(START);
            tape = tapeAt(path, { startedAt: START + ++run }).tape;
            polls = new Polls();
            standing = new Map();
          }
          const listings = ids.map((id) => entry({ id: String(id), price }));
          const result: PollResult =
            fate === 'fails' ? polls.fail() : polls.next(listings, fate === 'partial' ? { listingsCount: -1 } : {});
          tape.poll(result);
          if (fate !== 'fails' && fate !== 'partial') standing = new Map();
          if (fate !== 'fails') for (const listing of listings) standing.set(`c5game:${String(listing['id'])}`, listing);
          if (standing.size > 0) expect(standingByEvents(path)).toEqual(standing);
        }
        tape.close(START);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a file that is no recording of this version', () => {
  it('is refused with what to do, and left as it was, while Magpie goes on', () => {
    const path = recordingPath();
    const newer = tapeAt(path);
    newer.tape.poll(new Polls().next([entry()]));
    newer.tape.close(START + 5_000);
    const db = new Database(path);
    db.pragma('user_version = 99');
    db.close();
    const { tape, troubles } = tapeAt(path);
    tape.poll(new Polls().next([entry({ id: '5' })]));
    tape.close(START + 6_000);
    expect(troubles).toMatchObject([
      {
        kind: 'paused',
        code: 'REFUSED',
        next: 'Move the recording (and its -wal and -shm) out of the data folder; a new one is begun by itself.',
      },
    ]);
    expect(troubles[0]).toMatchObject({
      message: expect.stringContaining('was written by a newer Magpie (form 99; this one knows 2)'),
    });
    expect(() => reading(path, (reader) => reader.info())).toThrow('newer Magpie');
    expect(rows(path, 'SELECT count(*) AS n FROM event')).toEqual([{ n: 1 }]);
  });

  it.each([
    [
      'text',
      (path: string) => writeFileSync(path, 'not a database, but longer than the header of one is'.repeat(30)),
      'SQLITE_NOTADB',
    ],
    [
      'another database',
      (path: string) => {
        const db = new Database(path);
        db.exec('CREATE TABLE other (x)');
        db.close();
      },
      'REFUSED',
    ],
  ])('is refused when it is %s', (_, make, code) => {
    const path = recordingPath();
    make(path);
    const { tape, troubles } = tapeAt(path);
    tape.poll(new Polls().next([entry()]));
    expect(troubles).toMatchObject([{ kind: 'paused', code }]);
    expect(() => reading(path, (reader) => reader.info())).toThrow();
  });
});
