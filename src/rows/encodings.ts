/** Recognises the encoding of a file. */

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
export function isWindows1252(bytes: Uint8Array): boolean {
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
