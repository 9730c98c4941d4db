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
import type { Column } from '../columns/columns.ts';
import { type ColumnSpec, emptyColumn, type Image } from '../columns/image.ts';
import { reasonOf } from '../errors.ts';
import { flushToDisk, openNewFile } from '../files/new-file.ts';
import type { CheckpointEntry } from '../store/checkpoint-store.ts';
import { type Head, OtherMake, parseHead, Unusable } from './head.ts';

/**
 * The file format: 8 bytes magic; the length of the head in bytes (a float); the head's hash; the head (JSON); the
 * bytes of the columns, one after another; their hash.
 */
const MAGIC = 'flcheck1';
const PREFIX_BYTES = 24;
const HASH_BYTES = 8;
/** The number of bytes that are hashed, read and written without interruption. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** Free disk space that is required, as a multiple of the checkpoint's size. The database needs the rest. */
const FREE_TIMES = 2;

/** The verified content of a checkpoint, copied to memory. */
export interface Contents {
  outline: unknown;
  specs: readonly ColumnSpec[];
  columns: (Column | undefined)[];
}

/** The expected head and digest, checked before anything else is used. */
export type WantedHead = Pick<Head, 'name' | 'seq' | 'make'> & Pick<CheckpointEntry, 'digest'>;

/**
 * Writes a checkpoint atomically.
 * @returns its size, and the digest by which `readCheckpoint` verifies it
 * @throws file system errors; no files are left behind
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
  const start = prefix(head_bytes);
  let hash = 0n;
  await writeWhole(file, async (descriptor) => {
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
  });
  return { bytes: size, digest: digestOf(start, hash) };
}

/**
 * Creates a file that gets its name when `write` has written and flushed all of it.
 * @throws file system errors; errors of `write`; no files are left behind
 */
export async function writeWhole(file: string, write: (descriptor: number) => Promise<void>): Promise<void> {
  const part = partOf(file);
  const descriptor = openNewFile(part);
  try {
    await write(descriptor);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  flushToDisk(dirname(file));
}

/** The name of the file while it is being written. */
export function partOf(file: string): string {
  return `${file}.part`;
}

/**
 * Reads and verifies a checkpoint.
 * @throws Unusable; errors of `slice`
 */
export async function readCheckpoint(
  file: string,
  wanted: WantedHead,
  slice: () => Promise<void>,
): Promise<Contents> {
  const descriptor = usable(() => openSync(file, 'r'));
  try {
    const { start, head, size } = usable(() => readHead(descriptor));
    if (head.name !== wanted.name) throw new Unusable('it belongs to other data');
    if (head.make !== wanted.make)
      throw new OtherMake('it was written by another version or with other plugins');
    // Verifying the columns means reading them. A wrong head is detected before that.
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

export function usable<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof Unusable) throw error;
    throw new Unusable(reasonOf(error), { cause: error });
  }
}

/** @returns the prefix of the file, its head, and the number of bytes after the head */
function readHead(descriptor: number): { start: Buffer; head: Head; size: number } {
  const start = readAll(descriptor, Buffer.alloc(PREFIX_BYTES));
  if (start.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Unusable('it is not a checkpoint');
  const length = start.readDoubleLE(MAGIC.length);
  const { size } = fstatSync(descriptor);
  // The length is checked first, because memory is allocated before the hash can be verified.
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

function headDigest(start: Buffer): string {
  return start.toString('hex', PREFIX_BYTES - HASH_BYTES);
}

function digestOf(start: Buffer, columns_hash: bigint): string {
  return headDigest(start) + hashBytes(columns_hash).toString('hex');
}

/** A 64-bit hash as `HASH_BYTES` bytes, little-endian. */
export function hashBytes(hash: bigint): Buffer {
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

/** Fills `bytes` from the current position of a file. @throws Unusable if the file ends before */
export function readAll<T extends Uint8Array>(descriptor: number, bytes: T): T {
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, null);
    if (read === 0) throw damaged();
    done += read;
  }
  return bytes;
}

/** @throws Error if a folder has too little free space for `size` bytes, which leave room for the database */
export function requireSpace(folder: string, size: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= size * FREE_TIMES) return;
  throw new Error(
    `a checkpoint needs ${size} bytes, and half of the ${bavail * bsize} free bytes must stay free`,
  );
}

export function damaged(): Unusable {
  return new Unusable('it is damaged');
}

export function replaced(): Unusable {
  return new Unusable('it is not the checkpoint that the database recorded');
}
