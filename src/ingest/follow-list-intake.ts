import type { Clock } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import { NONE } from '../state/change.ts';
import type { Deletions } from './deletions.ts';
import type { FollowListResult } from './follow-lists.ts';
import { inTurns } from './in-turns.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Preparer } from './prepare.ts';
import type { QueuedChanges } from './queued-changes.ts';
import type { FollowListRecord } from './records/index.ts';
import type { Slice } from './slices.ts';
import { ChangeBatch, type StateCapacity } from './state-capacity.ts';
import type { Prepared, Queued, Workbench } from './workbench.ts';
import type { WriteTurns } from './write-turns.ts';

/** The number of queued lists of a user from which the next one waits: each lookup of a follow searches all of them. */
const QUEUED_LISTS_MAX = 8;

/** The queue for lists and for the names in them. */
interface ListQueue {
  preparer: Preparer;
  deletions: Deletions;
  capacity: StateCapacity;
  ensureRoom(records: number): void;
  prepared(prepare: (bench: Workbench) => Promise<Queued>, account: string): Promise<Queued>;
  turns: WriteTurns;
  inSlices<T>(
    records: readonly T[],
    long: boolean,
    account: string,
    queue: (slice: Slice<T>) => Promise<Queued>,
  ): Promise<void>;
  submit(prepared: Prepared, account: string): Queued;
}

/** Takes whole lists of follows in slices, so that a long one neither blocks the event loop nor fills the write queue. */
export class FollowListIntake {
  constructor(
    private readonly ingest: ListQueue,
    private readonly clock: Clock,
    private readonly users: KeyAllocator,
    private readonly queued_changes: QueuedChanges,
  ) {}

  /** See `Ingest.followList`. A list counts as of its turn, so that later records of its account are later. */
  async replace(record: FollowListRecord, account: string): Promise<FollowListResult> {
    const is_short = record.target_user_ids.length <= LIMITS.ingest_slice_records;
    const began_at = is_short
      ? undefined
      : await this.ingest.turns.take(account, async () => this.clock.now());
    if (began_at !== undefined) await this.name([record], account);
    const results: FollowListResult[] = [];
    const { durable } = await this.ingest.prepared(async (bench) => {
      const now = began_at ?? this.clock.now();
      const user = this.users.find(record.user_id);
      if (this.queued_changes.listsOf(user) >= QUEUED_LISTS_MAX)
        await bench.submit({ changes: bench.batch() }).durable;
      return this.queue(record, now, bench, results);
    }, account);
    await durable;
    return results[0];
  }

  /**
   * Names the users of long lists, in slices as of a body, so that a list itself is one row.
   * @throws ServiceError `state_full` if there is no room for all users of a list; as `Ingest.ingest`
   */
  async name(records: readonly FollowListRecord[], account: string): Promise<void> {
    const { capacity, deletions, preparer } = this.ingest;
    const { follow_lists, needs } = preparer;
    const ids: string[] = [];
    for (const record of records) {
      const unnamed = await inTurns(follow_lists.unnamed(record, this.clock.now(), deletions));
      const need = needs.followList(record.user_id, unnamed.needed, unnamed.ids.length);
      new ChangeBatch(capacity).require(need);
      for (const id of unnamed.ids) ids.push(id);
    }
    if (ids.length <= LIMITS.ingest_slice_records) return;
    await this.ingest.inSlices(ids, false, account, async ({ slice }) => {
      this.ingest.ensureRoom(slice.length);
      const unnamed = slice.filter((id) => this.users.find(id) === NONE);
      const changes = new ChangeBatch(capacity);
      changes.require(needs.users(unnamed));
      const applied_at = this.clock.now();
      for (const id of unnamed) this.users.keyOf(id, applied_at, 'bulk', changes);
      return this.ingest.submit({ changes }, account);
    });
  }

  /** Compares the list again if its user was named or queued changes were lost meanwhile. */
  private async queue(
    record: FollowListRecord,
    now: number,
    bench: Workbench,
    results: FollowListResult[],
  ): Promise<Queued> {
    const { follow_lists } = bench.preparer;
    for (;;) {
      const comparison = await inTurns(follow_lists.compare(record, now, bench.deletions));
      try {
        this.ingest.ensureRoom(1 + comparison.unnamed.length);
        const changes = bench.batch();
        const result = follow_lists.write(comparison, changes);
        if (result === undefined) continue;
        results.push(result);
        return bench.submit({ changes });
      } finally {
        this.queued_changes.unwatch(comparison.watch);
      }
    }
  }
}
