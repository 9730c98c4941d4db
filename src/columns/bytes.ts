/** Writes integers and bytes to a buffer that grows. */
export class ByteWriter {
  private bytes = new Uint8Array(256);
  length = 0;
  /** Bits of the last byte that are used, while bits are written. */
  private bit = 0;

  byte(value: number): void {
    this.require(1);
    this.bytes[this.length++] = value;
  }

  /** @param value an integer from 0 below 2^53: 7 bits a byte, the lowest first */
  varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  /** @param value an integer from 0 below 2^48 */
  uint48(value: number): void {
    this.require(6);
    for (let at = 0, rest = value; at < 6; at++, rest = Math.floor(rest / 256))
      this.bytes[this.length++] = rest % 256;
  }

  raw(bytes: Uint8Array): void {
    this.require(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Appends the lowest `count` bits of a 32-bit integer. Call `endBits` after the last of them. */
  bits(value: number, count: number): void {
    for (let left = count, rest = value; left > 0; ) {
      if (this.bit === 0) this.byte(0);
      const taken = Math.min(left, 8 - this.bit);
      this.bytes[this.length - 1] |= (rest & ((1 << taken) - 1)) << this.bit;
      this.bit = (this.bit + taken) & 7;
      rest >>>= taken;
      left -= taken;
    }
  }

  endBits(): void {
    this.bit = 0;
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  private require(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads what `ByteWriter` wrote. @throws RangeError at the end of the bytes */
export class ByteReader {
  at = 0;
  private bit = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get is_at_end(): boolean {
    return this.at >= this.bytes.length;
  }

  get bytes_left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    if (this.is_at_end) throw new RangeError('the bytes end too early');
    return this.bytes[this.at++];
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  uint48(): number {
    let value = 0;
    for (let at = 0, factor = 1; at < 6; at++, factor *= 256) value += this.byte() * factor;
    return value;
  }

  raw(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new RangeError('the bytes end too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** @returns `count` bits as an unsigned integer. Call `endBits` after the last of them. */
  bits(count: number): number {
    let value = 0;
    for (let done = 0; done < count; ) {
      const byte = this.bit === 0 ? this.byte() : this.bytes[this.at - 1];
      const taken = Math.min(count - done, 8 - this.bit);
      value |= ((byte >>> this.bit) & ((1 << taken) - 1)) << done;
      this.bit = (this.bit + taken) & 7;
      done += taken;
    }
    return value >>> 0;
  }

  endBits(): void {
    this.bit = 0;
  }

  /** The bytes that were read since a position. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.at);
  }
}
