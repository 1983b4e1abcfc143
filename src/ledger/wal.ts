import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { codeOf } from './failure.ts';
import { statOf } from './folder.ts';

/**
 * SQLite takes a write-ahead log as far as its checksums hold and drops the rest without a word: right for what a power cut has
 * torn, which nobody was told was kept, and wrong for a log that was damaged later. Layout: sqlite.org/fileformat2.html#walformat.
 */
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x37_7f_06_82;

/** What a torn end can hold after its first bad frame: the commit that was under way. */
const TORN_COMMITS = 1;

/**
 * Whether the write-ahead log at a path holds commits that SQLite will not read any more, because something before them is damaged.
 * To be asked before the database is opened, which may begin the log anew.
 */
export function isWalDamaged(path: string): boolean {
  return reachOf(path).isDamaged;
}

/** The same, with the number of frames up to the first whose checksum does not hold. */
export function reachOf(path: string): { readonly isDamaged: boolean; readonly frames: number } {
  const log = contentOf(path);
  if (log.length < HEADER_BYTES) return { isDamaged: false, frames: 0 };
  const header = log.subarray(0, HEADER_BYTES);
  // The header is synced before any frame: zeros are those of a file system that had no time to write it.
  if (!isHeader(header)) return { isDamaged: log.some((byte) => byte !== 0), frames: 0 };
  const { frames, beyond } = follow(log, header);
  return { isDamaged: beyond > TORN_COMMITS, frames };
}

/** Whoever closes the database last takes its log away, at any moment. */
function contentOf(path: string): Buffer {
  try {
    return statOf(path) === undefined ? Buffer.alloc(0) : readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Where the header of a database says that it has a write-ahead log (sqlite.org/fileformat2.html, offsets 18 and 19), and where not. */
const WAL_FLAGS = [18, 19] as const;
const NO_WAL = 1;

/**
 * Whether the database at a path, without what its write-ahead log holds, knows the orders that were there before it. Looked for in a
 * copy in memory: to open the file itself changes it.
 */
export function isAnchored(path: string): boolean {
  const bytes = readFileSync(path);
  for (const at of WAL_FLAGS) bytes[at] = NO_WAL;
  const db = new Database(bytes, { readonly: true });
  try {
    const isSetUp = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema WHERE name = 'meta'").pluck().get() === 1;
    return isSetUp && db.prepare<[], number>("SELECT count(*) FROM meta WHERE key = 'baselineAt'").pluck().get() === 1;
  } finally {
    db.close();
  }
}

type Sums = readonly [number, number];

function isHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC + 1) return false;
  const [one, two] = sumsOf(header.subarray(0, 24), [0, 0], isBigEndian(header));
  return one === header.readUInt32BE(24) && two === header.readUInt32BE(28);
}

function isBigEndian(header: Buffer): boolean {
  return header.readUInt32BE(0) === MAGIC + 1;
}

/** Frames whose checksums hold, and commits of this log (older ones bear other salts) that stand after the first that does not. */
function follow(log: Buffer, header: Buffer): { readonly frames: number; readonly beyond: number } {
  const pageSize = header.readUInt32BE(8);
  const salts = header.subarray(16, 24);
  let sums: Sums | undefined = [header.readUInt32BE(24), header.readUInt32BE(28)];
  let frames = 0;
  let beyond = 0;
  for (let at = HEADER_BYTES; at + FRAME_HEADER_BYTES + pageSize <= log.length; at += FRAME_HEADER_BYTES + pageSize) {
    const frame = log.subarray(at, at + FRAME_HEADER_BYTES + pageSize);
    const isOurs = frame.subarray(8, 16).equals(salts);
    if (sums === undefined) beyond += isOurs && frame.readUInt32BE(4) !== 0 ? 1 : 0;
    else {
      sums = isOurs ? nextSums(frame, sums, isBigEndian(header)) : undefined;
      frames += sums === undefined ? 0 : 1;
    }
  }
  return { frames, beyond };
}

/** The running checksum after a frame; undefined when it is not the one that the frame bears. */
function nextSums(frame: Buffer, before: Sums, bigEndian: boolean): Sums | undefined {
  const sums = sumsOf(frame.subarray(FRAME_HEADER_BYTES), sumsOf(frame.subarray(0, 8), before, bigEndian), bigEndian);
  return sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20) ? sums : undefined;
}

function sumsOf(bytes: Buffer, [first, second]: Sums, bigEndian: boolean): Sums {
  let [one, two] = [first, second];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + view.getUint32(at, !bigEndian) + two) >>> 0;
    two = (two + view.getUint32(at + 4, !bigEndian) + one) >>> 0;
  }
  return [one, two];
}
