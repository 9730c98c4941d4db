import { StartupError } from '../../errors.ts';
import { grouped } from '../../plugin/list-of.ts';
import { printable } from '../../printable.ts';

/** Bad lines of a file that are told one by one. */
const TOLD_MAX = 20;
/** Different warnings of a file that are printed. */
const WARNINGS_MAX = 20;

/** Where whoever reads files tells what is wrong; `strict`: the first bad line ends it. */
export class ImportLog {
  /** Why nothing that comes later may be read; see `throwIfStopped`. */
  stop: StartupError | undefined;
  /** Something was taken. */
  has_taken = false;

  /**
   * @param print takes one line of text
   * @param outcome what came of all that was read before an end like that; default: whether it was imported
   */
  constructor(
    readonly strict: boolean,
    readonly print: (line: string) => void,
    private readonly outcome?: string,
  ) {}

  /** @throws StartupError `bad_line`, `unreadable_file` with what came of all that was read before */
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
  /** How many lines each warning is about. */
  private readonly warnings = new Map<string, number>();
  private has_further_warnings = false;

  constructor(
    readonly name: string,
    private readonly log: ImportLog,
  ) {}

  accept(changed: boolean): void {
    this.accepted++;
    this.log.has_taken = true;
    if (!changed) this.unchanged++;
  }

  /** A line that is skipped, or in a strict import the end of it. */
  reject(line: number, reason: string): void {
    this.rejected++;
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
