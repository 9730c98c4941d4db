import type { Change } from '../model/change.ts';
import { PURGED_SEQ, UNSWEPT_SEQ } from './checkpoint-store.ts';
import type { Connection } from './connection.ts';
import { FEEDS_REVISION } from './feed-changes.ts';
import { HIGHEST_SEQ } from './meta.ts';
import { RETIRED_SEQ } from './purge-retired.ts';
import type { Replayed, ReplayOptions } from './replay.ts';
import type { TimedReads } from './timed-reads.ts';

/** How far a log goes. All figures are of one moment. */
export interface LogHead {
  /** The last stored change. Every acknowledged change has this `seq` or a lower one. */
  highest_seq: number;
  /** Rises with each change of a saved feed. */
  feeds_revision: number;
  /** Rows up to this `seq` may be missing, so a state that ends earlier must be loaded again. 0 if none are. */
  purged_seq: number;
}

/** The stored changes of one community, which several nodes follow and one node writes. */
export class SharedLog {
  constructor(
    private readonly connection: Pick<Connection, 'db'>,
    private readonly timed_reads: TimedReads,
    private readonly replay: (visit: (change: Change) => void, options: ReplayOptions) => Promise<Replayed>,
  ) {}

  /** Reads one statement's worth. @throws ServiceError `store_unavailable` */
  async head(): Promise<LogHead> {
    const { db } = this.connection;
    const names = [HIGHEST_SEQ, FEEDS_REVISION, PURGED_SEQ, UNSWEPT_SEQ, RETIRED_SEQ];
    const query = db.selectFrom('meta').select(['name', 'value']).where('name', 'in', names).compile();
    const { rows } = await this.timed_reads.read('service', (reading) => reading.db.executeQuery(query));
    const numbers = new Map(rows.map(({ name, value }) => [name, Number(value)]));
    const of = (name: string) => numbers.get(name) ?? 0;
    const highest_seq = numbers.get(HIGHEST_SEQ);
    // Damaged data must not look empty.
    if (highest_seq === undefined) throw new Error(`the table meta lacks ${HIGHEST_SEQ}`);
    return {
      highest_seq,
      feeds_revision: of(FEEDS_REVISION),
      purged_seq: Math.max(of(PURGED_SEQ), of(UNSWEPT_SEQ), of(RETIRED_SEQ)),
    };
  }

  /** Visits the changes after a `seq`, in order. */
  read(after: number, visit: (change: Change) => void, slice: () => Promise<void>): Promise<Replayed> {
    return this.replay(visit, { after, slice, few: true });
  }
}
