import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LIMITS } from '../limits.ts';

/** Maximum bytes of a line without its end, as many as one request may have. */
export const LINE_BYTES_MAX = LIMITS.body_bytes_max;

/** Bytes that are read and decompressed at a time. */
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** A line that cannot be decoded. */
export class UnreadableLine {
  /** @param text as far as it could be decoded */
  constructor(
    readonly reason: string,
    readonly text = '',
  ) {}
}

export type Line = string | UnreadableLine;

const TOO_LONG = new UnreadableLine(`the line is longer than ${LINE_BYTES_MAX} bytes`);

// `ignoreBOM` keeps U+FEFF within the file. Only at the start it is not part of the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy_decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Splits bytes into lines. Holds at most one unfinished line of bounded length. */
export class LineCutter {
  private unfinished: Uint8Array[] = [];
  private unfinished_bytes = 0;
  /** Whether the current line is too long and was reported. */
  private skipping = false;

  /** The lines that end within `chunk`, without their line feeds. */
  push(chunk: Uint8Array): Line[] {
    let from = 0;
    if (this.skipping) {
      const end = chunk.indexOf(LINE_FEED);
      if (end < 0) return [];
      this.skipping = false;
      from = end + 1;
    }
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end < from) return this.keep(chunk.subarray(from));
    const lines = decodeLines(this.joined(chunk.subarray(from, end)));
    lines.push(...this.keep(chunk.subarray(end + 1)));
    return lines;
  }

  /** The last line, if it has no line feed. */
  end(): Line[] {
    return this.unfinished_bytes === 0 ? [] : decodeLines(this.joined(new Uint8Array(0)));
  }

  private keep(rest: Uint8Array): Line[] {
    if (rest.length > 0) this.unfinished.push(rest);
    this.unfinished_bytes += rest.length;
    if (this.unfinished_bytes <= LINE_BYTES_MAX) return [];
    this.unfinished = [];
    this.unfinished_bytes = 0;
    this.skipping = true;
    return [TOO_LONG];
  }

  private joined(rest: Uint8Array): Uint8Array {
    if (this.unfinished_bytes === 0) return rest;
    const bytes = Buffer.concat([...this.unfinished, rest]);
    this.unfinished = [];
    this.unfinished_bytes = 0;
    return bytes;
  }
}

/** Decodes all lines at once if possible, which is several times faster than line by line. */
function decodeLines(bytes: Uint8Array): Line[] {
  try {
    const lines: Line[] = decoder.decode(bytes).split('\n');
    return bytes.length <= LINE_BYTES_MAX ? lines : lines.map(bounded);
  } catch {
    return decodeEach(bytes);
  }
}

function decodeEach(bytes: Uint8Array): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    try {
      lines.push(bounded(decoder.decode(bytes.subarray(start, end))));
    } catch {
      const text = lossy_decoder.decode(bytes.subarray(start, end));
      lines.push(new UnreadableLine('the line is not valid UTF-8', text));
    }
    start = end + 1;
  }
  return lines;
}

function bounded(line: Line): Line {
  if (typeof line !== 'string' || line.length * 3 <= LINE_BYTES_MAX) return line;
  return Buffer.byteLength(line) > LINE_BYTES_MAX ? TOO_LONG : line;
}

/** Reads the lines of a file in pieces, and decompresses it if its name ends in `.gz`. */
export class LineReader {
  private file: ReadStream | undefined;
  private chunks: AsyncIterator<Uint8Array> | undefined;
  private readonly cutter = new LineCutter();
  private ended = false;

  constructor(private readonly path: string) {}

  /** Bytes of the file on disk that were read so far. */
  get bytes_read(): number {
    return this.file?.bytesRead ?? 0;
  }

  /** Further lines, at least one; undefined at the end. @throws Error if the file cannot be read */
  async next(): Promise<Line[] | undefined> {
    while (!this.ended) {
      this.chunks ??= this.open();
      const { done, value } = await this.chunks.next();
      this.ended = done === true;
      const lines = this.ended ? this.cutter.end() : this.cutter.push(value);
      if (lines.length > 0) return lines;
    }
    return undefined;
  }

  close(): void {
    this.ended = true;
    this.file?.destroy();
  }

  /** Opened at the first read, so that the reader gets the error of opening. */
  private open(): AsyncIterator<Uint8Array> {
    this.file = createReadStream(this.path, { highWaterMark: CHUNK_BYTES });
    const bytes = this.path.endsWith('.gz')
      ? pipeline(this.file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
      : this.file;
    return bytes[Symbol.asyncIterator]();
  }
}
