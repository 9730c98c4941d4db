import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../errors.ts';
import { openNewFile } from '../files/new-file.ts';
import type { Column } from '../state/columns.ts';
import { type ColumnSpec, emptyColumn, type Image } from '../state/image.ts';
import type { CheckpointEntry } from '../store/checkpoint-book.ts';
import { type Head, parseHead } from './head.ts';
import { Unusable } from './unusable.ts';

/**
 * A checkpoint's file: 8 bytes that say what it is; the length of the head in bytes (a float); its hash; the
 * head (JSON); the columns' bytes, one after another; their hash.
 */
const MAGIC = 'flcheck1';
const PREFIX_BYTES = 24;
const HASH_BYTES = 8;
/** Hashed, read and written at a time; between two pieces others may go on. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** So many times a checkpoint's size must be free on the disk: the rest is left to the database. */
const FREE_TIMES = 2;

/** Everything of a checkpoint, checked, in memory of its own. */
export interface Contents {
  outline: unknown;
  specs: readonly ColumnSpec[];
  columns: (Column | undefined)[];
}

/** What a file must say of itself, and the digest of its bytes, before anything in it is used. */
export type WantedHead = Pick<Head, 'name' | 'seq' | 'make'> & Pick<CheckpointEntry, 'digest'>;

/**
 * Writes a checkpoint, which is there as a whole or not at all.
 * @param slice awaited between pieces
 * @returns its size, and the digest by which `readCheckpoint` recognises it
 * @throws Error of the file system; nothing is left behind
 */
export async function writeCheckpoint(
  file: string,
  head: Pick<Head, 'name' | 'seq' | 'make'>,
  { outline, columns, bytes }: Image,
  slice: () => Promise<void>,
): Promise<{ bytes: number; digest: string }> {
  const whole: Head = { ...head, outline, specs: columns };
  const head_bytes = new TextEncoder().encode(JSON.stringify(whole));
  const columns_bytes = bytes.reduce((sum, each) => sum + each.length, 0);
  const size = PREFIX_BYTES + head_bytes.length + columns_bytes + HASH_BYTES;
  requireSpace(dirname(file), size);
  const part = partOf(file);
  const descriptor = openNewFile(part);
  const start = prefix(head_bytes);
  let hash = 0n;
  try {
    writeAll(descriptor, start);
    writeAll(descriptor, head_bytes);
    for (const column of bytes) {
      for (const piece of pieces(column)) {
        hash = Bun.hash.xxHash3(piece, hash);
        writeAll(descriptor, piece);
        await slice();
      }
    }
    writeAll(descriptor, hashBytes(hash));
    fsyncSync(descriptor);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(file));
  return { bytes: size, digest: digestOf(start, hash) };
}

/** Where a checkpoint is until it is whole. */
export function partOf(file: string): string {
  return `${file}.part`;
}

/**
 * Reads and checks a checkpoint.
 * @param slice awaited between pieces
 * @throws Unusable; what `slice` throws
 */
export async function readCheckpoint(
  file: string,
  wanted: WantedHead,
  slice: () => Promise<void>,
): Promise<Contents> {
  const descriptor = usable(() => openSync(file, 'r'));
  try {
    const { start, head, size } = usable(() => readHead(descriptor));
    if (head.name !== wanted.name) throw new Unusable('it is of other data');
    if (head.make !== wanted.make) throw new Unusable('another version wrote it, or one with other plugins');
    // The digest of the columns is known only once they are read; a head that is not the recorded one ends here.
    if (head.seq !== wanted.seq || !wanted.digest.startsWith(headDigest(start))) throw replaced();
    const columns_bytes = head.specs.reduce((sum, { used_bytes }) => sum + used_bytes, 0);
    if (size !== columns_bytes + HASH_BYTES) throw damaged();
    const { columns, hash } = await readColumns(descriptor, head.specs, slice);
    if (digestOf(start, hash) !== wanted.digest) throw replaced();
    return { outline: head.outline, specs: head.specs, columns };
  } finally {
    closeSync(descriptor);
  }
}

/** Runs a step of reading; whatever goes wrong in it makes the file unusable. @throws Unusable */
export function usable<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable(reasonOf(error), { cause: error });
  }
}

/** @returns the prefix of the file, its head, and the bytes that come after that */
function readHead(descriptor: number): { start: Buffer; head: Head; size: number } {
  const start = readAll(descriptor, Buffer.alloc(PREFIX_BYTES));
  if (start.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Unusable('it is no checkpoint');
  const length = start.readDoubleLE(MAGIC.length);
  const { size } = fstatSync(descriptor);
  // Room is made for the head before its hash can be checked.
  if (!(Number.isSafeInteger(length) && length > 0 && length < size)) throw damaged();
  const bytes = readAll(descriptor, Buffer.alloc(length));
  if (!prefix(bytes).equals(start)) throw damaged();
  return { start, head: parseHead(bytes.toString('utf8')), size: size - PREFIX_BYTES - length };
}

async function readColumns(
  descriptor: number,
  specs: readonly ColumnSpec[],
  slice: () => Promise<void>,
): Promise<{ columns: (Column | undefined)[]; hash: bigint }> {
  const columns = usable(() => emptyColumns(specs));
  let hash = 0n;
  for (const [index, column] of columns.entries()) {
    if (column === undefined) continue;
    const bytes = new Uint8Array(column.buffer, 0, specs[index].used_bytes);
    for (const piece of pieces(bytes)) {
      usable(() => readAll(descriptor, piece));
      hash = Bun.hash.xxHash3(piece, hash);
      await slice();
    }
  }
  const known = usable(() => readAll(descriptor, Buffer.alloc(HASH_BYTES)));
  if (!hashBytes(hash).equals(known)) throw damaged();
  return { columns, hash };
}

function emptyColumns(specs: readonly ColumnSpec[]): (Column | undefined)[] {
  return specs.map((spec) => (spec.over === undefined ? emptyColumn(spec) : undefined));
}

function prefix(head: Uint8Array): Buffer {
  const bytes = Buffer.alloc(PREFIX_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeDoubleLE(head.length, MAGIC.length);
  bytes.writeBigUInt64LE(Bun.hash.xxHash3(head), PREFIX_BYTES - HASH_BYTES);
  return bytes;
}

/** The hash of the head, as it stands in the prefix. */
function headDigest(start: Buffer): string {
  return start.toString('hex', PREFIX_BYTES - HASH_BYTES);
}

function digestOf(start: Buffer, columns_hash: bigint): string {
  return headDigest(start) + hashBytes(columns_hash).toString('hex');
}

function hashBytes(hash: bigint): Buffer {
  const bytes = Buffer.alloc(HASH_BYTES);
  bytes.writeBigUInt64LE(hash);
  return bytes;
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
}

function readAll<T extends Uint8Array>(descriptor: number, bytes: T): T {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, null);
    if (read === 0) throw damaged();
    done += read;
  }
  return bytes;
}

function requireSpace(folder: string, size: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= size * FREE_TIMES) return;
  throw new Error(`a checkpoint takes ${size} bytes, and of ${bavail * bsize} free ones half must stay free`);
}

/** The name itself must outlast a loss of power. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function damaged(): Unusable {
  return new Unusable('it is damaged');
}

function replaced(): Unusable {
  return new Unusable('it is not the one that the data recorded');
}
