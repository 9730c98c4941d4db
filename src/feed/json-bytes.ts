import type { Names } from '../state/names.ts';

/** JSON in UTF-8. */
export type JsonText = Uint8Array<ArrayBuffer>;

/** Words of the longest pieces that are copied word by word: a call of the engine would take longer. */
const SHORT_WORDS = 16;
const WORD = Uint32Array.BYTES_PER_ELEMENT;
/** `000` to `999`: three bytes in a word. */
const THOUSAND = Uint32Array.from({ length: 1000 }, (_, value) => {
  const [hundreds, tens] = [Math.floor(value / 100), Math.floor(value / 10) % 10];
  return 0x303030 + hundreds + (tens << 8) + ((value % 10) << 16);
});
/** Texts of some twenty pages lie one behind the other. */
const CHUNK = 2 ** 18;
/** A chunk with less room than that is full: most texts are shorter. */
const LIKELY = 2 ** 14;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Below this JSON has no characters as they are. */
const SPACE = 0x20;

/**
 * JSON text put together as bytes, of pieces most of which are bytes already. As a string it would be put together as
 * fast, but the engine only notes its hundreds of pieces, and copies them one by one when it is sent.
 */
export class JsonBytes {
  private bytes = new Uint8Array(CHUNK);
  /** The same bytes, as words that begin anywhere. */
  private view = new DataView(this.bytes.buffer);
  private start = 0;
  private end = 0;
  /** The number that was written last: a score often is what the one before it was. */
  private last_number = 0;
  private last_text = '0';

  /** Begins a text. */
  begin(): void {
    this.start = this.end;
    this.reserve(LIKELY);
  }

  put({ bytes, words }: Piece): void {
    const { length } = bytes;
    this.reserve(length);
    const { end } = this;
    if (words.length > SHORT_WORDS) this.bytes.set(bytes, end);
    else {
      const { view } = this;
      for (let at = 0; at < words.length; at++) view.setUint32(end + WORD * at, words[at], true);
    }
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
      this.put(pieceOf(JSON.stringify(names.id(ordinal))));
      return;
    }
    bytes[start - 1] = QUOTE;
    bytes[start + length] = QUOTE;
    this.end = start + length + 1;
  }

  /** A whole number from 0 to less than 2³². */
  integer(value: number): void {
    if (value >= 1000) {
      const thousands = Math.floor(value / 1000);
      this.integer(thousands);
      this.reserve(3);
      this.view.setUint32(this.end, THOUSAND[value - 1000 * thousands], true);
      this.end += 3;
      return;
    }
    const digits = value >= 100 ? 3 : value >= 10 ? 2 : 1;
    this.reserve(digits);
    this.view.setUint32(this.end, THOUSAND[value] >>> (8 * (3 - digits)), true);
    this.end += digits;
  }

  /** A finite number. */
  number(value: number): void {
    const text = value === this.last_number ? this.last_text : String(value);
    const { length } = text;
    this.reserve(length);
    const { bytes, end } = this;
    for (let at = 0; at < length; at++) bytes[end + at] = text.charCodeAt(at);
    this.end = end + length;
    this.last_number = value;
    this.last_text = text;
  }

  /** What was written since `begin`. */
  take(): JsonText {
    return this.bytes.subarray(this.start, this.end);
  }

  /** Room for so many bytes, and for the rest of the last word; else the text so far moves into a new chunk. */
  private reserve(count: number): void {
    const { bytes, start, end } = this;
    if (end + count + WORD <= bytes.length) return;
    const length = end - start;
    this.bytes = new Uint8Array(Math.max(CHUNK, 2 * (length + count + WORD)));
    this.bytes.set(bytes.subarray(start, end));
    this.view = new DataView(this.bytes.buffer);
    this.start = 0;
    this.end = length;
  }
}

/** A text that is ready to be put. */
export interface Piece {
  bytes: Uint8Array;
  /** The same, zeros behind, little-endian. */
  words: Uint32Array;
}

const UTF8 = new TextEncoder();

export function pieceOf(text: string): Piece {
  const bytes = UTF8.encode(text);
  const words = new Uint32Array(Math.ceil(bytes.length / WORD));
  for (let at = 0; at < bytes.length; at++) words[at >> 2] |= bytes[at] << (8 * (at & 3));
  return { bytes, words };
}
