import { reasonOf } from '../errors.ts';
import type { Row } from '../rows/row.ts';
import { RowReader } from '../rows/row-reader.ts';
import { FileBytes } from './file-bytes.ts';
import type { FileKind, InterchangeFile } from './files.ts';
import type { Timed } from './formats.ts';
import type { Format, Reading } from './line-formats.ts';
import { FileReport, type ImportLog } from './report.ts';

/** A valid record of a file. */
export type Entry<T = Timed> = T & { line: number; report: FileReport };

/** Reads the valid records of one file, one at a time, and reports bad lines. */
export class Source<T extends object = Timed> {
  head: Entry<T> | undefined;
  readonly report: FileReport;
  /** Of records that are left of bad lines. Its counts are not shown. */
  private readonly rest_report: FileReport;
  private readonly bytes: FileBytes;
  private readonly rows: RowReader;
  /** Line of the last row. */
  private line = 0;
  private ended = false;

  constructor(
    file: Pick<InterchangeFile<FileKind>, 'name' | 'kind' | 'path'>,
    private readonly log: ImportLog,
    private readonly format: Format<T>,
  ) {
    this.report = new FileReport(file, log);
    this.rest_report = new FileReport(file, log);
    this.bytes = new FileBytes(file.path);
    this.rows = new RowReader(file.name);
  }

  /** Bytes on disk of the lines that were taken. */
  bytes_taken = 0;

  /** Advances to the next record. False if more of the file must be read first (`refill`). */
  advance(): boolean {
    this.head = undefined;
    while (this.log.stop === undefined) {
      const row = this.rows.next();
      if (row === undefined) return this.ended;
      this.line = row.line;
      this.take(row);
      if (this.head !== undefined) return true;
    }
    return true;
  }

  /** Reads on and advances to the next record. */
  async refill(): Promise<void> {
    do {
      this.bytes_taken = this.bytes.bytes_read;
      const more = await this.nextBytes();
      this.ended = more === undefined;
      if (more === undefined) this.rows.end();
      else this.rows.push(more);
    } while (!this.advance());
    this.report.note(this.rows.notes);
  }

  /**
   * The valid records. At the end the file is closed, and its report is finished.
   * @param settled waits until all records are reported that were taken
   */
  async *entries(settled: () => Promise<unknown> = async () => {}): AsyncGenerator<Entry<T>> {
    try {
      await this.refill();
      while (this.head !== undefined) {
        yield this.head;
        if (!this.advance()) await this.refill();
      }
      await settled();
    } finally {
      this.close();
      this.report.finish();
    }
  }

  close(): void {
    this.bytes.close();
  }

  private async nextBytes(): Promise<Uint8Array | undefined> {
    try {
      return await this.bytes.next();
    } catch (error) {
      this.report.unreadable(` cannot be read beyond line ${this.line}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private take(row: Row): void {
    const { line } = row;
    const reading: Reading<T> =
      row.fault === undefined ? this.format.read(row) : { type: 'bad', reason: row.fault, warnings: [] };
    if (reading.type === 'bad_header') {
      this.report.unreadable(`${line}: ${reading.reason}`);
      return;
    }
    if (reading.warnings.length > 0) this.report.warn(reading.warnings, line);
    if (reading.type === 'header') return;
    this.log.read_count++;
    if (reading.type === 'record') {
      const { timed, early } = reading;
      if (early !== undefined) this.report.noteEarly(early, line);
      this.head = Object.assign(timed, { line, report: this.report });
      return;
    }
    if (reading.type === 'bad') this.report.reject(line, reading.reason, reading.fields);
    else this.report.skipped++;
    const rest = this.format.rest?.(row);
    if (rest !== undefined) this.head = Object.assign(rest, { line, report: this.rest_report });
  }
}
