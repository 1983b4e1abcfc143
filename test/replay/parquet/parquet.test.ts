import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { importParquet } from '../../../src/replay/import.ts';
import { mergeRecordings } from '../../../src/replay/merge.ts';
import { checkPages } from '../../../src/replay/parquet/check-pages.ts';
import { loadZstd } from '../../../src/replay/parquet/zstd.ts';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import { entry } from '../../support/feed-entries.ts';
import { recordingPath } from '../recording.ts';
import {
  type Files,
  type MadeUp,
  digests,
  filesOf,
  folderOf,
  imported,
  linesOf,
  lists,
  made,
  market,
  opening,
} from './exported.ts';

describe('an export in Parquet', () => {
  it('gives the same recording back: its lines of JSON are the same to the byte, and so are its own files', async () => {
    const path = market();
    const files = await filesOf(path, { events: 40, text: 1e9 });
    const back = await imported(files);
    expect(back.result).toMatchObject({ sessions: 3, polls: 60, events: 111, inputs: 60, broken: undefined });
    expect(linesOf(back.path)).toBe(linesOf(path));
    expect(digests(await filesOf(back.path, { events: 40, text: 1e9 }))).toEqual(digests(files));
  });

  it('is the same whether the recording lies in rows or in segments', async () => {
    const path = market();
    const before = await filesOf(path);
    compactRecording(path);
    expect(digests(await filesOf(path))).toEqual(digests(before));
  });

  it('is joined with others, as any recording is', async () => {
    const path = market();
    const back = await imported(await filesOf(path));
    const all = recordingPath();
    opening(back.path, (theirs) => opening(path, (ours) => mergeRecordings(all, [theirs, ours])));
    expect(linesOf(all)).toBe(linesOf(path));
  });

  it('has a text once in a part, however often it was offered', async () => {
    const text = JSON.stringify(entry());
    const again: MadeUp = {
      ...{ events: [{ text }, { kind: 'gone', position: undefined }], inputs: [], message: undefined, gap: undefined, ok: true },
    };
    const files = await filesOf(made([[again, again, again]]));
    const list = JSON.parse(Buffer.from(files.get('recording.json')!).toString()) as { files: { file: string; rows: number }[] };
    expect(list.files.map(({ file, rows }) => `${file} ${rows}`)).toMatchInlineSnapshot(`
      [
        "sessions-0001.parquet 1",
        "polls-0001.parquet 3",
        "events-0001.parquet 6",
        "standing-0001.parquet 0",
        "listings-0001.parquet 1",
        "gaps-0001.parquet 0",
        "inputs-0001.parquet 0",
      ]
    `);
  });
});

describe('DuckDB', () => {
  it('opens an export, finds it packed with Zstandard, and counts and sums as the recording does', async () => {
    const path = market();
    const folder = folderOf(await filesOf(path, { events: 40, text: 1e9 }));
    const db = await (await DuckDBInstance.create(':memory:')).connect();
    await db.run(`SET TimeZone = 'UTC'`);
    const ask = async (sql: string): Promise<unknown[]> => (await db.runAndReadAll(sql.replaceAll('$', folder))).getRowsJson();
    const { events, polls } = opening(path, (recording) => recording.counts());
    expect(await ask(`SELECT count(*)::INT, count(DISTINCT poll)::INT, max(time)::VARCHAR FROM '$/events-*.parquet'`)).toEqual([
      [events, polls, '2026-09-21 14:46:59.050706+00'],
    ]);
    expect(await ask(`SELECT sum(events)::INT, sum(complete::INT)::INT FROM '$/polls-*.parquet'`)).toEqual([[events, 57]]);
    const prices = linesOf(path)
      .split('\n')
      .filter((line) => line.startsWith('{"event"') && line.includes('"listing":'))
      .map((line) => (JSON.parse(line) as { event: { listing: { price: number } } }).event.listing.price);
    const cents = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
    expect(await ask(`SELECT sum(price)::VARCHAR, count(price)::INT FROM '$/events-*.parquet'`)).toEqual([
      [`${(cents / 100).toFixed(2)}0000`, prices.length],
    ]);
    expect(
      await ask(
        `SELECT any_value(json ->> '$.type') = 'rifle', bool_and(e.name = l.name), count(*)::INT
        FROM '$/events-*.parquet' e JOIN '$/listings-*.parquet' l USING (offer)`.replace('$.type', 'type'),
      ),
    ).toEqual([[true, true, prices.length]]);
    expect(
      await ask(
        `SELECT DISTINCT compression FROM parquet_metadata(['$/events-*.parquet', '$/listings-*.parquet', '$/polls-*.parquet'])`,
      ),
    ).toEqual([['ZSTD']]);
    const page = readFileSync(new URL('../../../docs/recording.md', import.meta.url), 'utf8');
    const asked = (/```sql\n([^`]+)```/.exec(page)?.[1] ?? '').split(';').filter((statement) => statement.trim() !== '');
    expect(asked).toHaveLength(2);
    for (const statement of asked) expect(Array.isArray(await ask(statement.replaceAll("'market/", `'${folder}/`)))).toBe(true);
    for (const table of ['sessions', 'standing', 'gaps', 'inputs'])
      expect(await ask(`SELECT count(*)::INT FROM '$/${table}-*.parquet'`)).toEqual([
        [{ sessions: 3, standing: 0, gaps: 3, inputs: 60 }[table]],
      ]);
    db.closeSync();
  });
});

describe('a damaged export in Parquet', () => {
  /** What is taken is the beginning of the whole, up to the part that is damaged. */
  async function expectBefore(damaged: Files, path: string, file: string, message: RegExp | string): Promise<number> {
    const { result, path: back } = await imported(damaged);
    expect(result.broken).toMatchObject({ file, message: expect.stringMatching(message) as string });
    const [whole, taken] = [lists(linesOf(path), 'event'), lists(linesOf(back), 'event')];
    expect(taken).toEqual(whole.slice(0, taken.length));
    expect(result.events).toBe(taken.length);
    return taken.length;
  }

  it('is used up to the part of which a file is cut off, garbled or missing, and that one is named', async () => {
    const path = market();
    const files = await filesOf(path, { events: 30, text: 1e9 });
    expect([...files.keys()].filter((name) => name.startsWith('events'))).toHaveLength(6);
    const whole = lists(linesOf(path), 'event').length;
    const third = 'events-0003.parquet';
    const bytes = files.get(third)!;
    const changed = (name: string, to: Uint8Array): Files => new Map([...files, [name, to]]);
    const cut = await expectBefore(changed(third, bytes.slice(0, -40)), path, third, /cut off: \d+ bytes of \d+/);
    expect(cut).toBeGreaterThan(whole / 5);
    expect(cut).toBeLessThan(whole / 2);
    const garbled = Uint8Array.from(bytes, (byte, at) => (at === 300 ? byte ^ 1 : byte));
    expect(await expectBefore(changed(third, garbled), path, third, 'SHA-256')).toBe(cut);
    const without = new Map(files);
    without.delete('listings-0003.parquet');
    expect(await expectBefore(without, path, 'listings-0003.parquet', 'missing')).toBe(cut);
    expect(await expectBefore(changed('polls-0001.parquet', new Uint8Array()), path, 'polls-0001.parquet', 'cut off')).toBe(0);
  });

  it('is taken as it is where the list of its files is missing, and that is said', async () => {
    const path = market();
    const files = new Map(await filesOf(path, { events: 30, text: 1e9 }));
    files.set('recording.json', Buffer.from('{"recording":"magpie","fi'));
    expect(await expectBefore(files, path, 'recording.json', 'nothing says whether')).toBe(lists(linesOf(path), 'event').length);
    files.delete('recording.json');
    files.set('events-0004.parquet', files.get('events-0004.parquet')!.slice(0, 500));
    expect(await expectBefore(files, path, 'events-0004.parquet', 'cannot be read')).toBeGreaterThan(30);
  });

  it('is refused where the folder is none, or a newer one', async () => {
    const folder = folderOf(new Map());
    await expect(importParquet(folder, recordingPath())).rejects.toThrow('neither recording.json nor polls-0001.parquet');
    writeFileSync(join(folder, 'recording.json'), '{"recording":"magpie","form":2,"files":[]}');
    await expect(importParquet(folder, recordingPath())).rejects.toThrow('another Magpie (form 2; this one knows 1)');
    rmSync(folder, { recursive: true });
    await expect(importParquet(folder, recordingPath())).rejects.toThrow('ENOENT');
  });

  it('is never read for longer because a page says that more is in it: each wrong byte is found out, or gives no more rows', async () => {
    const zstd = await loadZstd();
    const bytes = (await filesOf(market(), { events: 30, text: 1e9 })).get('events-0001.parquet')!;
    const rows = Number(parquetMetadata(Uint8Array.from(bytes).buffer).num_rows);
    const readOf = async (file: ArrayBuffer): Promise<number | undefined> => {
      try {
        const metadata = parquetMetadata(file);
        checkPages(file, metadata, zstd, rows);
        return (await parquetReadObjects({ file, metadata, compressors: { ZSTD: zstd.decompress } })).length;
      } catch {
        return undefined;
      }
    };
    const read: (number | undefined)[] = [];
    for (let at = 4; at < bytes.length; at += 2)
      read.push(await readOf(Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ 0x80 : byte)).buffer));
    const given = read.filter((count) => count !== undefined);
    expect(given.length).toBeGreaterThan(100);
    expect(read.length - given.length).toBeGreaterThan(100);
    expect(Math.max(...given)).toBe(rows);
  });

  it('takes no memory because a page says that it is long', async () => {
    const zstd = await loadZstd();
    const packed = zstd.compress(Buffer.alloc(3_000_000));
    expect(zstd.decompress(packed, 3_000_000)).toHaveLength(3_000_000);
    expect(() => zstd.decompress(packed, 2_999_999)).toThrow('unpacks to 3000000 bytes');
    expect(() => zstd.decompress(readFileSync(new URL(import.meta.url)), 100)).toThrow('no Zstandard');
  });
});
