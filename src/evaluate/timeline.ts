import { missingOfNewItem } from '../ingest/prepare-versions.ts';
import type { Taken } from '../interchange/deferred-records.ts';
import type { InterchangeFile } from '../interchange/files.ts';
import { formatOf, type ImportedItem } from '../interchange/formats.ts';
import type { ImportLog } from '../interchange/report.ts';
import { type Entry, Source } from '../interchange/source.ts';
import { KINDS } from '../mapping/kinds.ts';
import { describeFaults } from '../model/values/refusal.ts';
import { Acts, Counts } from './columns.ts';
import { Names } from './names.ts';
import { ShownPages } from './shown-pages.ts';
import { countBefore, countUntil } from './sorted-times.ts';

/** Everything but acts and counts. */
export type Described = Extract<
  Taken,
  { kind: 'users' | 'items' | 'follows' | 'blocks' | 'labels' | 'event_removals' }
>;

/** A position in a timeline: the number of records of each kind that have happened. */
export interface Moment {
  time: number;
  described: number;
  counts: number;
  acts: number;
}

/** All records of a folder in memory, in order of time. A protocol replays them and looks ahead for the outcome. */
export class Timeline {
  readonly users = new Names();
  readonly items = new Names();
  readonly acts = new Acts(this.users, this.items);
  readonly counts = new Counts(this.items);
  /** What was shown. Only `impressions` uses it: other protocols build pages again. */
  readonly shown = new ShownPages(this.users, this.items);
  /** Users, items, follows and blocks. Those without a time come first. */
  described: readonly Described[] = [];
  /** Number of items with counters without a time. They cannot be applied. */
  undated_counters = 0;

  private readonly lines: Described[] = [];
  /** When the last record about each user and each described item is due. */
  private readonly users_due = new Map<string, number | undefined>();
  private readonly items_due = new Map<string, number | undefined>();
  /** First records of items that do not say when the items were created. */
  private readonly undated = new Set<Described>();
  /** Items that a record marks as undescribed. */
  private readonly undescribed = new Set<string>();
  private due = new Float64Array();

  /** Seconds of the first record with a time; 0 if there is none. */
  get start(): number {
    // Records without a time come first.
    const dated = this.described.find(({ time }) => time !== undefined);
    const times = [...this.done().map((time) => time[0]), dated?.time ?? Number.POSITIVE_INFINITY];
    const first = Math.min(...times);
    return first === Number.POSITIVE_INFINITY ? 0 : first;
  }

  /**
   * The end of the data, seconds: the last act or count that is not later than `present`.
   *
   * If all are later, as in generated data of the future, the last one. Without acts and counts, the last record with a
   * time. Items after the end count as not posted yet.
   */
  end(present: number): number {
    const done = this.done();
    const past = done.flatMap((time) => time.findLast((each) => each <= present) ?? []);
    const times = past.length > 0 ? past : done.map((time) => time[time.length - 1]);
    return times.length > 0 ? Math.max(...times) : (this.described.at(-1)?.time ?? 0);
  }

  /** Times of acts, and of counts if there are any. */
  private done(): Float64Array[] {
    const { acts, counts } = this;
    return [acts, counts].flatMap(({ time, length }) => (length === 0 ? [] : [time.subarray(0, length)]));
  }

  add(entry: Entry): void {
    switch (entry.kind) {
      case 'interactions':
        this.acts.add(entry.record);
        break;
      case 'engagement':
        this.counts.add(entry.record);
        break;
      case 'items':
        this.addItem(entry);
        break;
      case 'users':
        this.lines.push({ ...entry, time: inTurn(this.users_due, entry.record.user_id, entry.time) });
        break;
      case 'impressions':
        this.shown.add(entry.record);
        break;
      default:
        this.lines.push(entry);
    }
  }

  /** Sorts the records. Call once, after everything was added. */
  finish(): void {
    this.acts.sort();
    this.counts.sort();
    this.arrange();
  }

  /** Removes acts, and items and users that only these acts name. */
  withhold(which: (act: number) => boolean): void {
    this.acts.remove(which);
    this.arrange();
  }

  /** The moment at which everything up to `time` (seconds) has happened. */
  at(time: number): Moment {
    return {
      time,
      described: countUntil(this.due, this.due.length, time),
      counts: this.counts.until(time),
      acts: this.acts.until(time),
    };
  }

  /** The moment right before a time (seconds). */
  upTo(time: number): Moment {
    const described = countBefore(this.due, this.due.length, time);
    return { time, described, counts: this.counts.before(time), acts: this.acts.before(time) };
  }

  /** The moment right before an act: everything earlier, and the acts of the same time that precede it. */
  before(act: number): Moment {
    const time = this.acts.time[act];
    const described = countBefore(this.due, this.due.length, time);
    return { time, described, counts: this.counts.before(time), acts: act };
  }

  /** Like an import: the first record of an item must describe it, and later ones build on it. */
  private addItem(entry: Extract<Entry, { kind: 'items' }>): void {
    const { counters, ...record } = entry.record;
    const { item_id, completeness } = record;
    const known = this.items_due.has(item_id);
    if (completeness === 'rejected' && !known) {
      this.undescribed.add(item_id);
      return;
    }
    const missing = known ? [] : missingOfNewItem(record, undefined, completeness);
    const faults = missing.filter(({ path }) => path !== '/created_at');
    if (faults.length > 0) {
      entry.report.reject(entry.line, describeFaults(faults));
      this.undescribed.add(item_id);
      return;
    }
    this.items.add(item_id);
    const line = { ...entry, record, time: this.dueOfItem(record, entry.time) };
    this.lines.push(line);
    if (missing.length > 0) this.undated.add(line);
    if (counters === undefined) return;
    const { updated_at: timestamp, ...counts } = counters;
    if (timestamp === undefined) this.undated_counters++;
    else this.counts.add({ item_id, timestamp, ...counts });
  }

  private dueOfItem({ item_id, completeness }: ImportedItem, time: number | undefined): number | undefined {
    if (completeness !== 'undescribed') return inTurn(this.items_due, item_id, time);
    this.undescribed.add(item_id);
    return time;
  }

  /** Creation times of items in seconds, by index, without items that have none. O(n). */
  created(): Map<number, number> {
    const created = new Map<number, number>();
    for (const entry of this.described) {
      if (entry.kind !== 'items') continue;
      const item = this.items.find(entry.record.item_id);
      const time = entry.record.content.created_at ?? entry.time;
      if (item !== undefined && time !== undefined && !created.has(item)) created.set(item, time);
    }
    return created;
  }

  private arrange(): void {
    const place = (kind: Described['kind']) =>
      kind === 'event_removals' ? KINDS.length : KINDS.indexOf(kind);
    this.described = [...this.dated(), ...this.bareItems()].sort(
      (one, other) => dueAt(one) - dueAt(other) || place(one.kind) - place(other.kind),
    );
    this.due = Float64Array.from(this.described, dueAt);
  }

  /** All lines. Like an import: items without a date were created at the first act on them. */
  private dated(): Described[] {
    const { lines, undated, acts, items } = this;
    if (undated.size === 0) return lines;
    const first_acts = new Map<string, number>();
    for (let at = acts.length - 1; at >= 0; at--) first_acts.set(items.id(acts.item[at]), acts.time[at]);
    return lines.map((line) => {
      if (line.kind !== 'items' || !undated.has(line)) return line;
      const { item_id, content } = line.record;
      const created_at = first_acts.get(item_id) ?? this.start;
      return { ...line, record: { ...line.record, content: { ...content, created_at } } };
    });
  }

  /** Like an import: items that acts name and no record describes exist from the first act on. */
  private *bareItems(): Generator<Described> {
    const { acts, items, items_due, undescribed } = this;
    const met = new Set<number>();
    for (let at = 0; at < acts.length; at++) {
      const item = acts.item[at];
      if (met.has(item)) continue;
      met.add(item);
      const item_id = items.id(item);
      if (items_due.has(item_id) || undescribed.has(item_id)) continue;
      const time = acts.time[at];
      const record = { item_id, content: { created_at: time }, completeness: 'bare' } as const;
      yield { kind: 'items', record, time, line: 0, report: undefined };
    }
  }
}

/** When a record is due: not before the previous one about the same subject, on which it builds. */
function inTurn(
  due: Map<string, number | undefined>,
  id: string,
  time: number | undefined,
): number | undefined {
  const former = due.get(id);
  const turn = former === undefined ? time : Math.max(former, time ?? former);
  due.set(id, turn);
  return turn;
}

/** Seconds at which a record is due. Records without a time come before all others. */
export function dueAt({ time }: Described): number {
  return time ?? 0;
}

/**
 * Reads interchange files completely. Bad lines are reported and skipped.
 * @param onBytes called with the number of bytes read of all files
 * @throws StartupError for a file that cannot be read to its end
 */
export async function readTimeline(
  files: readonly InterchangeFile[],
  log: ImportLog,
  onBytes: (bytes: number) => void = () => {},
): Promise<Timeline> {
  const timeline = new Timeline();
  let before = 0;
  for (const file of files) {
    await readRecords(
      file,
      log,
      (entry) => timeline.add(entry),
      (bytes) => onBytes(before + bytes),
    );
    before += file.bytes ?? 0;
  }
  timeline.finish();
  return timeline;
}

/**
 * Passes every good record of a file to `take`.
 * @param onBytes called periodically with the number of bytes read of the file
 * @throws StartupError for a file that cannot be read to its end
 */
export async function readRecords(
  file: InterchangeFile,
  log: ImportLog,
  take: (entry: Entry) => void,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  const source = new Source(file, log, formatOf(file));
  try {
    await source.refill();
    while (source.head !== undefined) {
      take(source.head);
      if (source.advance()) continue;
      onBytes(source.bytes_taken);
      await source.refill();
    }
  } finally {
    source.close();
    source.report.finish();
  }
  log.throwIfStopped();
}
