import { grown } from '../state/growable.ts';
import type { Names } from '../state/names.ts';

/** JSON in UTF-8. */
export type JsonText = Uint8Array<ArrayBuffer>;

/** Pieces up to so many bytes are copied one by one: a call of the engine would take longer. */
const SHORT = 64;
const ZERO = 0x30;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Below this JSON has no characters as they are. */
const SPACE = 0x20;

/**
 * JSON text put together as bytes, of pieces most of which are bytes already. As a string it would be put together as
 * fast, but the engine only notes its hundreds of pieces, and copies them one by one when it is sent.
 */
export class JsonBytes {
  private bytes = new Uint8Array(32_768);
  private end = 0;

  /** Begins anew. */
  clear(): void {
    this.end = 0;
  }

  put(piece: Uint8Array): void {
    const { length } = piece;
    this.reserve(length);
    const { bytes, end } = this;
    if (length > SHORT) bytes.set(piece, end);
    else for (let at = 0; at < length; at++) bytes[end + at] = piece[at];
    this.end = end + length;
  }

  /** An identifier in quotes. */
  name(names: Names, ordinal: number): void {
    const length = names.length(ordinal);
    this.reserve(length + 2);
    const { bytes } = this;
    const start = this.end + 1;
    names.copy(ordinal, bytes, start);
    for (let at = start; at < start + length; at++) {
      const code = bytes[at];
      if (code >= SPACE && code !== QUOTE && code !== BACKSLASH) continue;
      this.put(bytesOf(JSON.stringify(names.id(ordinal))));
      return;
    }
    bytes[start - 1] = QUOTE;
    bytes[start + length] = QUOTE;
    this.end = start + length + 1;
  }

  /** A whole number from 0 to less than 2³². */
  integer(value: number): void {
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    this.reserve(digits);
    const { bytes } = this;
    let rest = value;
    for (let at = this.end + digits - 1; at >= this.end; at--) {
      const tens = Math.floor(rest / 10);
      bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
    this.end += digits;
  }

  /** A copy of what was written. */
  take(): JsonText {
    return this.bytes.slice(0, this.end);
  }

  private reserve(count: number): void {
    if (this.end + count > this.bytes.length) this.bytes = grown(this.bytes, this.end + count);
  }
}

const UTF8 = new TextEncoder();

/** The bytes of a text. */
export function bytesOf(text: string): JsonText {
  return UTF8.encode(text);
}
