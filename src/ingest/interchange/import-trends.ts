import { LIMITS } from '../../limits.ts';
import { NONE } from '../../state/change.ts';
import type { State } from '../../state/state.ts';
import { toNumbers, withItems } from '../../state/trend-form.ts';
import type { Store } from '../../store/store.ts';
import type { Ingest } from '../ingest.ts';
import type { InterchangeFile, TrendKind } from './files.ts';
import { JsonFormat, reading } from './formats.ts';
import type { FileReport, ImportLog } from './report.ts';
import { type Entry, Source } from './source.ts';
import { parseTrends, type Trends } from './trend-file.ts';

const IN_USE = 'there was something here before this import, which has learnt from that';

interface Community {
  state: State;
  store: Pick<Store, 'import_mark'>;
  ingest: Pick<Ingest, 'trend'>;
  clock: { now(): number };
}

/**
 * What was learnt elsewhere, read before the records that it was learnt from and taken over after them: what an
 * import learns itself, it learns from the times of acts instead of when they came in.
 */
export class TrendImport {
  /** One at most. */
  readonly reports: FileReport[] = [];
  private told: Entry<{ trends: Trends }> | undefined;
  /** What the data says. */
  private marked_at: number | undefined;

  /** @param community as it is before the records come */
  constructor(
    private readonly community: Community,
    private readonly log: ImportLog,
  ) {}

  /** The time of the state that it belongs to; undefined without any. */
  get told_at(): number | undefined {
    return this.told?.trends.applied_at;
  }

  /**
   * Reads the file, unless the community has something of its own: something else than what an import of the same
   * trends, which broke off, left there.
   * @throws StartupError in a strict import, when it is unsound; for a file that cannot be read further;
   * ServiceError `store_unavailable`
   */
  async read(file: InterchangeFile<TrendKind> | undefined): Promise<void> {
    const { state, store } = this.community;
    this.marked_at = await store.import_mark.read();
    if (file === undefined) return;
    const is_new = state.seq === 0;
    const may_go_on = is_new || this.marked_at !== undefined;
    if (may_go_on) await this.readFile(file);
    const is_other = !is_new && this.told !== undefined && this.told_at !== this.marked_at;
    if (!may_go_on || is_other) this.ignore(file);
  }

  /**
   * The first records are about to be stored: from then on the data says what is to be taken over after them. A second
   * call does nothing.
   * @throws ServiceError `store_unavailable`
   */
  async begin(): Promise<void> {
    if (this.told_at === this.marked_at) return;
    await this.community.store.import_mark.write(this.told_at);
    this.marked_at = this.told_at;
  }

  /**
   * Takes it over; items that are not known are left out. The import is over.
   * @throws ServiceError `store_unavailable`
   */
  async take(): Promise<void> {
    if (this.told === undefined) return;
    const { state, store, ingest } = this.community;
    const { report, trends } = this.told;
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
    this.told = undefined;
    this.reports.length = 0;
    this.log.print(`ignored: ${name} (${IN_USE})`);
  }

  private check(entry: Entry<{ trends: Trends }>): void {
    const { line, report, trends } = entry;
    const { applied_at, learnt } = trends;
    const { state, clock } = this.community;
    if (this.told !== undefined) report.reject(line, 'expected one line');
    else if (applied_at > clock.now() + LIMITS.future_tolerance_seconds) {
      report.reject(line, "applied_at: lies ahead of the service's clock");
    } else if (learnt !== undefined && !state.trend.acceptsLearner(learnt.learner)) {
      report.reject(line, 'learnt/learner: not the numbers of a learner of this version');
    } else this.told = entry;
  }
}

async function goOn(source: Source<{ trends: Trends }>): Promise<void> {
  if (!source.advance()) await source.refill();
}
