import { type InterchangeFile, KINDS, type Kind } from '../ingest/interchange/files.ts';
import { formatOf } from '../ingest/interchange/formats.ts';
import type { Taken } from '../ingest/interchange/held.ts';
import type { ImportLog } from '../ingest/interchange/report.ts';
import { type Entry, Source } from '../ingest/interchange/source.ts';
import { Acts, Counts } from './columns.ts';
import { Names } from './names.ts';

/** Everything but acts and counts. */
export type Described = Extract<Taken, { kind: 'users' | 'items' | 'follows' | 'blocks' }>;

/**
 * All records of a folder in memory, in order of time, so that a protocol can go through them as they
 * happened and look ahead for what came of it. Impressions are left out: pages are built anew.
 */
export class Timeline {
  readonly users = new Names();
  readonly items = new Names();
  readonly acts = new Acts(this.users, this.items);
  readonly counts = new Counts(this.items);
  /** Users, items, follows and blocks; those without a time first. */
  readonly described: Described[] = [];
  /** Counters of items that do not say when they were counted: nobody knows when to apply them. */
  undated_counters = 0;

  /** Seconds of the first and the last record that has a time; 0 when none has. */
  get start(): number {
    return this.bounds((times) => Math.min(...times));
  }
  get end(): number {
    return this.bounds((times) => Math.max(...times));
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
      case 'impressions':
        break;
      default:
        this.described.push(entry);
    }
  }

  /** Call once, when everything has been added. */
  finish(): void {
    this.acts.sort();
    this.counts.sort();
    this.addBareItems();
    const place = (kind: Kind) => KINDS.indexOf(kind);
    this.described.sort((one, other) => dueAt(one) - dueAt(other) || place(one.kind) - place(other.kind));
  }

  private addItem(entry: Extract<Entry, { kind: 'items' }>): void {
    const { counters, ...record } = entry.record;
    this.items.add(record.item_id);
    this.described.push({ ...entry, record });
    if (counters === undefined) return;
    const { updated_at: timestamp, ...counts } = counters;
    if (timestamp === undefined) this.undated_counters++;
    else this.counts.add({ item_id: record.item_id, timestamp, ...counts });
  }

  /** As an import does: what acts name and nothing describes is there from the first of them on. */
  private addBareItems(): void {
    const known = new Set(this.described.flatMap((one) => (one.kind === 'items' ? one.record.item_id : [])));
    for (let at = 0; at < this.acts.length; at++) {
      const item_id = this.items.id(this.acts.item[at]);
      if (known.has(item_id)) continue;
      known.add(item_id);
      const created_at = this.acts.time[at];
      const record = { item_id, content: { created_at }, standing: 'bare' } as const;
      this.described.push({ kind: 'items', record, time: created_at, line: 0, report: undefined });
    }
  }

  private bounds(pick: (times: number[]) => number): number {
    const { acts, counts, described } = this;
    const times: number[] = [];
    if (acts.length > 0) times.push(acts.time[0], acts.time[acts.length - 1]);
    if (counts.length > 0) times.push(counts.time[0], counts.time[counts.length - 1]);
    const dated = described.flatMap(({ time }) => time ?? []);
    if (dated.length > 0) times.push(dated[0], dated[dated.length - 1]);
    return times.length === 0 ? 0 : pick(times);
  }
}

/** Seconds at which a record is due; those without a time are due before everything else. */
export function dueAt({ time }: Described): number {
  return time ?? 0;
}

/**
 * Reads interchange files whole; bad lines are reported and skipped.
 * @throws StartupError for a file that cannot be read further
 */
export async function readTimeline(files: readonly InterchangeFile[], log: ImportLog): Promise<Timeline> {
  const timeline = new Timeline();
  for (const file of files) await readRecords(file, log, (entry) => timeline.add(entry));
  timeline.finish();
  return timeline;
}

/**
 * Hands every good record of a file to `take`.
 * @throws StartupError for a file that cannot be read further
 */
export async function readRecords(
  file: InterchangeFile,
  log: ImportLog,
  take: (entry: Entry) => void,
): Promise<void> {
  const source = new Source(file, log, formatOf(file.kind));
  try {
    await source.refill();
    while (source.head !== undefined) {
      take(source.head);
      if (!source.advance()) await source.refill();
    }
  } finally {
    source.close();
    source.report.finish();
  }
  if (log.stop !== undefined) throw log.stop;
}
