import type { FileMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import type { Zstd } from './zstd.ts';

type ColumnMetaData = NonNullable<FileMetaData['row_groups'][number]['columns'][number]['meta_data']>;
type Header = ReturnType<typeof parquetHeader>;

interface Reader {
  readonly view: DataView;
  offset: number;
}

/**
 * Goes through every page of a file before its rows are read, and throws a RangeError where a count is more than there can be. The reader
 * of rows believes them: a garbled one could keep it busy without end, or take all memory. Only pages as an export has them pass.
 * `rowsMax`: of one group.
 */
export function checkPages(buffer: ArrayBuffer, { row_groups: groups }: FileMetaData, zstd: Zstd, rowsMax: number): void {
  for (const { num_rows: told, columns } of groups) {
    const rows = within(Number(told), rowsMax, 'rows in a group');
    for (const { meta_data: meta } of columns) {
      if (meta === undefined) throw new RangeError('a column says nothing of itself');
      checkColumn(buffer, meta, rows, zstd);
    }
  }
}

function checkColumn(buffer: ArrayBuffer, meta: ColumnMetaData, rows: number, zstd: Zstd): void {
  if (meta.codec !== 'ZSTD') throw new RangeError(`its pages are packed as ${meta.codec}`);
  const start = meta.dictionary_page_offset || meta.data_page_offset;
  const bytes = buffer.slice(Number(start), Number(start + meta.total_compressed_size));
  const reader: Reader = { view: new DataView(bytes), offset: 0 };
  let left = rows;
  while (left > 0) {
    const header = parquetHeader(reader);
    const size = within(header.compressed_page_size, bytes.byteLength - reader.offset, 'bytes in a page');
    const body = new Uint8Array(bytes, reader.offset, size);
    reader.offset += size;
    if (header.type === 'DICTIONARY_PAGE') within(header.dictionary_page_header?.num_values, rows, 'values in a dictionary');
    else left -= checkDataPage(header, body, left, zstd);
  }
}

/** The rows of a page. */
function checkDataPage(header: Header, body: Uint8Array, left: number, zstd: Zstd): number {
  const page = header.data_page_header_v2;
  if (header.type !== 'DATA_PAGE_V2' || page === undefined) throw new RangeError(`it has a page of another form: ${header.type}`);
  const rows = within(page.num_values, left, 'values in a page');
  if (rows === 0) throw new RangeError('it has a page of nothing');
  const values = rows - within(page.num_nulls, rows, 'missing values in a page');
  if (page.repetition_levels_byte_length !== 0) throw new RangeError('it has lists');
  const levels = within(page.definition_levels_byte_length, body.length, 'bytes in a page');
  checkRuns(readerOf(body.subarray(0, levels)), 1, rows);
  if (page.encoding === 'PLAIN') return rows;
  const unpacked = readerOf(zstd.decompress(body.subarray(levels), header.uncompressed_page_size - levels));
  if (page.encoding === 'RLE') unpacked.offset += LENGTH_BYTES;
  else if (page.encoding !== 'RLE_DICTIONARY') throw new RangeError(`it has values in another form: ${page.encoding}`);
  checkRuns(unpacked, page.encoding === 'RLE' ? 1 : unpacked.view.getUint8(unpacked.offset++), values);
  return rows;
}

/** Before the runs of yes and no stands how long they are. */
const LENGTH_BYTES = 4;
const WIDTH_MAX = 32;

/** Runs of one value, and packs of eight, which together must be so many values. */
function checkRuns(reader: Reader, width: number, values: number): void {
  within(width, WIDTH_MAX, 'bits in a value');
  for (let left = values; left > 0;) {
    const header = readVarInt(reader) >>> 0;
    const isPacked = (header & 1) === 1;
    const packs = header >>> 1;
    const count = isPacked ? packs * 8 : packs;
    if (count === 0 || count > left + (isPacked ? 7 : 0))
      throw new RangeError(`it has a run of ${count} values where ${left} are left`);
    reader.offset += isPacked ? packs * width : Math.ceil(width / 8);
    left -= count;
  }
}

function readerOf(bytes: Uint8Array): Reader {
  return { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
}

function within(count: number | undefined, max: number, what: string): number {
  if (count === undefined || !(count >= 0 && count <= max))
    throw new RangeError(`it says that there are ${count} ${what}, of at most ${max}`);
  return count;
}
