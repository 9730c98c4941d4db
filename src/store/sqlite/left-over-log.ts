import { constants, Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { StartupError } from '../../errors.ts';
import { DATABASE_ID } from '../checkpoint-store.ts';
import { FORMER_SEQ, HIGHEST_SEQ } from '../meta.ts';
import { type LogVersions, readLogVersions } from './log-versions.ts';

/**
 * Finds the write-ahead log of another state of the database: its process was killed, and then a copy replaced the file.
 * SQLite does not notice that, and would merge the log into the copy.
 *
 * A file has at least what it had when the log began, and what was merged since: at most what the index of the log
 * (`-shm`) counts. `highest_seq` in the file and in the frames of the log shows whether this holds. The index may be
 * outdated after a power failure, so it counts only if it has the same frames as the log.
 *
 * A copy that was made since the log began, and is not newer than what was merged, is not noticed. SQLite then restores
 * exactly the state of the killed service: the log has the latest version of every page that changed since the copy.
 */

/** The index of the log begins with two copies of a header, and how much of the log was merged. */
const INDEX_BYTES = 136;
const HEADER_BYTES = 48;
const FRAMES_AT = 16;
const SALTS_AT = 32;
const MERGED_AT = 96;
const MERGING_AT = 128;

/** `meta` as far as it is compared. */
interface Mark {
  database_id: string;
  highest_seq: number;
}

/** Refuses a log that does not belong to the database beside it. @throws StartupError `log_left_over` */
export function refuseLeftOverLog(named: string): void {
  if (!existsSync(named)) return;
  const file = realpathSync(named);
  const [log, index] = [`${file}-wal`, `${file}-shm`];
  if (!existsSync(log)) return;
  const before = readIndex(index);
  const found = readLogVersions(log, HIGHEST_SEQ);
  if (found === undefined || found.versions.length === 0) return;
  const mark = markOf(file);
  const after = readIndex(index);
  // Another process uses the database.
  if (before !== undefined && after?.equals(before) !== true) return;
  if (mark === undefined || belongs(mark, found, before)) return;
  const { meta } = found.versions[found.versions.length - 1];
  throw new StartupError(
    'log_left_over',
    `'${log}' does not belong to '${file}', which was replaced by a copy: the file ends with change ` +
      `${mark.highest_seq}, and the log continues another state up to change ${meta.get(HIGHEST_SEQ)}`,
    `to use exactly the copy, remove '${log}' and '${index}'; otherwise put the former file back`,
  );
}

function belongs(
  { database_id, highest_seq }: Mark,
  { versions, salts, last_frame }: LogVersions,
  index: Buffer | undefined,
): boolean {
  const [first] = versions;
  const last = versions[versions.length - 1];
  const last_id = last.meta.get(DATABASE_ID);
  if (last_id !== undefined && last_id !== database_id) return false;
  const end = seqOf(last.meta, HIGHEST_SEQ);
  // Then the log changes nothing.
  if (highest_seq === end) return true;
  if (highest_seq > end || highest_seq < seqOf(first.meta, FORMER_SEQ)) return false;
  if (index === undefined || !isCurrent(index, salts, last_frame)) return true;
  // A merge leaves out pages with a version that a reader does not see yet, so only a complete one sets a lower bound.
  if (numberAt(index, MERGED_AT) === last_frame) return false;
  const merging = versions.findLast(({ frame }) => frame <= numberAt(index, MERGING_AT));
  // Without merged frames, the first version may be one that did not raise `highest_seq`.
  return highest_seq <= seqOf((merging ?? first).meta, HIGHEST_SEQ);
}

/** Whether the index describes all frames of the log. */
function isCurrent(index: Buffer, salts: Buffer, last_frame: number): boolean {
  const header = index.subarray(0, HEADER_BYTES);
  return (
    header.equals(index.subarray(HEADER_BYTES, 2 * HEADER_BYTES)) &&
    header.subarray(SALTS_AT, SALTS_AT + salts.length).equals(salts) &&
    numberAt(header, FRAMES_AT) === last_frame
  );
}

/** The index has the byte order of the machine. */
function numberAt(index: Buffer, at: number): number {
  return new DataView(index.buffer, index.byteOffset).getUint32(at, LITTLE_ENDIAN);
}

const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

function seqOf(meta: ReadonlyMap<string, string>, name: string): number {
  return Number(meta.get(name) ?? 0);
}

function readIndex(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(INDEX_BYTES);
    return readSync(descriptor, bytes) === INDEX_BYTES ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the file without its log. Undefined if it cannot be read, for example because only a part of the first log was merged. */
function markOf(file: string): Mark | undefined {
  const path = file.split('/').map(encodeURIComponent).join('/');
  let database: Database | undefined;
  try {
    const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI;
    database = new Database(`file:${path}?immutable=1`, flags);
    const query = database.query<{ value: string }, [string]>('select value from meta where name = ?');
    const [id, seq] = [DATABASE_ID, HIGHEST_SEQ].map((name) => query.get(name)?.value);
    return id === undefined || seq === undefined ? undefined : { database_id: id, highest_seq: Number(seq) };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
