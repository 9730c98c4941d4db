import { DELETION } from '../model/changes/deletion.ts';
import { ITEM } from '../model/changes/item.ts';
import { USER } from '../model/changes/user.ts';
import { type Key, NONE } from '../model/key.ts';
import type { UserContent } from '../model/records/user.ts';
import type { IngestContext, LatestData } from './context.ts';
import { ChangeBatch } from './state-capacity.ts';
import type { ItemVersion } from './stored-versions.ts';

/** What is known of a list, with the changes of the batch. */
export interface ListFacts {
  name: string;
  /** NONE: the operator's. */
  owner: Key;
}

/**
 * The changes of some records, which are prepared and queued in one turn of the event loop and stored in one
 * transaction.
 *
 * In that turn only, because a failed commit frees keys that are not queued.
 */
export class WriteBatch extends ChangeBatch {
  readonly onApplied: (() => void)[] = [];
  /** Lists that the batch changes, as of its changes. Undefined for deleted ones. */
  readonly lists = new Map<string, ListFacts | undefined>();
  /** Whether nothing may be prepared until the batch has been applied. */
  is_barrier = false;

  /** @param applied_at seconds. An import sets it to the time of its data */
  constructor(
    readonly context: IngestContext,
    readonly latest: LatestData,
    public applied_at: number,
  ) {
    super(context.capacity);
  }

  /** The key of a user, who is named if necessary. The batch must have room for it. */
  userKey(user_id: string): Key {
    return this.context.user_keys.keyOf(user_id, this.applied_at, this);
  }

  /** The key of an item, which is named if necessary. The batch must have room for it. */
  itemKey(item_id: string): Key {
    return this.context.item_keys.keyOf(item_id, this.applied_at, this);
  }

  /** Adds a version of an item, which needs a key if it has content. @param version undefined for a removed item */
  setItem(item_id: string, version: ItemVersion | undefined): void {
    const { item_keys, item_versions, queued_changes } = this.context;
    this.onApplied.push(item_versions.set(item_id, version));
    if (version === undefined) return;
    const { content } = version;
    const author = version.author === undefined ? NONE : this.userKey(version.author);
    const item = item_keys.find(item_id);
    const change = { kind: ITEM.kind, item, author, content, seq: 0, applied_at: this.applied_at } as const;
    queued_changes.described(change);
    this.push(change);
  }

  /** Adds a profile of a user with a key. @param content undefined for an erased user */
  setUser(user_id: string, content: UserContent | undefined): void {
    const { user_keys, user_versions } = this.context;
    this.onApplied.push(user_versions.set(user_id, content));
    const { applied_at } = this;
    if (content !== undefined)
      this.push({ kind: USER.kind, user: user_keys.find(user_id), content, seq: 0, applied_at });
  }

  /** Adds a deletion of an item with a key. @param acts_before the time before which acts are deleted; absent: all */
  deleteItem(item: Key, acts_before?: number): void {
    const { applied_at } = this;
    const deletion = { kind: DELETION.kind, item, acts_before, seq: 0, applied_at } as const;
    this.context.queued_changes.deleted(deletion);
    this.push(deletion);
  }
}
