import { StartupError } from '../errors.ts';
import { kindOfWarning } from '../model/values/refusal.ts';
import { grouped } from '../plugin/list-of.ts';
import { printable } from '../printable.ts';
import type { FileKind } from './files.ts';
import type { FieldTime } from './line-formats.ts';

/** Bad lines of a file that are reported individually, besides the first of each reason. */
const REPORTED_MAX = 20;
/** Different reasons of bad lines of a file that are counted apart. */
const REASONS_MAX = 20;
const OTHER_REASONS = 'other reasons';
/** Different warnings of a file that are printed. */
const WARNINGS_MAX = 20;

/** Lines that are read before a percentage of them is checked. */
const SHARE_LINES_MIN = 1_000;

/** Maximum number of bad lines, absolute or as a percentage of the read lines. */
export interface RejectionLimit {
  unit: 'lines' | 'percent';
  max: number;
}

/** The problems of an import. With `strict`, the first bad line ends it. */
export class ImportLog {
  stop: StartupError | undefined;
  /** Whether any record was taken. */
  has_taken = false;
  /** Lines that were read, including bad ones. */
  read_count = 0;
  private rejected_count = 0;

  /**
   * @param print prints one line of text
   * @param outcome describes the effect of the lines before a stop; default: whether they were imported
   * @param limit maximum number of bad lines; default: unlimited
   */
  constructor(
    readonly strict: boolean,
    readonly print: (line: string) => void,
    private readonly outcome?: string,
    private readonly limit?: RejectionLimit,
  ) {}

  /** Counts a bad line, and stops at the limit. */
  countRejected(): void {
    this.rejected_count++;
    if (this.limit === undefined) return;
    if (this.limit.unit === 'lines' || this.read_count >= SHARE_LINES_MIN) this.checkLimit();
  }

  /** Stops if there are too many bad lines. Call at the end of all files, where the percentage is exact. */
  checkLimit(): void {
    if (this.limit === undefined) return;
    const { unit, max } = this.limit;
    const { rejected_count, read_count } = this;
    if (unit === 'lines' ? rejected_count <= max : rejected_count * 100 <= max * read_count) return;
    const found = `${grouped(rejected_count)} of ${grouped(read_count)} lines were rejected`;
    const allowed = `--max-rejected allows ${max}${unit === 'percent' ? ' %' : ''}`;
    this.stop ??= new StartupError('too_many_rejected', `${found}; ${allowed}`);
  }

  /** @throws StartupError `bad_line`, `too_many_rejected`, `unreadable_file`, with the effect of the lines before */
  throwIfStopped(): void {
    if (this.stop === undefined) return;
    const { code, message } = this.stop;
    const imported = this.has_taken ? 'What came before it has been imported.' : 'Nothing has been imported.';
    throw new StartupError(code, message, this.outcome ?? imported);
  }
}

export class FileReport {
  /** Valid records, including those that changed nothing. */
  accepted = 0;
  /** Valid records that changed nothing. */
  unchanged = 0;
  rejected = 0;
  /** Lines that the map leaves out, and relations of users to themselves. */
  skipped = 0;
  /** The first bad line. `fields`: its fields, if it lacks one. */
  first_bad: { line: number; reason: string; fields: readonly string[] | undefined } | undefined;
  /** By field, the first line with a time (seconds) before 1990. It is valid, but mostly means another unit, or no date. */
  readonly first_early = new Map<string, { line: number; time: number }>();
  /** Number of lines per kind of warning. */
  private readonly warnings = new Map<string, number>();
  private has_further_warnings = false;
  /** Number of bad lines per reason, whatever the values. Further reasons are counted together. */
  private readonly faults = new Map<string, number>();
  private noted = 0;

  readonly name: string;
  readonly kind: FileKind;

  constructor(
    { name, kind }: { name: string; kind: FileKind },
    private readonly log: ImportLog,
  ) {
    this.name = name;
    this.kind = kind;
  }

  noteEarly(early: readonly FieldTime[], line: number): void {
    for (const { field, time } of early) {
      if (!this.first_early.has(field)) this.first_early.set(field, { line, time });
    }
  }

  accept(changed: boolean): void {
    this.accepted++;
    this.log.has_taken = true;
    if (!changed) this.unchanged++;
  }

  /** Skips a bad line, or stops a strict import. */
  reject(line: number, reason: string, fields?: readonly string[]): void {
    this.rejected++;
    this.first_bad ??= { line, reason, fields };
    this.log.countRejected();
    const text = printable(`${this.name}:${line}: ${reason}`);
    const kind = kindOfWarning(reason);
    const key = this.faults.has(kind) || this.faults.size < REASONS_MAX ? kind : OTHER_REASONS;
    const known = this.faults.get(key) ?? 0;
    this.faults.set(key, known + 1);
    if (this.log.strict) {
      this.log.stop = new StartupError('bad_line', text);
    } else if (this.rejected <= REPORTED_MAX || known === 0) this.log.print(text);
  }

  /**
   * Stops everything, because the rest of the file cannot be read. The error of a partial import would be noticed late.
   * @param reason text after the file's name and a colon
   */
  unreadable(reason: string): void {
    this.log.stop ??= new StartupError('unreadable_file', printable(`${this.name}:${reason}`));
  }

  /** Prints what was recognised about the form of the file, once. @param notes those of before, and further ones */
  note(notes: readonly string[]): void {
    for (const note of notes.slice(this.noted)) this.log.print(printable(`${this.name}: ${note}`));
    this.noted = notes.length;
  }

  /** Prints the first warning of each kind with its line, and counts the others. */
  warn(warnings: readonly string[], line: number): void {
    for (const warning of warnings) {
      const kind = kindOfWarning(warning);
      const known = this.warnings.get(kind) ?? 0;
      if (known > 0 || this.warnings.size < WARNINGS_MAX) this.warnings.set(kind, known + 1);
      else this.has_further_warnings = true;
      if (known === 0 && this.warnings.has(kind))
        this.log.print(printable(`${this.name}:${line}: ${warning}`));
    }
  }

  /** Prints the number of lines that were not reported individually. */
  finish(): void {
    for (const [warning, lines] of this.warnings) {
      if (lines > 1) this.log.print(printable(`${this.name}: ${grouped(lines)} lines: ${warning}`));
    }
    if (this.has_further_warnings) this.log.print(`${this.name}: further warnings are not listed`);
    if (this.rejected <= REPORTED_MAX || this.log.strict) return;
    for (const [reason, lines] of this.faults) {
      const counted = lines === 1 ? '1 bad line' : `${grouped(lines)} bad lines`;
      this.log.print(printable(`${this.name}: ${counted}: ${reason}`));
    }
  }
}
