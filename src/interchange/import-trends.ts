import type { Ingest } from '../ingest/ingest.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { toNumbers, withItems } from '../state/trend-form.ts';
import type { Store } from '../store/store.ts';
import type { InterchangeFile, TrendKind } from './files.ts';
import { JsonFormat, reading } from './formats.ts';
import type { FileReport, ImportLog } from './report.ts';
import { type Entry, Source } from './source.ts';
import { parseTrends, type Trends } from './trend-file.ts';

const IN_USE = 'the data was not empty before this import and has trends of its own';

interface Community {
  state: State;
  store: Pick<Store, 'import_mark'>;
  ingest: Pick<Ingest, 'trend'>;
  clock: { now(): number };
}

/**
 * Trends from an export, read before the records and taken over after them.
 *
 * An import cannot learn them itself, because it knows the times of acts but not their times of arrival.
 */
export class TrendImport {
  /** At most one. */
  readonly reports: FileReport[] = [];
  private exported: Entry<{ trends: Trends }> | undefined;
  /** The mark in the data. */
  private marked_at: number | undefined;

  /** @param community its state before the import */
  constructor(
    private readonly community: Community,
    private readonly log: ImportLog,
  ) {}

  /** The time of the exported state; undefined if there is none. */
  get exported_at(): number | undefined {
    return this.exported?.trends.applied_at;
  }

  /**
   * Reads the file, unless the community has other data than an interrupted import of the same trends.
   * @throws StartupError for an invalid file in a strict import, or an unreadable one; ServiceError `store_unavailable`
   */
  async read(file: InterchangeFile<TrendKind> | undefined): Promise<void> {
    const { state, store } = this.community;
    this.marked_at = await store.import_mark.read();
    if (file === undefined) return;
    const is_new = state.seq === 0;
    const may_go_on = is_new || this.marked_at !== undefined;
    if (may_go_on) await this.readFile(file);
    const is_other = !is_new && this.exported !== undefined && this.exported_at !== this.marked_at;
    if (!may_go_on || is_other) this.ignore(file);
  }

  /**
   * Marks the data before the first records are stored. A second call does nothing.
   * @throws ServiceError `store_unavailable`
   */
  async begin(): Promise<void> {
    if (this.exported_at === this.marked_at) return;
    await this.community.store.import_mark.write(this.exported_at);
    this.marked_at = this.exported_at;
  }

  /**
   * Takes over the trends at the end of the import. Unknown items are left out.
   * @throws ServiceError `store_unavailable`
   */
  async take(): Promise<void> {
    if (this.exported === undefined) return;
    const { state, store, ingest } = this.community;
    const { report, trends } = this.exported;
    const { names } = state.items;
    const keyOf = (id: string | null): number => {
      const item = id === null ? NONE : names.find(id);
      return item === NONE ? NONE : names.key(item);
    };
    const { applied_at, learnt } = trends;
    const numbers = learnt === undefined ? state.trend.numbers() : toNumbers(withItems(learnt, keyOf));
    await ingest.trend.take(numbers, applied_at);
    await store.import_mark.write(undefined);
    report.accept(true);
  }

  private async readFile(file: InterchangeFile<TrendKind>): Promise<void> {
    const format = new JsonFormat((value) => reading(parseTrends(value), (trends) => ({ trends })));
    const source = new Source<{ trends: Trends }>(file, this.log, format);
    this.reports.push(source.report);
    try {
      await source.refill();
      for (; source.head !== undefined; await goOn(source)) this.check(source.head);
    } finally {
      source.close();
      source.report.finish();
    }
    this.log.throwIfStopped();
  }

  private ignore({ name }: InterchangeFile<TrendKind>): void {
    this.exported = undefined;
    this.reports.length = 0;
    this.log.print(`ignored: ${name} (${IN_USE})`);
  }

  private check(entry: Entry<{ trends: Trends }>): void {
    const { line, report, trends } = entry;
    const { applied_at, learnt } = trends;
    const { state, clock } = this.community;
    if (this.exported !== undefined) report.reject(line, 'expected one line');
    else if (applied_at > clock.now() + LIMITS.future_tolerance_seconds) {
      report.reject(line, "applied_at: lies ahead of the service's clock");
    } else if (learnt !== undefined && !state.trend.acceptsLearner(learnt.learner)) {
      report.reject(line, 'learnt/learner: not the numbers of a learner of this version');
    } else this.exported = entry;
  }
}

async function goOn(source: Source<{ trends: Trends }>): Promise<void> {
  if (!source.advance()) await source.refill();
}
