/**
 * Keyed hashing for input that untrusted clients choose.
 *
 * Without the key, a client cannot find colliding inputs. So chosen input is as fast in a hash table as random input.
 */

/** 64 random bits, as two 32-bit integers. */
export type HashKey = readonly [number, number];

/** For states that only trusted input fills, such as tests and evaluations of local files. */
export const FIXED_HASH_KEY: HashKey = [0x5eed_0001, 0x5eed_0002];

/**
 * HalfSipHash-1-3 (https://github.com/veorq/SipHash): short and keyed. Linux uses it for its hash tables.
 * @param words the bytes in little-endian order, padded with zeros to a whole word
 * @returns a signed 32-bit integer
 */
export function halfSipHash(words: Int32Array, length_bytes: number, low: number, high: number): number {
  let v0 = low | 0;
  let v1 = high | 0;
  let v2 = low ^ 0x6c796765;
  let v3 = high ^ 0x74656462;
  const whole = length_bytes >>> 2;
  for (let at = 0; at < whole; at++) {
    const input = words[at];
    v3 ^= input;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= input;
  }
  // The remaining bytes with the length, then three rounds without input. The round is written twice because
  // a function cannot return four numbers.
  const last = (length_bytes << 24) | ((length_bytes & 3) > 0 ? words[whole] : 0);
  v3 ^= last;
  for (let round = 0; round < 4; round++) {
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    if (round === 0) {
      v0 ^= last;
      v2 ^= 0xff;
    }
  }
  return v1 ^ v3;
}

/** The parameters of `spread` for one state. */
export interface IntegerHash {
  salt: number;
  /** Odd. */
  multiplier: number;
}

/** The inputs that the salt and the multiplier are hashed from. */
const SALT = new Int32Array([1]);
const MULTIPLIER = new Int32Array([2]);

/** Derives the parameters of `spread` from a key. */
export function integerHashOf([low, high]: HashKey): IntegerHash {
  return { salt: halfSipHash(SALT, 4, low, high), multiplier: halfSipHash(MULTIPLIER, 4, low, high) | 1 };
}

export const FIXED_INTEGER_HASH = integerHashOf(FIXED_HASH_KEY);

/**
 * Hashes an integer to a signed 32-bit integer whose upper bits give its slot in a hash table.
 *
 * A bijection, weaker and cheaper than `halfSipHash`. That suffices because the service assigns the integers, and
 * clients can only choose among them.
 */
export function spread(integer: number, salt: number, multiplier: number): number {
  const mixed = Math.imul(integer ^ salt, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 13), multiplier);
}

/** A text as UTF-8 in a reused buffer, readable as bytes and as words of 4 bytes. */
export class EncodedText {
  bytes = Buffer.alloc(1024);
  /**
   * The same memory as `bytes`, padded with zeros to a whole word.
   *
   * Signed, since the engine is slow with integers above 2³¹.
   */
  words = new Int32Array(this.bytes.buffer);
  length_bytes = 0;

  get length_words(): number {
    return (this.length_bytes + 3) >>> 2;
  }

  set(text: string): void {
    const { length } = text;
    if (length * 3 > this.bytes.length) {
      this.bytes = Buffer.alloc(length * 8);
      this.words = new Int32Array(this.bytes.buffer);
    }
    const { bytes } = this;
    this.length_bytes = length;
    this.words[length >>> 2] = 0;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) {
        this.setUnicode(text);
        return;
      }
      bytes[at] = code;
    }
  }

  private setUnicode(text: string): void {
    this.length_bytes = this.bytes.write(text, 'utf8');
    for (let at = this.length_bytes; (at & 3) !== 0; at++) this.bytes[at] = 0;
  }
}
