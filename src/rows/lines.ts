import { LIMITS } from '../limits.ts';
import { isWindows1252, joinedBytes } from './encodings.ts';

/** Maximum bytes of a line without its end, as many as one request may have. */
export const LINE_BYTES_MAX = LIMITS.body_bytes_max;

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
const windows_decoder = new TextDecoder('windows-1252');

/**
 * Splits bytes into lines. Holds at most one unfinished line of bounded length.
 *
 * A file without characters of UTF-8 is read as Windows-1252 from the first characters on that are likely to be that.
 */
export class LineCutter {
  is_windows_1252 = false;
  private has_utf8 = false;
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
    const lines = this.decode(this.joined(chunk.subarray(from, end)));
    lines.push(...this.keep(chunk.subarray(end + 1)));
    return lines;
  }

  /** The last line, if it has no line feed. */
  end(): Line[] {
    return this.unfinished_bytes === 0 ? [] : this.decode(this.joined(new Uint8Array(0)));
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
    const bytes = joinedBytes([...this.unfinished, rest]);
    this.unfinished = [];
    this.unfinished_bytes = 0;
    return bytes;
  }

  /** Decodes all lines at once if possible, which is several times faster than line by line. */
  private decode(bytes: Uint8Array): Line[] {
    if (this.is_windows_1252) return linesIn(windows_decoder.decode(bytes), bytes.length);
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      this.is_windows_1252 = !this.has_utf8 && isWindows1252(bytes);
      return this.is_windows_1252 ? this.decode(bytes) : decodeEach(bytes);
    }
    this.has_utf8 ||= text.length !== bytes.length;
    return linesIn(text, bytes.length);
  }
}

function linesIn(text: string, bytes: number): Line[] {
  const lines: Line[] = text.split('\n');
  return bytes <= LINE_BYTES_MAX ? lines : lines.map(bounded);
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
  return new TextEncoder().encode(line).length > LINE_BYTES_MAX ? TOO_LONG : line;
}
