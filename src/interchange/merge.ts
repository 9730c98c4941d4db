import type { ImportLog } from './report.ts';
import type { Entry, Source } from './source.ts';

/**
 * Merges the records of several files into one stream by time.
 *
 * The next record is the earliest of the files' heads. At the same time, the order of the sources decides. A record
 * without a time is due at once, so an unsorted file delays only itself.
 */
export class Merge {
  /** @param sources in order of precedence */
  constructor(
    private readonly sources: readonly Source[],
    private readonly log: ImportLog,
  ) {}

  async open(): Promise<void> {
    for (const source of this.sources) await source.refill();
  }

  /** The earliest time of the first records in seconds; undefined if none has a time. */
  get start(): number | undefined {
    const times = this.sources.flatMap(({ head }) => head?.time ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** At most `limit` further records; none at the end, or after a bad line in a strict import. */
  async take(limit: number): Promise<Entry[]> {
    const entries: Entry[] = [];
    while (entries.length < limit && this.log.stop === undefined) {
      const source = this.earliest();
      if (source?.head === undefined) break;
      entries.push(source.head);
      if (!source.advance()) await source.refill();
    }
    return entries;
  }

  close(): void {
    for (const source of this.sources) source.close();
  }

  private earliest(): Source | undefined {
    let earliest: Source | undefined;
    let earliest_time = Number.POSITIVE_INFINITY;
    for (const source of this.sources) {
      if (source.head === undefined) continue;
      const time = source.head.time ?? Number.NEGATIVE_INFINITY;
      if (time >= earliest_time) continue;
      earliest = source;
      earliest_time = time;
    }
    return earliest;
  }
}
