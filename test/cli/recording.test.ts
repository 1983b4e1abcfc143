import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { Tape } from '../../src/replay/tape.ts';
import { Polls, START, entries } from '../support/feed-entries.ts';
import { Signals, magpie, place } from './harness.ts';

vi.setConfig({ testTimeout: 180_000 });

/** A folder whose recording holds two sessions, ten hours apart. */
function recorded(): string {
  const cwd = place();
  mkdirSync(join(cwd, 'data'));
  for (const [shift, count] of [
    [0, 30],
    [36_000_000, 40],
  ] as const) {
    const tape = new Tape({
      ...{ path: join(cwd, 'data', 'recording.db'), version: '0.1.0', mode: 'dry-run', startedAt: START + shift },
      ...{ maxBytes: 2 ** 30, maxAgeMs: 2 ** 40, scrub: (text: string) => text, onTrouble: () => undefined },
    });
    const polls = new Polls();
    tape.input('balance', START + shift, { amount: 1 } as never);
    for (let poll = 0; poll < count; poll++) {
      const result = polls.next(entries(5, poll));
      const times = { beganAt: result.facts.beganAt + shift, endedAt: result.facts.endedAt + shift };
      tape.poll({ ...result, facts: { ...result.facts, ...times }, change: { ...result.change, ...times } });
    }
    tape.close(START + shift + 60_000);
  }
  return cwd;
}

function recording(cwd: string, ...args: string[]) {
  return magpie(['recording', ...args, '--config', 'magpie.yaml'], { cwd });
}

describe('recording info', () => {
  it('says which times are covered, hour by hour, and what is missing', async () => {
    const { code, out } = await recording(recorded(), 'info');
    expect(code).toBe(0);
    expect(out.replace(/\(\d+ kB\)|\d+\.\d MB/, '(SIZE)')).toMatchInlineSnapshot(`
      "Recording data/recording.db (SIZE)
      time      2026-01-05 12:00:01 UTC to 2026-01-05 22:00:40 UTC (10 h), 0.1 % covered
      polls     70, 70 of them complete
      events    146 of listings, 78 texts of theirs; 2 other inputs
                1 segment with 63 events compacted
      sessions  2, the newest of version 0.1.0 (dry-run)

      covered (UTC)  0     6     12    18
        2026-01-05  │            ░         ░ │ 0.0 %

      missing
        2026-01-05 12:00:30 UTC for 9 h 59 min: nobody recorded
      "
    `);
  });

  it('says the same to a program', async () => {
    const { out } = await recording(recorded(), 'info', '--json');
    expect(JSON.parse(out)).toMatchObject({
      from: '2026-01-05T12:00:01.000Z',
      to: '2026-01-05T22:00:40.050Z',
      coverage: 0.0019,
      coveredSeconds: 68,
      polls: 70,
      completePolls: 70,
      damage: null,
      sessions: [{ mode: 'dry-run' }, { version: '0.1.0' }],
      covered: [{ from: '2026-01-05T12:00:01.000Z', to: '2026-01-05T12:00:30.050Z' }, { from: '2026-01-05T22:00:01.000Z' }],
      holes: [{ from: '2026-01-05T12:00:30.050Z', to: '2026-01-05T22:00:01.000Z', reason: 'nobody recorded' }],
      days: [{ day: '2026-01-05', coveredSeconds: 68 }],
    });
  });

  it('says where there is none, and what is none', async () => {
    const cwd = place();
    expect(await recording(cwd, 'info')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is no recording data/recording.db'),
    });
    expect(await recording(cwd, 'info', 'magpie.yaml')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^magpie\.yaml is not a recording: .*file is not a database.* → is it the right file\?/),
    });
  });

  it('says of a folder which file in it is meant', async () => {
    const cwd = recorded();
    for (const command of ['info', 'verify'])
      expect(await recording(cwd, command, 'data')).toMatchObject({
        code: 1,
        err: 'data is a folder, not a recording. → the one in it is data/recording.db\n',
      });
    const { err } = await recording(cwd, 'info', 'strategies');
    expect(err).toBe('strategies is a folder, not a recording. → name the file; there is no recording.db in it\n');
  });

  it('is told by its name where it is to be replayed and is none', async () => {
    const cwd = recorded();
    for (const [file, words] of [
      ['magpie.yaml', 'magpie.yaml is not a recording: '],
      ['data', 'data is a folder, not a recording. → the one in it is data/recording.db'],
    ] as const) {
      const { code, err } = await magpie(['backtest', '--recording', file, '--config', 'magpie.yaml'], { cwd });
      expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    }
    new Database(join(cwd, 'other.db')).exec('CREATE TABLE t (a)').close();
    const { code, err } = await magpie(['backtest', '--recording', 'other.db', '--config', 'magpie.yaml'], { cwd });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/other\.db is not a recording .*\n→ `magpie recording verify other\.db`/),
    ]);
  });
});

describe('recording verify', () => {
  it('finds a sound recording sound, and one that is cut off damaged, with the way out', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Sound: data\/recording\.db with 2 sessions, 70 polls, \d+ events, 2 other inputs\n$/),
    });
    const path = join(cwd, 'data', 'recording.db');
    truncateSync(path, statSync(path).size - 65_536);
    const cut = await recording(cwd, 'verify');
    expect(cut).toMatchObject({ code: 1, out: expect.stringContaining('DAMAGED: data/recording.db') });
    expect(cut.out).toContain('→ `magpie recording merge NEW.db OLD.db` takes what can be read into a new recording');
    expect(JSON.parse((await recording(cwd, 'verify', '--json')).out)).toMatchObject({ ok: false });
  });

  it('tells texts that are garbled in one line, with how many they are and rows that are true', async () => {
    const cwd = recorded();
    const path = join(cwd, 'data', 'recording.db');
    const db = new Database(path, { readonly: true });
    const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get('text') as number;
    const size = db.pragma('page_size', { simple: true }) as number;
    db.close();
    const bytes = readFileSync(path);
    // Rows are filled in from the end of a page: those behind the first few go, their numbers with them.
    const end = page * size;
    writeFileSync(path, bytes.fill(0, end - 40_000, end - 2_000));
    const { code, out } = await recording(cwd, 'verify');
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}the texts of \d\d listings are not as they were written \(after row [1-9]\d*\)$/m);
    expect(out.match(/not as (?:it was|they were) written/g)).toHaveLength(1);
  });
});

describe('recording trim', () => {
  it('removes what is older, keeps what stood at the cut, and gives the room back', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'trim', '--before', '2026-01-05T20:00')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^30 polls and 63 events removed from data\/recording\.db \(.* before, .* now\)\nIt begins with 2026-01-05 22:00:01 UTC now\.\n$/,
      ),
    });
    expect(JSON.parse((await recording(cwd, 'info', '--json')).out)).toMatchObject({ polls: 40, sessions: [{}], holes: [] });
  });

  it('wants to know what is to go, and leaves alone what a daemon writes', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'trim')).toMatchObject({ code: 2, err: expect.stringContaining('Say what is to go') });
    const held = acquireFolderLock(join(cwd, 'data'));
    if (!held.ok) throw new Error('the folder is held');
    expect(await recording(cwd, 'trim', '--before', '1d')).toMatchObject({
      code: 3,
      err: expect.stringContaining('The daemon that runs writes this recording'),
    });
    held.lock.release();
  });
});

describe('recording merge, export and import', () => {
  it('join recordings, and give one to others without what concerns the account', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'merge', 'all.db', 'data/recording.db', 'data/recording.db')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Made all\.db \(.*\) with 2 sessions, 70 polls, 146 events, 2 other inputs\n$/),
    });
    const shared = await recording(cwd, 'export', 'all.db', '-o', 'market.jsonl', '--from', '2026-01-05T20:00');
    expect(shared).toMatchObject({
      code: 0,
      out: '',
      err: '1 session, 40 polls, 83 events, 0 other inputs written to market.jsonl\n',
    });
    expect((await recording(cwd, 'export', 'all.db')).out).not.toContain('"balance"');
    expect((await recording(cwd, 'export', 'all.db', '--everything')).out).toContain('{"input":{"kind":"balance"');
    expect(await recording(cwd, 'import', 'market.jsonl', 'market.db')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Made market\.db \(.*\) with 1 session, 40 polls, 83 events, 0 other inputs\n$/),
    });
    expect(await recording(cwd, 'verify', 'market.db')).toMatchObject({ code: 0 });
  });

  it('show on a terminal how far an export has come, unless its lines go there themselves', async () => {
    const [cwd, on] = [recorded(), { columns: 100 }];
    for (const args of [
      ['-o', 'market.jsonl'],
      ['-o', 'market', '--format', 'parquet'],
    ]) {
      const { code, err } = await magpie(['recording', 'export', ...args, '--config', 'magpie.yaml'], { cwd, ...on });
      expect(code).toBe(0);
      expect(err).toMatch(/writing \[#*-*\] 0 % /);
      expect(err).toMatch(/writing \[#{24}\] 100 % /);
      expect(err).toMatch(/146 events, 0 other inputs written to market/);
    }
    const { err } = await magpie(['recording', 'export', '--config', 'magpie.yaml'], { cwd, ...on });
    expect(err).not.toContain('writing');
  });

  it('do so in Parquet, too: a folder that is whole before it has its name, and comes back as the same recording', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'export', '--format', 'parquet')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Parquet is a folder of files: say which with -o FOLDER.'),
    });
    expect(await recording(cwd, 'export', '-o', 'market', '--format', 'parquet')).toMatchObject({
      code: 0,
      out: '',
      err: '2 sessions, 70 polls, 146 events, 0 other inputs written to market\n',
    });
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(statSync(join(cwd, 'market')).mode & 0o777).toBe(0o700);
    expect(statSync(join(cwd, 'market', 'events-0001.parquet')).mode & 0o777).toBe(0o600);
    expect(await recording(cwd, 'import', 'market', 'market.db')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Made market\.db \(.*\) with 2 sessions, 70 polls, 146 events, 0 other inputs\n$/),
    });
    const lines = await recording(cwd, 'export');
    expect(await recording(cwd, 'export', 'market.db')).toMatchObject({ out: lines.out });
    expect(await recording(cwd, 'export', '-o', 'market', '--format', 'parquet')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing is ever overwritten'),
    });
    expect(await recording(cwd, 'export', '-o', 'other.parquet', '--everything')).toMatchObject({
      code: 0,
      err: expect.stringContaining('2 other inputs written to other.parquet'),
    });
    expect(readdirSync(join(cwd, 'other.parquet'))).toContain('recording.json');
  });

  it('take a damaged export in Parquet up to the part that is damaged, and say what to do', async () => {
    const cwd = recorded();
    await recording(cwd, 'export', '-o', 'market', '--format', 'parquet');
    const file = join(cwd, 'market', 'events-0001.parquet');
    truncateSync(file, statSync(file).size - 10);
    expect(await recording(cwd, 'import', 'market', 'half.db')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Made half\.db .* with 0 sessions, 0 polls/),
      err: expect.stringMatching(
        /^market\/events-0001\.parquet: it is cut off: \d+ bytes of \d+; everything before its part was taken, nothing from there on → copy that file again/,
      ),
    });
    expect(JSON.parse((await recording(cwd, 'import', 'market', 'again.db', '--json')).out)).toMatchObject({
      ok: false,
      broken: { file: 'events-0001.parquet' },
    });
    expect(await recording(cwd, 'import', 'market/events-0001.parquet', 'one.db')).toMatchObject({
      code: 2,
      err: expect.stringContaining('it is one file of an export: name its folder'),
    });
    expect(await recording(cwd, 'import', 'data', 'none.db')).toMatchObject({
      code: 2,
      err: expect.stringContaining('data cannot be imported: there is neither recording.json nor polls-0001.parquet in it'),
    });
  });

  it('overwrite nothing, and say what cannot be read', async () => {
    const cwd = recorded();
    expect(await recording(cwd, 'merge', 'magpie.yaml', 'data/recording.db')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing is ever overwritten'),
    });
    expect(await recording(cwd, 'import', 'magpie.yaml', 'new.db')).toMatchObject({
      code: 2,
      err: expect.stringContaining('magpie.yaml cannot be imported: its first line is not that of a recording of Magpie'),
    });
    expect(await recording(cwd, 'import', 'nowhere.jsonl', 'new.db')).toMatchObject({
      code: 2,
      err: expect.stringContaining('nowhere.jsonl cannot be read'),
    });
    expect(existsSync(join(cwd, 'new.db'))).toBe(false);
    await recording(cwd, 'export', '-o', 'market.jsonl');
    truncateSync(join(cwd, 'market.jsonl'), 5_000);
    const half = await recording(cwd, 'import', 'market.jsonl', 'new.db');
    expect(half).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Made new\.db/),
      err: expect.stringMatching(/^market\.jsonl:\d+: the file is cut off here; everything before it was taken/),
    });
    truncateSync(join(cwd, 'data', 'recording.db'), statSync(join(cwd, 'data', 'recording.db')).size - 65_536);
    expect(await recording(cwd, 'merge', 'mended.db', 'data/recording.db')).toMatchObject({
      code: 1,
      err: expect.stringContaining('data/recording.db is damaged: read up to'),
    });
  });
});

describe('record', () => {
  it('records the listings without buying, until it is stopped', async () => {
    const cwd = place();
    const signals = new Signals();
    const running = magpie(['record', '--config', 'magpie.yaml'], { cwd, clock: new SystemClock(), signals });
    await vi.waitFor(
      async () =>
        expect(
          (JSON.parse((await recording(cwd, 'info', '--json')).out) as { completePolls: number }).completePolls,
        ).toBeGreaterThan(1),
      { timeout: 90_000, interval: 100 },
    );
    const beside = await magpie(['record', '--config', 'magpie.yaml'], { cwd, clock: new SystemClock() });
    expect(beside).toMatchObject({ code: 3 });
    signals.send('SIGINT');
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toContain('(nothing can be bought)');
    expect(out).toMatch(/Stopped; \d+ polls? with \d+ events of listings recorded\./);
    const { sessions, inputs } = JSON.parse((await recording(cwd, 'info', '--json')).out) as {
      sessions: unknown[];
      inputs: number;
    };
    expect(sessions).toMatchObject([{ mode: 'record', stoppedAt: expect.any(String) }]);
    expect(inputs).toBeGreaterThan(0);
    expect(await recording(cwd, 'verify')).toMatchObject({ code: 0 });
  });

  it('refuses a configuration that wants nothing recorded', async () => {
    const cwd = place({
      'magpie.yaml': 'service: { sandbox: { seed: 7, listings: 5 } }\nrecording: { off: true }\nstrategies: ./strategies\n',
    });
    expect(await magpie(['record', '--config', 'magpie.yaml'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('recording: { off: true }'),
    });
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
