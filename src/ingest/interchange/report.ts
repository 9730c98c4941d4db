import { StartupError } from '../../errors.ts';
import { grouped } from '../../plugin/list-of.ts';
import { printable } from '../../printable.ts';
import type { FileKind } from './files.ts';

/** Bad lines of a file that are told one by one. */
const TOLD_MAX = 20;
/** Different warnings of a file that are printed. */
const WARNINGS_MAX = 20;

/** Lines that are read before a share of them is looked at. */
const SHARE_LINES_MIN = 1_000;

/** How many lines may be bad: so many, or so many of a hundred that were read. */
export interface RejectionLimit {
  unit: 'lines' | 'percent';
  max: number;
}

/** Where whoever reads files tells what is wrong; `strict`: the first bad line ends it. */
export class ImportLog {
  /** Why nothing that comes later may be read; see `throwIfStopped`. */
  stop: StartupError | undefined;
  /** Something was taken. */
  has_taken = false;
  /** Lines that were read, bad ones included. */
  read_count = 0;
  private rejected_count = 0;

  /**
   * @param print takes one line of text
   * @param outcome what came of all that was read before an end like that; default: whether it was imported
   * @param limit how many bad lines are allowed; default: any number
   */
  constructor(
    readonly strict: boolean,
    readonly print: (line: string) => void,
    private readonly outcome?: string,
    private readonly limit?: RejectionLimit,
  ) {}

  /** Counts a bad line, and stops when there are too many. */
  countRejected(): void {
    this.rejected_count++;
    if (this.limit === undefined) return;
    if (this.limit.unit === 'lines' || this.read_count >= SHARE_LINES_MIN) this.checkLimit();
  }

  /** Stops when more lines are bad than may be; for the end of all files, where a share of them is certain. */
  checkLimit(): void {
    if (this.limit === undefined) return;
    const { unit, max } = this.limit;
    const { rejected_count, read_count } = this;
    if (unit === 'lines' ? rejected_count <= max : rejected_count * 100 <= max * read_count) return;
    const found = `${grouped(rejected_count)} of ${grouped(read_count)} lines were rejected`;
    const allowed = `--max-rejected allows ${max}${unit === 'percent' ? ' %' : ''}`;
    this.stop ??= new StartupError('too_many_rejected', `${found}; ${allowed}`);
  }

  /** @throws StartupError `bad_line`, `too_many_rejected`, `unreadable_file` with what came of all that was read before */
  throwIfStopped(): void {
    if (this.stop === undefined) return;
    const { code, message } = this.stop;
    const imported = this.has_taken ? 'What came before it has been imported.' : 'Nothing has been imported.';
    throw new StartupError(code, message, this.outcome ?? imported);
  }
}

/** What became of the lines of one file. */
export class FileReport {
  /** Records that were understood, those that said nothing new included. */
  accepted = 0;
  /** Accepted records that said nothing new. */
  unchanged = 0;
  rejected = 0;
  /** The first bad line; `fields`: what it has, where that can be told. */
  first_bad: { line: number; reason: string; fields: readonly string[] | undefined } | undefined;
  /** How many lines each warning is about. */
  private readonly warnings = new Map<string, number>();
  private has_further_warnings = false;

  readonly name: string;
  readonly kind: FileKind;

  constructor(
    { name, kind }: { name: string; kind: FileKind },
    private readonly log: ImportLog,
  ) {
    this.name = name;
    this.kind = kind;
  }

  accept(changed: boolean): void {
    this.accepted++;
    this.log.has_taken = true;
    if (!changed) this.unchanged++;
  }

  /** A line that is skipped, or in a strict import the end of it. */
  reject(line: number, reason: string, fields?: readonly string[]): void {
    this.rejected++;
    this.first_bad ??= { line, reason, fields };
    this.log.countRejected();
    const told = printable(`${this.name}:${line}: ${reason}`);
    if (this.log.strict) {
      this.log.stop = new StartupError('bad_line', told);
    } else if (this.rejected <= TOLD_MAX) this.log.print(told);
  }

  /**
   * The rest of the file, or all of it, cannot be read, which ends everything: whoever reads on without would miss it late.
   * @param reason what stands behind the file's name and a colon
   */
  unreadable(reason: string): void {
    this.log.stop ??= new StartupError('unreadable_file', printable(`${this.name}:${reason}`));
  }

  /** Prints each warning with the first line that it is about, and counts the others. */
  warn(warnings: readonly string[], line: number): void {
    for (const warning of warnings) {
      const known = this.warnings.get(warning) ?? 0;
      if (known > 0 || this.warnings.size < WARNINGS_MAX) this.warnings.set(warning, known + 1);
      else this.has_further_warnings = true;
      if (known === 0 && this.warnings.has(warning))
        this.log.print(printable(`${this.name}:${line}: ${warning}`));
    }
  }

  /** Counts what was not told one by one. */
  finish(): void {
    for (const [warning, lines] of this.warnings) {
      if (lines > 1) this.log.print(printable(`${this.name}: ${grouped(lines)} lines: ${warning}`));
    }
    if (this.has_further_warnings) this.log.print(`${this.name}: further warnings are not listed`);
    const untold = this.rejected - TOLD_MAX;
    if (untold > 0 && !this.log.strict) {
      this.log.print(`${this.name}: ${untold} more bad ${untold === 1 ? 'line' : 'lines'}`);
    }
  }
}
