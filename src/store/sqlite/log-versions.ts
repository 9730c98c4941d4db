import { closeSync, openSync, readSync } from 'node:fs';

/** The format of write-ahead logs and b-tree pages: https://www.sqlite.org/fileformat2.html */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES_AT = 8;
const SALTS_AT = 16;
const SALTS_BYTES = 8;
const FRAME_COMMIT_AT = 4;
const FRAME_SALTS_AT = 8;
const FRAMES_READ = 256;
const TABLE_LEAF = 0x0d;
/** In a leaf of a table: the number of cells, and their places. */
const CELL_COUNT_AT = 3;
const CELLS_AT = 8;
/** Serial types of texts are odd numbers from this one on. */
const FIRST_TEXT = 13;

/** The values of `meta` after a commit. */
export interface LogVersion {
  /** The number of the frame with these values, from 1. */
  frame: number;
  meta: ReadonlyMap<string, string>;
}

/** The commits of a write-ahead log that store the page of `meta` with a name. */
export interface LogVersions {
  salts: Buffer;
  /** The last frame of the last commit; 0 without commits. */
  last_frame: number;
  versions: LogVersion[];
}

/**
 * Reads all frames of a write-ahead log. Its checksums are not verified.
 * @param name of a row of `meta`; pages without it are ignored
 */
export function readLogVersions(file: string, name: string): LogVersions | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    if (readSync(descriptor, header) < LOG_HEADER_BYTES) return undefined;
    const salts = Buffer.from(header.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES));
    const found: LogVersions = { salts, last_frame: 0, versions: [] };
    let uncommitted: LogVersion | undefined;
    let frame = 0;
    for (const bytes of framesOf(descriptor, header.readUInt32BE(PAGE_BYTES_AT))) {
      // Frames of an earlier use of the file have other salts.
      if (!bytes.subarray(FRAME_SALTS_AT, FRAME_SALTS_AT + SALTS_BYTES).equals(salts)) break;
      frame++;
      const meta = metaOn(bytes.subarray(FRAME_HEADER_BYTES), name);
      if (meta !== undefined) uncommitted = { frame, meta };
      if (bytes.readUInt32BE(FRAME_COMMIT_AT) === 0) continue;
      found.last_frame = frame;
      if (uncommitted !== undefined) found.versions.push(uncommitted);
      uncommitted = undefined;
    }
    return found;
  } finally {
    closeSync(descriptor);
  }
}

/** Yields a view of each frame, which is overwritten later. */
function* framesOf(descriptor: number, page_bytes: number): Generator<Buffer> {
  const frame_bytes = FRAME_HEADER_BYTES + page_bytes;
  const buffer = Buffer.alloc(FRAMES_READ * frame_bytes);
  for (let position = LOG_HEADER_BYTES; ; position += buffer.length) {
    const read = readSync(descriptor, buffer, 0, buffer.length, position);
    const frames = Math.floor(read / frame_bytes);
    for (let at = 0; at < frames; at++) yield buffer.subarray(at * frame_bytes, (at + 1) * frame_bytes);
    if (frames < FRAMES_READ) return;
  }
}

/** The rows of `meta` on a page; undefined if the page is not the one of `meta` with that name. */
function metaOn(page: Buffer, name: string): ReadonlyMap<string, string> | undefined {
  if (page[0] !== TABLE_LEAF || !page.includes(name)) return undefined;
  const meta = new Map<string, string>();
  const cells = page.readUInt16BE(CELL_COUNT_AT);
  for (let cell = 0; cell < cells; cell++) {
    const pair = textPairAt(page, page.readUInt16BE(CELLS_AT + 2 * cell));
    if (pair !== undefined) meta.set(...pair);
  }
  return meta.has(name) ? meta : undefined;
}

/** The values of a cell with exactly two texts, which only `meta` has. Undefined if they do not fit the page. */
function textPairAt(page: Buffer, cell: number): [name: string, value: string] | undefined {
  const [payload_bytes, rowid_at] = varint(page, cell);
  const [, record] = varint(page, rowid_at);
  const [header_bytes, name_type_at] = varint(page, record);
  const [name_type, value_type_at] = varint(page, name_type_at);
  const [value_type, header_end] = varint(page, value_type_at);
  if (header_end !== record + header_bytes || record + payload_bytes > page.length) return undefined;
  if (!isText(name_type) || !isText(value_type)) return undefined;
  const name_end = header_end + (name_type - FIRST_TEXT) / 2;
  const value_end = name_end + (value_type - FIRST_TEXT) / 2;
  return [page.toString('utf8', header_end, name_end), page.toString('utf8', name_end, value_end)];
}

function isText(serial_type: number): boolean {
  return serial_type >= FIRST_TEXT && serial_type % 2 === 1;
}

/** A number of seven bits a byte, the high ones first, and the place after it. */
function varint(page: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let end = at; ; ) {
    const byte = page[end++] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, end];
  }
}
