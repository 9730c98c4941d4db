import type { Names } from '../state/names.ts';

/** JSON in UTF-8, in memory that is written again once it is let go. */
export class JsonText {
  constructor(
    readonly bytes: Uint8Array<ArrayBuffer>,
    private chunk: Chunk | undefined,
  ) {}

  /** Its bytes have been copied, and nobody looks at them again. Texts that are never let go cost no more than new memory. */
  release(): void {
    this.chunk?.release();
    this.chunk = undefined;
  }
}

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
/** Chunks that are kept for texts to come. */
const IDLE_MAX = 8;
/** Of the longest whole number, and of the longest number at all: `-1.2345678901234567e-300`. */
const INTEGER_BYTES = 10;
const NUMBER_BYTES = 24;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Below this JSON has no characters as they are. */
const SPACE = 0x20;

/** Memory of some texts. */
class Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, as words that begin anywhere. */
  readonly view: DataView;
  /** That are not let go. */
  texts = 0;

  /** @param onFree is called when the last of its texts is let go */
  constructor(
    size: number,
    private readonly onFree: (chunk: Chunk) => void,
  ) {
    this.bytes = new Uint8Array(size);
    this.view = new DataView(this.bytes.buffer);
  }

  release(): void {
    if (--this.texts === 0) this.onFree(this);
  }
}

/**
 * JSON text put together as bytes, of pieces most of which are bytes already. As a string it would be put together as
 * fast, but the engine only notes its hundreds of pieces, and copies them one by one when it is sent. Texts lie in chunks that are
 * written again and again: new memory would cost as much as what is written into it.
 */
export class JsonBytes {
  private readonly idle: Chunk[] = [];
  private chunk = this.newChunk(CHUNK);
  /** Of `chunk`. */
  private bytes = this.chunk.bytes;
  private view = this.chunk.view;
  private start = 0;
  private end = 0;
  /** Of the number that was written last: a score often is what the one before it was. */
  private last_number = Number.NaN;
  private last_start = 0;
  private last_end = 0;

  /** Begins a text. */
  begin(): void {
    if (this.chunk.texts === 0) this.end = 0;
    this.start = this.end;
    this.last_number = Number.NaN;
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
    this.reserve(INTEGER_BYTES);
    if (value < 1e6) {
      this.short(value);
      return;
    }
    const millions = Math.floor(value / 1e6);
    this.short(millions);
    const rest = value - 1e6 * millions;
    this.three(Math.floor(rest / 1000));
    this.three(rest % 1000);
  }

  /** A finite number. */
  number(value: number): void {
    this.reserve(NUMBER_BYTES);
    const { bytes, end } = this;
    if (value === this.last_number) {
      bytes.copyWithin(end, this.last_start, this.last_end);
      this.end = end + this.last_end - this.last_start;
    } else this.putText(String(value));
    this.last_number = value;
    this.last_start = end;
    this.last_end = this.end;
  }

  /** What was written since `begin`. */
  take(): JsonText {
    this.chunk.texts++;
    return new JsonText(this.bytes.subarray(this.start, this.end), this.chunk);
  }

  /** A number below a million, without zeros before it. */
  private short(value: number): void {
    if (value >= 1000) {
      const thousands = Math.floor(value / 1000);
      this.short(thousands);
      this.three(value - 1000 * thousands);
      return;
    }
    const digits = value >= 100 ? 3 : value >= 10 ? 2 : 1;
    this.view.setUint32(this.end, THOUSAND[value] >>> (8 * (3 - digits)), true);
    this.end += digits;
  }

  /** Three digits. */
  private three(value: number): void {
    this.view.setUint32(this.end, THOUSAND[value], true);
    this.end += 3;
  }

  private putText(text: string): void {
    const { bytes, end } = this;
    for (let at = 0; at < text.length; at++) bytes[end + at] = text.charCodeAt(at);
    this.end = end + text.length;
  }

  /** Room for so many bytes, and for the rest of the last word; else the text so far moves into another chunk. */
  private reserve(count: number): void {
    if (this.end + count + WORD > this.bytes.length) this.moveOn(count);
  }

  private moveOn(count: number): void {
    const { bytes, start, end } = this;
    const length = end - start;
    const size = Math.max(CHUNK, 2 * (length + count + WORD));
    const chunk = (size === CHUNK ? this.idle.pop() : undefined) ?? this.newChunk(size);
    chunk.bytes.set(bytes.subarray(start, end));
    // One that holds nothing any more will not be let go.
    if (this.chunk.texts === 0) this.keep(this.chunk);
    this.chunk = chunk;
    this.bytes = chunk.bytes;
    this.view = chunk.view;
    this.last_number = Number.NaN;
    this.start = 0;
    this.end = length;
  }

  private newChunk(size: number): Chunk {
    return new Chunk(size, (chunk) => {
      if (chunk !== this.chunk) this.keep(chunk);
    });
  }

  private keep(chunk: Chunk): void {
    if (chunk.bytes.length === CHUNK && this.idle.length < IDLE_MAX) this.idle.push(chunk);
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
