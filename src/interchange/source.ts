import { reasonOf } from '../errors.ts';
import type { FileKind, InterchangeFile } from './files.ts';
import type { Timed } from './formats.ts';
import type { Format, Reading } from './line-formats.ts';
import { LINE_BYTES_MAX, type Line, LineReader } from './lines.ts';
import { FileReport, type ImportLog } from './report.ts';

/** Maximum number of lines of a CSV record. */
const RECORD_LINES_MAX = 1_000;
/** The start of 1990. */
const EARLY_SECONDS = 631_152_000;

/** A valid record of a file. */
export type Entry<T = Timed> = T & { line: number; report: FileReport };

/** Reads the valid records of one file, one at a time, and reports bad lines. */
export class Source<T extends object = Timed> {
  head: Entry<T> | undefined;
  readonly report: FileReport;
  /** Of records that are left of bad lines. Its counts are not shown. */
  private readonly rest_report: FileReport;
  private readonly reader: LineReader;
  private lines: Line[] = [];
  private at = 0;
  private line = 0;
  private ended = false;

  constructor(
    file: Pick<InterchangeFile<FileKind>, 'name' | 'kind' | 'path'>,
    private readonly log: ImportLog,
    private readonly format: Format<T>,
  ) {
    this.report = new FileReport(file, log);
    this.rest_report = new FileReport(file, log);
    this.reader = new LineReader(file.path);
  }

  /** Bytes on disk of the lines that were taken. */
  bytes_taken = 0;

  /** Advances to the next record. False if more of the file must be read first (`refill`). */
  advance(): boolean {
    this.head = undefined;
    while (this.at < this.lines.length && this.log.stop === undefined) {
      const taken = this.take();
      if (taken === 0) return this.ended;
      this.at += taken;
      this.line += taken;
      if (this.head !== undefined) return true;
    }
    return this.ended || this.log.stop !== undefined;
  }

  /** Reads on and advances to the next record. */
  async refill(): Promise<void> {
    do {
      this.bytes_taken = this.reader.bytes_read;
      const more = await this.nextLines();
      if (more === undefined) this.ended = true;
      else this.lines = [...this.lines.slice(this.at), ...more];
      if (more !== undefined) this.at = 0;
    } while (!this.advance());
  }

  /** The valid records. At the end the file is closed, and its report is finished. */
  async *entries(): AsyncGenerator<Entry<T>> {
    try {
      await this.refill();
      while (this.head !== undefined) {
        yield this.head;
        if (!this.advance()) await this.refill();
      }
    } finally {
      this.close();
      this.report.finish();
    }
  }

  close(): void {
    this.reader.close();
  }

  private async nextLines(): Promise<Line[] | undefined> {
    try {
      return await this.reader.next();
    } catch (error) {
      this.report.unreadable(` cannot be read beyond line ${this.line}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Reads the record at `at`. Returns its number of lines, or 0 if it continues beyond the lines read. */
  private take(): number {
    const first = this.lines[this.at];
    if (typeof first !== 'string') return this.reject(first.reason, first.text);
    let text = this.line === 0 && first.startsWith('\ufeff') ? first.slice(1) : first;
    if (text === '' || text === '\r') return 1;
    for (let taken = 1; ; taken++) {
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
      const reading = this.format.read(whole);
      if (reading.type !== 'open') return this.settle(reading, whole, taken);
      const next = this.lines[this.at + taken];
      if (next === undefined && !this.ended && taken < RECORD_LINES_MAX) return 0;
      const over = taken === RECORD_LINES_MAX || text.length > LINE_BYTES_MAX;
      if (typeof next !== 'string' || over) return this.reject('a quoted field is not closed', first);
      text = `${text}\n${next}`;
    }
  }

  private settle(reading: Exclude<Reading<T>, { type: 'open' }>, text: string, taken: number): number {
    if (reading.type === 'blank') return taken;
    const line = this.line + 1;
    if (reading.type !== 'bad_header' && reading.warnings.length > 0)
      this.report.warn(reading.warnings, line);
    if (reading.type === 'bad') return this.reject(reading.reason, text, reading.fields);
    if (reading.type === 'skipped') {
      this.log.read_count++;
      this.report.skipped++;
      this.takeRest(text);
      return taken;
    }
    if (reading.type === 'bad_header') {
      this.report.unreadable(`${line}: ${reading.reason}`);
      return taken;
    }
    if (reading.type === 'header') return taken;
    const { timed } = reading;
    const time = timeNamedBy(timed);
    if (time !== undefined && time < EARLY_SECONDS) this.report.first_early ??= { line, time };
    this.log.read_count++;
    this.head = Object.assign(timed, { line, report: this.report });
    return taken;
  }

  private reject(reason: string, text: string, fields?: readonly string[]): number {
    const line = this.line + 1;
    this.log.read_count++;
    this.report.reject(line, reason, fields);
    this.takeRest(text);
    return 1;
  }

  private takeRest(text: string): void {
    const rest = this.format.rest?.(text);
    if (rest !== undefined)
      this.head = Object.assign(rest, { line: this.line + 1, report: this.rest_report });
  }
}

function timeNamedBy({ time, created_at }: { time?: number; created_at?: number }): number | undefined {
  return time ?? created_at;
}
