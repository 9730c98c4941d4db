import { ByteColumn } from './byte-column.ts';

/** A text per ordinal, as UTF-8. */
export class TextColumn {
  private readonly texts = new ByteColumn();

  /** The text of an ordinal. '' without one. O(length), since each call decodes it. */
  get(ordinal: number): string {
    const { texts } = this;
    return texts.find(ordinal) ? texts.bytes.toString('utf8', texts.start, texts.end) : '';
  }

  /** Replaces the text of an ordinal. '' forgets it. Amortised O(length). */
  set(ordinal: number, text: string): void {
    this.texts.replace(ordinal, Buffer.byteLength(text), (bytes, start) => {
      bytes.write(text, start);
    });
  }

  clear(ordinal: number): void {
    this.texts.clear(ordinal);
  }

  get size_bytes(): number {
    return this.texts.size_bytes;
  }
}
