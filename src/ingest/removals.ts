import type { Clock } from '../clock.ts';
import { invalidValue, ServiceError } from '../errors.ts';
import {
  type DeletionChange,
  type ItemContent,
  type Key,
  NONE,
  type Space,
  type UserContent,
} from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Base } from './prepare.ts';
import { datedAhead } from './record-warnings.ts';
import { identifier } from './records/checks.ts';
import { Refusal } from './records/refusal.ts';
import type { ChangeBatch } from './state-capacity.ts';
import type { Latest } from './versions.ts';
import { type Queued, runAll, type Workbench } from './workbench.ts';

export interface RemovalOptions {
  /** Time of the deletion at its source, in seconds. Absent: now. */
  timestamp?: number;
  /** For users: whether their items stay, without an author. */
  keep_items?: boolean;
  /** The account that deletes, which has a share of the write queue. Absent: the service itself. */
  account?: string;
}

/** A deletion of an item or a user that is being prepared. */
export interface Removal {
  space: Space;
  id: string;
  /** seconds, not after `now` */
  deleted_at: number;
  now: number;
  /** Whether a time was given, so that it may be an old deletion that arrives late or again. */
  is_dated: boolean;
  /** For users. */
  keep_items: boolean;
  warnings: string[];
  outcome: 'done' | 'outdated' | 'missed';
}

/** The result of a deletion. */
export interface Removed {
  /** False if there was nothing to delete, or if it is newer than the deletion. The warnings say which. */
  is_done: boolean;
  warnings: string[];
}

/** The queue for the changes of a deletion. */
interface RemovalQueue {
  prepared(prepare: (bench: Workbench) => Promise<Queued>, account?: string): Promise<Queued>;
  /** @throws ServiceError `write_queue_full`, `store_unavailable` */
  ensureRoom(records: number): void;
  itemExists(item_id: string): boolean;
}

/** The batch that a deletion is added to. */
export interface RemovalBatch {
  changes: ChangeBatch;
  /** To be called when the changes have been applied. */
  onApplied: (() => void)[];
}

/** Changes to items that an erasure of their user needs in the same transaction. */
export interface ErasureFollowUp {
  /** The items to change. The state then contains all earlier changes. */
  itemsOf(user_id: string): string[];
  /** @param latest contains those items */
  add(
    removal: Pick<Removal, 'id' | 'deleted_at' | 'now'>,
    latest: Latest<Base<ItemContent>>,
    bench: Workbench,
    batch: RemovalBatch,
  ): void;
}

/**
 * Deletes items and users.
 *
 * Each deletion leaves a tombstone even if there is nothing to delete, because the deletion may have overtaken its
 * subject.
 */
export class Removals {
  constructor(
    private readonly state: State,
    private readonly clock: Clock,
    private readonly ingest: RemovalQueue,
  ) {}

  /** @throws ServiceError `not_found` if there is no such item and no time was given */
  item(item_id: string, options: RemovalOptions): Promise<Removed> {
    return this.run('item', item_id, options, (bench, removal) =>
      bench.item_versions.withLatest([item_id], (latest) => {
        this.ingest.ensureRoom(1);
        const batch = { changes: bench.batch(), onApplied: [] };
        this.addItem(bench, removal, latest, batch);
        return bench.submit({ changes: batch.changes, onApplied: () => runAll(batch.onApplied) });
      }),
    );
  }

  /** @throws ServiceError `not_found` if there is no such user and no time was given */
  user(user_id: string, options: RemovalOptions, follow_up?: ErasureFollowUp): Promise<Removed> {
    return this.run('user', user_id, options, async (bench, removal) => {
      const latest_items = await latestOf(follow_up, user_id, bench);
      const erasing = await bench.user_versions.withLatest([user_id], (latest) => {
        this.ingest.ensureRoom(1);
        const batch = { changes: bench.batch(), onApplied: [] };
        this.addUser(bench, removal, latest, batch);
        if (removal.outcome === 'done') follow_up?.add(removal, latest_items, bench, batch);
        return bench.submit({ changes: batch.changes, onApplied: () => runAll(batch.onApplied) });
      });
      // The erasure also deletes the user's items. Until it is applied, it would delete new versions of them too.
      await Promise.allSettled([erasing.durable]);
      return erasing;
    });
  }

  /** A deletion that is to be added to a batch. */
  removal(space: Space, id: string, { timestamp, keep_items = false }: RemovalOptions, now: number): Removal {
    const deleted_at = Math.min(timestamp ?? now, now);
    const warnings = datedAhead({ timestamp }, now);
    const is_dated = timestamp !== undefined;
    return { space, id, deleted_at, now, is_dated, keep_items, warnings, outcome: 'done' };
  }

  private async run(
    space: Space,
    id: string,
    options: RemovalOptions,
    prepare: (bench: Workbench, removal: Removal) => Promise<Queued>,
  ): Promise<Removed> {
    if (identifier(id) instanceof Refusal) throw this.notFound(space, id);
    const removal = this.removal(space, id, options, this.clock.now());
    const queued = await this.ingest.prepared((bench) => prepare(bench, removal), options.account);
    await queued.durable;
    if (removal.outcome === 'missed' && !removal.is_dated) throw this.notFound(space, id);
    return { is_done: removal.outcome === 'done', warnings: removal.warnings };
  }

  /** Adds the deletion of an item to a batch, and notes its outcome in `removal`. */
  addItem(
    bench: Workbench,
    removal: Removal,
    latest: Latest<Base<ItemContent>>,
    { changes, onApplied }: RemovalBatch,
  ): void {
    const { id, now } = removal;
    const { item_keys, item_versions, queued_changes } = bench;
    const { content } = latest(id) ?? {};
    const version_at = content?.updated_at ?? content?.created_at;
    const exists = this.ingest.itemExists(id);
    if (exists && this.isOutdated(bench, removal, version_at)) return;
    if (!exists) this.missed(removal);
    const item = item_keys.find(id);
    // Also without an item, acts from before its deletion are deleted. Only a later deletion finds some again.
    const takes_acts = removal.is_dated
      ? !isRepeated(bench, removal)
      : !this.isDeleted(id) && !queued_changes.deletes(item);
    if (item !== NONE && (exists || takes_acts)) {
      // Records are accepted in any order, so acts from after a dated deletion may be known already.
      const acts_before = removal.is_dated ? removal.deleted_at : undefined;
      const deletion: DeletionChange = { kind: 'deletion', item, acts_before, seq: 0, applied_at: now };
      changes.push(deletion);
      queued_changes.deleted(deletion);
    }
    this.remember(bench, removal, version_at, changes);
    const version = item_versions.set(id, undefined);
    onApplied.push(() => item_versions.applied(id, version));
  }

  /**
   * Adds the erasure of a user to a batch, and notes its outcome in `removal`.
   *
   * Until the batch is applied, nothing else may be prepared.
   * @throws ServiceError `invalid_value` if the items of a hidden user are to be kept
   */
  addUser(
    bench: Workbench,
    removal: Removal,
    latest: Latest<UserContent>,
    { changes, onApplied }: RemovalBatch,
  ): void {
    const { id, now } = removal;
    const { user_keys, user_versions } = bench;
    const { updated_at, created_at } = latest(id) ?? {};
    const version_at = updated_at ?? created_at;
    const user = user_keys.find(id);
    if (user !== NONE && this.isOutdated(bench, removal, version_at)) return;
    if (user === NONE) {
      this.missed(removal);
      this.remember(bench, removal, version_at, changes);
      return;
    }
    if (removal.keep_items)
      changes.push({ kind: 'release', user, items: this.itemsOf(bench, id), seq: 0, applied_at: now });
    user_keys.markErased(id);
    const version = user_versions.set(id, undefined);
    changes.push({ kind: 'erasure', user, seq: 0, applied_at: now });
    this.remember(bench, removal, version_at, changes);
    onApplied.push(() => {
      user_keys.erased(id);
      user_versions.applied(id, version);
    });
  }

  /** Keys of the items of a user, including queued ones. @throws ServiceError `invalid_value` */
  private itemsOf({ item_keys, item_versions }: Workbench, user_id: string): Uint32Array {
    const { users, items, by_author } = this.state;
    const user = users.names.find(user_id);
    const keys = new Set<Key>();
    if (user !== NONE) {
      if (users.hidden(user)) throw hiddenAuthor(user_id);
      for (let at = by_author.start(user); at < by_author.end(user); at++)
        keys.add(items.names.key(by_author.item(at)));
    }
    for (const [item_id, { content }] of item_versions.entries()) {
      if (content?.author === user_id) keys.add(item_keys.find(item_id));
    }
    return Uint32Array.from(keys);
  }

  private isDeleted(item_id: string): boolean {
    const item = this.state.items.names.find(item_id);
    return item !== NONE && this.state.items.deleted(item);
  }

  /** Whether a dated deletion is older than the current version, or was executed before. Then adds a warning. */
  private isOutdated(bench: Workbench, removal: Removal, version_at: number | undefined): boolean {
    const { space, id, deleted_at, is_dated, warnings } = removal;
    if (!is_dated) return false;
    const is_repeated = isRepeated(bench, removal);
    const is_older = version_at !== undefined && deleted_at < version_at;
    if (!is_repeated && !is_older) return false;
    removal.outcome = 'outdated';
    const why = is_older ? 'has a version that is newer than this deletion' : 'came back after this deletion';
    warnings.push(`${this.nounOf(space)} '${id}' ${why}: nothing was deleted`);
    return true;
  }

  private notFound(space: Space, id: string): ServiceError {
    return new ServiceError('not_found', `there is no ${this.nounOf(space)} '${id}'`);
  }

  private nounOf(space: Space): string {
    return space === 'user' ? this.state.vocabulary.habits.user_noun : space;
  }

  private missed(removal: Removal): void {
    const { space, id, warnings } = removal;
    removal.outcome = 'missed';
    warnings.push(
      `there is no ${this.nounOf(space)} '${id}'; a version from before this deletion will change nothing`,
    );
  }

  private remember(
    { deletions }: Workbench,
    { space, id, deleted_at, now }: Removal,
    version_at: number | undefined,
    changes: Parameters<Workbench['deletions']['add']>[5],
  ): void {
    deletions.add(space, id, deleted_at, version_at, now, changes);
  }
}

/** The versions of the items that the follow-up changes, read once nothing is queued that could change them. */
async function latestOf(
  follow_up: ErasureFollowUp | undefined,
  user_id: string,
  bench: Workbench,
): Promise<Latest<Base<ItemContent>>> {
  if (follow_up === undefined) return () => undefined;
  await bench.submit({ changes: bench.batch() }).durable;
  return bench.item_versions.withLatest(follow_up.itemsOf(user_id), (latest) => latest);
}

/** Whether this or a later deletion is known already. */
function isRepeated({ deletions }: Workbench, { space, id, deleted_at, now, is_dated }: Removal): boolean {
  const former = is_dated ? deletions.find(space, id, now) : undefined;
  return former !== undefined && former.deleted_at >= deleted_at;
}

function hiddenAuthor(user_id: string): ServiceError {
  const message = `user '${user_id}' is hidden, and without them their items would be shown again; hide the items, or erase them too`;
  return invalidValue([{ path: '/keep_items', message }]);
}
