import { LIMITS } from '../limits.ts';
import { type Decoder, joinedBytes, lossyUtf8In, utf8In } from './encodings.ts';

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

/** Splits bytes into lines. Holds at most one unfinished line of bounded length. */
export class LineCutter {
  /** @param decoder its notes say which encoding is recognised */
  constructor(private readonly decoder: Decoder) {}

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
    const text = this.decoder.decode(bytes);
    return text === undefined ? decodeEach(bytes) : linesIn(text, bytes.length);
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
    const line = bytes.subarray(start, end);
    const text = utf8In(line);
    if (text !== undefined) lines.push(bounded(text));
    else lines.push(new UnreadableLine('the line is not valid UTF-8', lossyUtf8In(line)));
    start = end + 1;
  }
  return lines;
}

function bounded(line: Line): Line {
  if (typeof line !== 'string' || line.length * 3 <= LINE_BYTES_MAX) return line;
  return new TextEncoder().encode(line).length > LINE_BYTES_MAX ? TOO_LONG : line;
}
