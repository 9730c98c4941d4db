/** Recognises the encoding of a file, and decodes it. */

/** Bytes beyond ASCII that texts of Windows-1252 have: letters, quotes, dashes and signs. */
const TYPICAL = new Set([0x80, 0x82, 0x84, 0x85, 0x8a, 0x8c, 0x8e, 0x99, 0x9a, 0x9c, 0x9e, 0x9f]);
/** First bytes of characters of UTF-8 that are often cut off, and that are rare at the end of a word of Windows-1252. */
const CUT_OFF = new Set([0xc2, 0xc3, 0xe2, 0xf0]);
/** Bytes that are looked at for UTF-16 without a mark. */
const MARKLESS_BYTES = 64;

/** UTF-16 by its byte order mark, or by the zeros of its ASCII characters; undefined for other encodings. */
export function utf16In(start: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const bytes = start.subarray(0, MARKLESS_BYTES);
  const zerosAt = (parity: number) => bytes.filter((byte, at) => at % 2 === parity && byte === 0).length;
  const half = Math.floor(bytes.length / 2);
  if (half === 0) return undefined;
  if (zerosAt(1) === half && zerosAt(0) === 0) return 'utf-16le';
  return zerosAt(0) === Math.ceil(bytes.length / 2) && zerosAt(1) === 0 ? 'utf-16be' : undefined;
}

/** Whether bytes that are no valid UTF-8 are probably text in Windows-1252, rather than UTF-8 with damaged parts. */
function isWindows1252(bytes: Uint8Array): boolean {
  let single = 0;
  let of_utf8 = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte < 0x80) continue;
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      of_utf8++;
      at += length - 1;
      continue;
    }
    if (!isTypical(byte)) return false;
    if (!CUT_OFF.has(byte) || isLetter(bytes[at + 1])) single++;
    // What is left of a character says nothing.
    else while (bytes[at + 1] >> 6 === 0b10) at++;
  }
  return single > 4 * of_utf8;
}

function isTypical(byte: number): boolean {
  return (byte >= 0xa0 && byte < 0xff) || (byte >= 0x91 && byte <= 0x97) || TYPICAL.has(byte);
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[a-z]/i.test(String.fromCharCode(byte));
}

/** Bytes of the character of UTF-8 beyond ASCII at a position; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const following = bytes.subarray(at + 1, at + length);
  return following.length === length - 1 && following.every((byte) => byte >> 6 === 0b10) ? length : 0;
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

// `ignoreBOM` keeps U+FEFF within the file. Only at the start it is not part of the text.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
const windows_1252 = new TextDecoder('windows-1252');

/** Undefined for bytes that are no valid UTF-8. */
export function utf8In(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** U+FFFD stands for what is not valid. */
export function lossyUtf8In(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/**
 * Decodes a file in pieces that end with whole characters.
 *
 * A file without characters of UTF-8 is read as Windows-1252 from the first characters on that are likely to be that.
 */
export class Decoder {
  private is_windows_1252 = false;
  private has_utf8 = false;

  /** @param notes gets what is recognised */
  constructor(private readonly notes: string[]) {}

  /** Undefined for bytes that are no valid UTF-8. */
  decode(bytes: Uint8Array): string | undefined {
    if (this.is_windows_1252) return windows_1252.decode(bytes);
    const text = utf8In(bytes);
    if (text !== undefined) {
      this.has_utf8 ||= text.length !== bytes.length;
      return text;
    }
    if (this.has_utf8 || !isWindows1252(bytes)) return undefined;
    this.is_windows_1252 = true;
    this.notes.push('the bytes are no UTF-8, so they are read as Windows-1252');
    return windows_1252.decode(bytes);
  }
}

const CHARACTER_BYTES_MAX = 4;

/** The number of bytes at the end that are the beginning of a character of UTF-8. */
export function cutOffBytes(bytes: Uint8Array): number {
  for (let back = 1; back < CHARACTER_BYTES_MAX && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte >> 6 === 0b10) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : CHARACTER_BYTES_MAX;
    return length > back ? back : 0;
  }
  return 0;
}
