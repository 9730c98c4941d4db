import { CsvRows } from './csv-rows.ts';
import { joinedBytes, utf16In } from './encodings.ts';
import { isCsv } from './file-names.ts';
import { JsonElements, JsonLines } from './json-rows.ts';
import type { Row, RowSource } from './row.ts';
import { separatorOf } from './separators.ts';

/** Bytes at the start of a file by which its form is recognised. */
const START_BYTES = 64 * 1024;
const LINES_LOOKED_AT = 50;

/** An absent cell as databases write it between tabs. Then a backslash escapes, and quotes are characters. */
const NULL_BETWEEN_TABS = /^(?:.*\t)?\\N(?:\t|\r?$)/m;

const SEPARATOR_NAMES: ReadonlyMap<string, string> = new Map([
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars (|)'],
]);

/**
 * Reads the rows of a file, whose bytes come in pieces: CSV or JSON by its name, and recognises how it is written.
 *
 * `push` and `end` take bytes that are decompressed; `next` gives the rows that end within these.
 */
export class RowReader {
  /** What was recognised and is not usual, in words. Grows while rows are read. */
  readonly notes: string[] = [];
  private readonly is_csv: boolean;
  private readonly start: Uint8Array[] = [];
  private start_bytes = 0;
  private source: RowSource | undefined;
  private decoder: TextDecoder | undefined;

  constructor(name: string) {
    this.is_csv = isCsv(name);
  }

  push(bytes: Uint8Array): void {
    if (this.source !== undefined) {
      this.source.push(this.inUtf8(bytes));
      return;
    }
    this.start.push(bytes);
    this.start_bytes += bytes.length;
    if (this.start_bytes >= START_BYTES) this.begin(false);
  }

  end(): void {
    (this.source ?? this.begin(true)).end();
  }

  /** The next row; undefined if more bytes are needed, or at the end. */
  next(): Row | undefined {
    return this.source?.next();
  }

  private begin(is_whole: boolean): RowSource {
    const bytes = joinedBytes(this.start);
    const encoding = utf16In(bytes);
    if (encoding !== undefined) {
      this.notes.push('the encoding is UTF-16');
      this.decoder = new TextDecoder(encoding);
    }
    const start = this.inUtf8(bytes);
    this.source = this.is_csv
      ? this.csvSource(start, is_whole)
      : (JsonElements.of(start, this.notes) ?? new JsonLines(this.notes));
    this.source.push(start);
    return this.source;
  }

  private csvSource(start: Uint8Array, is_whole: boolean): CsvRows {
    const text = new TextDecoder().decode(start);
    const lines = text.split(/\r?\n/).slice(0, LINES_LOOKED_AT);
    // The last one may go on.
    if (!is_whole && lines.length < LINES_LOOKED_AT && lines.length > 1) lines.pop();
    const separator = separatorOf(lines.filter((line) => line !== ''));
    const name = SEPARATOR_NAMES.get(separator);
    if (name !== undefined) this.notes.push(`the cells are separated by ${name}`);
    const is_of_database = separator === '\t' && NULL_BETWEEN_TABS.test(text);
    if (is_of_database) this.notes.push('backslashes escape characters, and quotes are characters');
    return new CsvRows({ separator, escapes: is_of_database ? 'backslashes' : 'quotes' }, this.notes);
  }

  private inUtf8(bytes: Uint8Array): Uint8Array {
    return this.decoder === undefined
      ? bytes
      : new TextEncoder().encode(this.decoder.decode(bytes, { stream: true }));
  }
}
