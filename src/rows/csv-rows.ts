import { csvFields, type Dialect, escapedFields, parsedRecord, plainFields } from './csv.ts';
import { isBlank, LineQueue } from './line-queue.ts';
import { LINE_BYTES_MAX } from './lines.ts';
import type { Row, RowSource } from './row.ts';

/** Maximum number of lines of a record. */
const RECORD_LINES_MAX = 1_000;
const NOT_CLOSED = 'a quoted field is not closed';
const BACKSLASHES = 'quotes within cells are written with a backslash';

function isEmpty(cells: readonly string[]): boolean {
  return cells[0] === '' && cells.every((cell) => cell === '');
}

/** The rows of a CSV file. Rows of empty cells are left out. */
export class CsvRows implements RowSource {
  private readonly lines: LineQueue;
  /** Cells of the first row; undefined before it. */
  private width: number | undefined;

  /** @param notes gets what is recognised */
  constructor(
    private dialect: Dialect,
    private readonly notes: string[],
  ) {
    this.lines = new LineQueue(notes);
  }

  push(bytes: Uint8Array): void {
    this.lines.push(bytes);
  }

  end(): void {
    this.lines.end();
  }

  next(): Row | undefined {
    for (;;) {
      const first = this.lines.peek(0);
      if (first === undefined) return undefined;
      if (typeof first !== 'string') return this.bad(first.reason, first.text);
      if (isBlank(first)) {
        this.lines.take(1);
        continue;
      }
      const row = this.record(first);
      if (row === undefined || row.fault !== undefined || !isEmpty(row.cells ?? [])) return row;
    }
  }

  /** The record that begins with a line; undefined if it continues beyond the lines that are there. */
  private record(first: string): Row | undefined {
    let text = first;
    for (let count = 1; ; count++) {
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
      const cells = this.cellsOf(whole, count > 1);
      if (cells === 'irregular') return this.bad(NOT_CLOSED, first);
      if (cells !== undefined) {
        const row = { line: this.lines.taken + 1, text: whole, cells };
        this.lines.take(count);
        this.width ??= cells.length;
        return row;
      }
      const next = this.lines.peek(count);
      if (next === undefined && !this.lines.has_ended && count < RECORD_LINES_MAX) return undefined;
      const is_over = count === RECORD_LINES_MAX || text.length > LINE_BYTES_MAX;
      if (typeof next !== 'string' || is_over) return this.bad(NOT_CLOSED, first);
      text = `${text}\n${next}`;
    }
  }

  /**
   * Undefined if the record continues. `irregular`: a quote that nobody closed has taken other records in, which are not to
   * be lost.
   */
  private cellsOf(text: string, has_lines: boolean): string[] | 'irregular' | undefined {
    const { separator, escapes } = this.dialect;
    if (escapes === 'backslashes') return escapedFields(text, separator);
    const plain = plainFields(text, separator);
    if (plain !== undefined) return plain;
    const record = parsedRecord(text, this.dialect);
    const is_whole = record?.is_regular && record.fields.length === this.width;
    if (escapes === 'quotes' && !is_whole && text.includes('\\"')) {
      const dialect: Dialect = { separator, escapes: 'backslashes_in_quotes' };
      const escaped = parsedRecord(text, dialect);
      if (escaped?.is_regular && escaped.fields.length === this.width) {
        this.dialect = dialect;
        this.notes.push(BACKSLASHES);
        return escaped.fields;
      }
      // Quotes with backslashes in a record of several lines.
      if (escaped === undefined && record?.is_regular === false) return undefined;
    }
    const is_bad = has_lines && record !== undefined && this.width !== undefined && !is_whole;
    return is_bad ? 'irregular' : record?.fields;
  }

  /** A row of one line that cannot be read. */
  private bad(fault: string, text: string): Row {
    const cells = csvFields(text, this.dialect) ?? text.split(this.dialect.separator);
    const row = { line: this.lines.taken + 1, text, cells, fault };
    this.lines.take(1);
    return row;
  }
}
