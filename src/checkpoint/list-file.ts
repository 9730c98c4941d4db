import { closeSync, fstatSync, fsync, openSync, write } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { damaged, hashBytes, readAll, replaced, requireSpace, usable, writeWhole } from './file.ts';
import { Unusable } from './head.ts';

/**
 * The format of a file of neighbour lists: 8 bytes magic, then pieces. A piece is its length in bytes (a float), the hash
 * of everything up to its end, and its words. The first hash covers the name of the checkpoint. The magic changes with
 * the format and with the constants of the walk.
 */
const MAGIC = 'fllists4';
const PIECE_HEAD_BYTES = 16;
/** The maximum length of a piece. Memory is allocated before the hash can be verified. */
const PIECE_BYTES_MAX = 4 * 1024 * 1024;

export interface KeptLists {
  /** Whether they reflect every change up to `seq` that makes lists invalid. If not, a step towards it is done. */
  reflect(seq: number): boolean;
  complete(slice: () => Promise<void>): Promise<void>;
  /** The lists in pieces. A piece is valid until the next one. */
  pieces(): Iterable<Int32Array<ArrayBuffer>>;
  /** Adds the lists of a piece. */
  add(piece: Int32Array): void;
  clear(): void;
}

export interface WrittenLists {
  bytes: number;
  /** Verifies the file in `readLists`. */
  digest: string;
}

const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);

/**
 * Writes the neighbour lists atomically. The thread is only used to copy pieces; other threads write them.
 * @param name of the checkpoint
 * @throws file system errors; errors of `slice`; no files are left behind
 */
export async function writeLists(
  file: string,
  name: string,
  lists: Pick<KeptLists, 'pieces'>,
  slice: () => Promise<void>,
): Promise<WrittenLists> {
  let hash = Bun.hash.xxHash3(name);
  let bytes = 0;
  await writeWhole(file, async (descriptor) => {
    const put = async (buffer: Uint8Array): Promise<void> => {
      for (let done = 0; done < buffer.length; ) {
        const { bytesWritten } = await writeAsync(descriptor, buffer, done, buffer.length - done);
        done += bytesWritten;
      }
      bytes += buffer.length;
    };
    await put(Buffer.from(MAGIC, 'latin1'));
    for (const words of lists.pieces()) {
      const piece = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
      hash = Bun.hash.xxHash3(piece, hash);
      requireSpace(dirname(file), bytes + piece.length);
      await put(pieceHead(piece.length, hash));
      await put(piece);
      await slice();
    }
    await fsyncAsync(descriptor);
  });
  return { bytes, digest: hashBytes(hash).toString('hex') };
}

/**
 * Reads and verifies neighbour lists. Each piece is verified before it is used.
 * @param wanted the name of the checkpoint and the digest of the file
 * @throws Unusable, and `lists` are empty then; errors of `slice`
 */
export async function readLists(
  file: string,
  wanted: { name: string; digest: string },
  lists: Pick<KeptLists, 'add' | 'clear'>,
  slice: () => Promise<void>,
): Promise<void> {
  try {
    await readPieces(file, wanted, (piece) => lists.add(piece), slice);
  } catch (error) {
    lists.clear();
    throw error;
  }
}

async function readPieces(
  file: string,
  { name, digest }: { name: string; digest: string },
  add: (piece: Int32Array) => void,
  slice: () => Promise<void>,
): Promise<void> {
  const descriptor = usable(() => openSync(file, 'r'));
  try {
    const magic = usable(() => readAll(descriptor, Buffer.alloc(MAGIC.length)));
    if (magic.toString('latin1') !== MAGIC) throw new Unusable('it is not a file of neighbour lists');
    let left = fstatSync(descriptor).size - MAGIC.length;
    let hash = Bun.hash.xxHash3(name);
    while (left > 0) {
      const head = usable(() => readAll(descriptor, Buffer.alloc(PIECE_HEAD_BYTES)));
      const length = head.readDoubleLE(0);
      left -= PIECE_HEAD_BYTES + length;
      if (!(left >= 0 && length > 0 && length <= PIECE_BYTES_MAX && length % 4 === 0)) throw damaged();
      const words = new Int32Array(length / 4);
      const piece = usable(() => readAll(descriptor, new Uint8Array(words.buffer)));
      hash = Bun.hash.xxHash3(piece, hash);
      if (!pieceHead(length, hash).equals(head)) throw damaged();
      add(words);
      await slice();
    }
    if (hashBytes(hash).toString('hex') !== digest) throw replaced();
  } finally {
    closeSync(descriptor);
  }
}

function pieceHead(length: number, hash: bigint): Buffer {
  const head = Buffer.alloc(PIECE_HEAD_BYTES);
  head.writeDoubleLE(length);
  head.writeBigUInt64LE(hash, PIECE_HEAD_BYTES - 8);
  return head;
}
