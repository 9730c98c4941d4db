import { StartupError } from '../../errors.ts';

/** Bad lines of a file that are told one by one. */
const TOLD_MAX = 20;
/** Unknown fields of a file that are named. */
const NAMED_MAX = 20;

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
  private readonly unknown_fields = new Set<string>();
  private has_unnamed_fields = false;

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
    const told = `${this.name}:${line}: ${reason}`;
    if (this.log.strict) {
      this.log.stop = new StartupError('bad_line', told);
    } else if (this.rejected <= TOLD_MAX) this.log.print(told);
  }

  /**
   * The rest of the file, or all of it, cannot be read, which ends everything: whoever reads on without would miss it late.
   * @param reason what stands behind the file's name and a colon
   */
  unreadable(reason: string): void {
    this.log.stop ??= new StartupError('unreadable_file', `${this.name}:${reason}`);
  }

  /** Names each field that means nothing once. */
  ignoreFields(names: readonly string[], line: number): void {
    for (const name of names) {
      if (this.unknown_fields.has(name)) continue;
      if (this.unknown_fields.size < NAMED_MAX) {
        this.unknown_fields.add(name);
        this.log.print(`${this.name}:${line}: unknown field '${name}' is ignored`);
      } else this.has_unnamed_fields = true;
    }
  }

  /** Counts what was not told one by one. */
  finish(): void {
    if (this.has_unnamed_fields) this.log.print(`${this.name}: further unknown fields are ignored`);
    const untold = this.rejected - TOLD_MAX;
    if (untold > 0 && !this.log.strict) {
      this.log.print(`${this.name}: ${untold} more bad ${untold === 1 ? 'line' : 'lines'}`);
    }
  }
}
