import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Fields } from '../fields.ts';
import { checkPages } from './check-pages.ts';
import { FileBroken } from './faults.ts';
import { GROUP_ROWS, LIST_FILE, type TableName, exactColumns, partName, schemaOf, shapeOf, tableNames } from './tables.ts';
import type { ListedFile } from './write.ts';
import type { Zstd } from './zstd.ts';

/** The rows of one part, by table. */
export type PartRows = Readonly<Record<TableName, readonly Fields[]>>;

/** A file that is larger is none that was exported: a part holds one poll, and what a few megabytes more. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;

/** All of a part. Throws FileBroken; where a list is given, also for a file that is not as it was written. */
export async function readPart(
  folder: string,
  part: number,
  files: ReadonlyMap<string, ListedFile> | undefined,
  zstd: Zstd,
): Promise<PartRows> {
  const rows: Partial<Record<TableName, readonly Fields[]>> = {};
  for (const table of tableNames) {
    const name = partName(table, part);
    const listed = files?.get(name);
    const bytes = files === undefined || listed ? bytesOf(folder, name, listed) : undefined;
    rows[table] = bytes === undefined ? [] : await rowsOf(table, name, bytes, zstd);
    if (listed !== undefined && rows[table]?.length !== listed.rows)
      throw new FileBroken(name, `it has ${rows[table]?.length ?? 0} rows, and not ${listed.rows} as ${LIST_FILE} says`);
  }
  return rows as PartRows;
}

/** undefined: there is none, and none needs to be. */
function bytesOf(folder: string, name: string, listed: ListedFile | undefined): Uint8Array | undefined {
  const path = join(folder, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (listed === undefined) return undefined;
    throw new FileBroken(name, 'it is missing');
  }
  if (!stats.isFile()) throw new FileBroken(name, 'it is no file');
  if (stats.size > FILE_BYTES_MAX) throw new FileBroken(name, `it is larger than any of an export (${stats.size} bytes)`);
  if (listed !== undefined && stats.size !== listed.bytes) {
    const cut = stats.size < listed.bytes ? 'it is cut off' : 'it is not as it was written';
    throw new FileBroken(name, `${cut}: ${stats.size} bytes of ${listed.bytes}`);
  }
  const bytes = new Uint8Array(readFileSync(path));
  if (listed !== undefined && createHash('sha256').update(bytes).digest('hex') !== listed.sha256)
    throw new FileBroken(name, 'it is not as it was written (its SHA-256 is another)');
  return bytes;
}

async function rowsOf(table: TableName, name: string, bytes: Uint8Array, zstd: Zstd): Promise<readonly Fields[]> {
  const buffer = bytes.buffer as ArrayBuffer;
  const file = { byteLength: buffer.byteLength, slice: (start: number, end?: number) => buffer.slice(start, end) };
  let rows: Record<string, unknown>[];
  try {
    const metadata = parquetMetadata(buffer);
    if (shapeOf(metadata.schema) !== shapeOf(schemaOf(table))) throw new TypeError(`its columns are not those of ${table}`);
    checkPages(buffer, metadata, zstd, GROUP_ROWS);
    const packing = { compressors: { ZSTD: zstd.decompress }, parsers: { stringFromBytes } };
    rows = await parquetReadObjects({ file, metadata, columns: exactColumns(table), ...packing });
  } catch (error) {
    // Whatever a garbled file makes the reader say.
    throw new FileBroken(name, `it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return rows.map(withNumbers);
}

/** A byte order mark at the beginning is part of a text like any other. */
function stringFromBytes(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function withNumbers(row: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
