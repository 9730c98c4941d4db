import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isCompressed } from '../rows/file-names.ts';

/** Bytes that are read and decompressed at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Reads a file in pieces, and decompresses it if its name says so. */
export class FileBytes {
  private file: ReadStream | undefined;
  private chunks: AsyncIterator<Uint8Array> | undefined;
  private is_closed = false;

  constructor(private readonly path: string) {}

  /** Bytes of the file on disk that were read so far. */
  get bytes_read(): number {
    return this.file?.bytesRead ?? 0;
  }

  /** Further bytes; undefined at the end. @throws Error if the file cannot be read */
  async next(): Promise<Uint8Array | undefined> {
    if (this.is_closed) return undefined;
    this.chunks ??= this.open();
    const { done, value } = await this.chunks.next();
    return done ? undefined : value;
  }

  close(): void {
    this.is_closed = true;
    this.file?.destroy();
  }

  /** Opened at the first read, so that the reader gets the error of opening. */
  private open(): AsyncIterator<Uint8Array> {
    this.file = createReadStream(this.path, { highWaterMark: CHUNK_BYTES });
    const bytes = isCompressed(this.path)
      ? pipeline(this.file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
      : this.file;
    return bytes[Symbol.asyncIterator]();
  }
}
