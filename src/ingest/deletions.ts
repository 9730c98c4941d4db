import { clamped } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import { TOMBSTONE, type TombstoneChange } from '../model/changes/tombstone.ts';
import { NONE, type Space } from '../model/key.ts';
import type { ItemRecord, UserRecord } from '../model/records/index.ts';
import type { WalletEvent } from '../model/records/wallet-event.ts';
import type { State } from '../state/state.ts';
import type { Tombstone } from '../state/tombstones.ts';
import type { KeyAllocator } from './key-allocator.ts';

/** Times are stored in milliseconds. */
const NEXT_MOMENT_SECONDS = 0.001;

const DELETED = { item: 'deleted', user: 'erased' } as const;
const REMEDY = 'send a later updated_at, or "revive": true, to bring it back';

interface TombstoneBatch {
  readonly applied_at: number;
  push(change: TombstoneChange): void;
}

interface ActParties {
  user_id: string;
  target_user_id?: string;
  item_id?: string;
  timestamp?: number;
  /** Set for a record that takes back an event without saying what the event did. */
  space?: string;
}

/**
 * Detects records that arrive too late, after their item or user was deleted.
 *
 * Sources repeat records and send them out of order. A deleted item or an erased person must not come back that way.
 * Queued deletions count as applied.
 */
export class Deletions {
  private readonly pending = new Map<string, TombstoneChange>();

  constructor(
    private readonly state: State,
    private readonly users: Pick<KeyAllocator, 'find'>,
  ) {}

  /** The last deletion of an identifier within the last 90 days; undefined if there is none. */
  find(space: Space, id: string, now: number): Tombstone | undefined {
    const tombstones = this.state.tombstones[space];
    if (tombstones.size === 0 && this.pending.size === 0) return undefined;
    const hash = tombstones.hash(id);
    return this.pending.get(nameOf({ space, ...hash })) ?? tombstones.find(hash, now);
  }

  /** Adds a deletion, unless a later one is known. */
  add(
    space: Space,
    id: string,
    deleted_at: number,
    version_at: number | undefined,
    batch: TombstoneBatch,
  ): void {
    const former = this.find(space, id, batch.applied_at);
    if (former !== undefined && former.deleted_at >= deleted_at && version_at === undefined) return;
    const after_version = version_at === undefined ? 0 : afterMoment(version_at);
    const tombstone = {
      deleted_at: Math.max(deleted_at, former?.deleted_at ?? 0),
      versions_from: Math.max(deleted_at, after_version, former?.versions_from ?? 0),
    };
    this.set(space, id, tombstone, batch);
  }

  /** Accepts all versions of the identifier from now on, for a version that was sent with `revive`. */
  lift(space: Space, id: string, batch: TombstoneBatch): void {
    const former = this.find(space, id, batch.applied_at);
    if (former === undefined || former.versions_from === 0) return;
    this.set(space, id, { ...former, versions_from: 0 }, batch);
  }

  /** Why a version of an item is outdated; undefined if it counts. */
  outdatedItem(record: ItemRecord, now: number): string | undefined {
    if (record.revive === true) return undefined;
    const { item_id, author_id } = record;
    const time = timeOfItem(record);
    // A version without a time changes an existing item, or is refused as a new one.
    if (time === undefined) return undefined;
    if (isOlder(time, this.find('item', item_id, now))) {
      return `item '${item_id}' was deleted, and this version is not newer: it changed nothing; ${REMEDY}`;
    }
    const of_author = typeof author_id === 'string' ? this.find('user', author_id, now) : undefined;
    if (of_author === undefined || !isBefore(of_author, time)) return undefined;
    return `item '${item_id}' is older than the erasure of its author '${author_id}': it changed nothing`;
  }

  /** Whether the item was deleted and not revived. Acts revive nothing. */
  isDeleted(item_id: string, now: number): boolean {
    return (this.find('item', item_id, now)?.versions_from ?? 0) > 0;
  }

  /** Why a record of an item without a version time may not bring it back; undefined if it counts. */
  outdatedDescription(
    { item_id, revive }: Pick<ItemRecord, 'item_id' | 'revive'>,
    exists: boolean,
    now: number,
  ): string | undefined {
    if (revive === true || exists || !this.isDeleted(item_id, now)) return undefined;
    return `item '${item_id}' was deleted: this record changed nothing; send "revive": true to bring it back`;
  }

  /** Why a profile is outdated; undefined if it counts. */
  outdatedUser(record: UserRecord, exists: boolean, now: number): string | undefined {
    if (record.revive === true) return undefined;
    const { updated_at, created_at } = record.content;
    const time = updated_at ?? created_at;
    const tombstone = this.find('user', record.user_id, now);
    // It may be an old profile that is delivered again.
    const brings_back = time === undefined && !exists && (tombstone?.versions_from ?? 0) > 0;
    if (!brings_back && (time === undefined || !isOlder(time, tombstone))) return undefined;
    return `user '${record.user_id}' was erased, and this version is not newer: it changed nothing; ${REMEDY}`;
  }

  /** Why an act is outdated; undefined if it counts. An act without a time happens now. */
  outdatedAct(act: ActParties, now: number): string | undefined {
    const { user_id, target_user_id, item_id, timestamp } = act;
    if (act.space !== undefined && this.isGone(user_id, now))
      return `user '${user_id}' was erased, so nothing was left to be taken back`;
    if (timestamp === undefined) return undefined;
    const parties = [
      ['user', user_id],
      ['user', target_user_id],
      ['item', item_id],
    ] as const;
    for (const [space, id] of parties) {
      const outdated = id === undefined ? undefined : this.outdatedFor(space, id, timestamp, now);
      if (outdated !== undefined) return outdated;
    }
    return undefined;
  }

  /** Why an act on this item, or by or on this user, is outdated at a time; undefined if it counts. */
  outdatedFor(space: Space, id: string, timestamp: number, now: number): string | undefined {
    const tombstone = this.find(space, id, now);
    if (tombstone === undefined || !isBefore(tombstone, timestamp)) return undefined;
    const noun = space === 'user' ? this.state.vocabulary.habits.user_noun : space;
    return `an act is from before ${noun} '${id}' was ${DELETED[space]}: it changed nothing`;
  }

  /**
   * Remembers that an event was deleted. Without a time: all events of this type by the wallet on the item, from before
   * the batch, and those `times` that are not.
   */
  addEvent(event: WalletEvent, times: Iterable<number>, batch: TombstoneBatch): void {
    const { applied_at } = batch;
    this.add('item', nameOfEvent(event), applied_at, undefined, batch);
    if (event.timestamp !== undefined) return;
    for (const timestamp of times)
      if (timestamp >= applied_at)
        this.add('item', nameOfEvent({ ...event, timestamp }), applied_at, undefined, batch);
  }

  /** Why an event changes nothing: it, its wallet or its item was deleted after it. An event without a time is new. */
  outdatedEvent(event: WalletEvent, now: number): string | undefined {
    const { wallet_address: user_id, item_id, timestamp } = event;
    if (timestamp === undefined) return undefined;
    const all = nameOfEvent({ ...event, timestamp: undefined });
    if (
      this.isDeleted(nameOfEvent(event), now) ||
      this.outdatedFor('item', all, timestamp, now) !== undefined
    )
      return 'this event was deleted: it changed nothing';
    return this.outdatedAct({ user_id, item_id, timestamp }, now);
  }

  applied(change: Change): void {
    if (change.kind !== TOMBSTONE.kind) return;
    const name = nameOf(change);
    if (this.pending.get(name) === change) this.pending.delete(name);
  }

  reset(): void {
    this.pending.clear();
  }

  /** Whether the user was erased and has not come back since. */
  private isGone(user_id: string, now: number): boolean {
    const tombstone = this.find('user', user_id, now);
    return tombstone !== undefined && tombstone.versions_from > 0 && this.users.find(user_id) === NONE;
  }

  private set(space: Space, id: string, tombstone: Tombstone, batch: TombstoneBatch): void {
    const { applied_at } = batch;
    const hash = this.state.tombstones[space].hash(id);
    const change: TombstoneChange = {
      kind: TOMBSTONE.kind,
      space,
      ...hash,
      ...tombstone,
      seq: 0,
      applied_at,
    };
    this.pending.set(nameOf(change), change);
    batch.push(change);
  }
}

function timeOfItem({ content, counters }: Pick<ItemRecord, 'content' | 'counters'>): number | undefined {
  return content.updated_at ?? counters?.updated_at ?? content.created_at;
}

function isOlder(time: number, tombstone: Tombstone | undefined): boolean {
  return tombstone !== undefined && time < tombstone.versions_from;
}

function isBefore({ deleted_at, versions_from }: Tombstone, time: number): boolean {
  return versions_from > 0 && time < deleted_at;
}

function afterMoment(time: number): number {
  return Math.round((time + NEXT_MOMENT_SECONDS) * 1000) / 1000;
}

function nameOf({ space, low, high }: Pick<TombstoneChange, 'space' | 'low' | 'high'>): string {
  return `${space} ${low} ${high}`;
}

/**
 * The name of an event of a wallet among deleted items. No identifier of a token or NFT has a line break.
 *
 * The time is that of the stored event, so 0 and the earliest time that is stored are the same event.
 */
function nameOfEvent({ wallet_address, item_id, event_type, timestamp }: WalletEvent): string {
  const time = timestamp === undefined ? '' : Math.round(clamped(timestamp, timestamp) * 1000);
  return [item_id, wallet_address, event_type, time].join('\n');
}
