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
