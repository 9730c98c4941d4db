import type { Fault } from '../errors.ts';
import { clamped } from '../state/apply.ts';
import { type Change, EVENT_CODE, type ItemContent, NONE, type UserContent } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type {
  BlockRecord,
  FollowRecord,
  InteractionRecord,
  ItemCounters,
  ItemRecord,
  LanguageDetector,
  UserRecord,
} from './records/index.ts';
import type { UnderWay } from './under-way.ts';

/** The version that the next one builds on. */
export interface Base<Content> {
  content: Content;
  /** Author of an item, as far as known. */
  author?: string;
}

/**
 * Turns normalised records into the changes that they make, against the state as it is and what is under
 * way. A record that changes nothing makes no change; `apply` would ignore it too.
 */
export class Preparer {
  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly items: KeyAllocator,
    private readonly languages: LanguageDetector,
    private readonly under_way: UnderWay,
  ) {}

  /**
   * @param base the version that this one builds on; undefined for a new item
   * @returns the new version when there is one, or what is wrong
   */
  item(
    record: ItemRecord,
    base: Base<ItemContent> | undefined,
    applied_at: number,
    changes: Change[],
  ): { faults: Fault[] } | { version: Base<ItemContent> | undefined } {
    if (base === undefined) {
      const missing = ['author_id', 'created_at'].filter((field) => !givenFirst(record, field));
      if (missing.length > 0) {
        return {
          faults: missing.map((field) => ({ path: `/${field}`, message: 'is required for a new item' })),
        };
      }
    }
    const merged = this.mergeItem(record, base?.content);
    const author = record.author_id ?? base?.author;
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    const changed = base === undefined || author !== base.author || !Bun.deepEquals(merged, base.content);
    if (changed) {
      const author_key = author === undefined ? NONE : this.users.keyOf(author, applied_at, 'bulk', changes);
      changes.push({ kind: 'item', item, author: author_key, content: merged, seq: 0, applied_at });
    }
    if (record.counters !== undefined)
      this.counters(record.item_id, item, record.counters, applied_at, changes);
    return { version: changed ? { content: merged, author } : undefined };
  }

  /** @returns the new version when there is one */
  user(
    record: UserRecord,
    base: UserContent | undefined,
    applied_at: number,
    changes: Change[],
  ): UserContent | undefined {
    const merged = withoutUndefined<UserContent>({ ...base, ...record.content });
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    if (base !== undefined && Bun.deepEquals(merged, base)) return undefined;
    changes.push({ kind: 'user', user, content: merged, seq: 0, applied_at });
    return merged;
  }

  follow(record: FollowRecord, applied_at: number, changes: Change[]): void {
    const add = record.action === 'follow';
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    const dated = isPast(record.timestamp, applied_at);
    const timestamp = record.timestamp ?? applied_at;
    const one = this.state.users.names.ordinal(user);
    const other = this.state.users.names.ordinal(target);
    if (one !== NONE && other !== NONE && !this.under_way.hasUser(user)) {
      const { follows } = this.state;
      const same = !dated && follows.follows(one, other) === add;
      if (same && (add || follows.timestamp(one, other) !== NONE)) return;
      if (!follows.isNews(one, other, add, clamped(timestamp, applied_at))) return;
    }
    this.push(changes, {
      kind: 'follow',
      user,
      target,
      timestamp,
      action: add ? 1 : 0,
      seq: 0,
      applied_at,
    });
  }

  block(record: BlockRecord, applied_at: number, changes: Change[]): void {
    const add = record.action === 'block';
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    const one = this.state.users.names.ordinal(user);
    const other = this.state.users.names.ordinal(target);
    const known = one !== NONE && other !== NONE && !this.under_way.hasUser(user);
    if (known && this.state.blocks.blocks(one, other) === add) return;
    this.push(changes, { kind: 'block', user, target, action: add ? 1 : 0, seq: 0, applied_at });
  }

  interaction(record: InteractionRecord, applied_at: number, changes: Change[]): void {
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    const event_type = EVENT_CODE[record.event_type];
    const add = record.action === 'add';
    const dated = isPast(record.timestamp, applied_at);
    const timestamp = record.timestamp ?? applied_at;
    const event_id = record.event_type === 'comment' ? (record.event_id ?? '') : '';
    const one = this.state.users.names.ordinal(user);
    const other = this.state.items.names.ordinal(item);
    const changing = this.under_way.hasUser(user) || this.under_way.hasItem(item);
    if (one !== NONE && other !== NONE && !changing) {
      const act = { user: one, item: other, event_type, add, time: clamped(timestamp, applied_at), event_id };
      const told_apart_by_time = record.event_type === 'comment' && event_id === '';
      const { interactions } = this.state;
      const same = !dated && !told_apart_by_time && interactions.stands(act) === add;
      // Taking back what nothing is known of is news: of that, even the oldest message would be.
      if (same && (add || !interactions.isNews({ ...act, time: -1 }))) return;
      if (!interactions.isNews(act)) return;
    }
    this.push(changes, {
      kind: 'interaction',
      user,
      item,
      event_type,
      action: add ? 1 : 0,
      timestamp,
      event_id,
      seq: 0,
      applied_at,
    });
  }

  /** Counters of an item that has a key. */
  counters(
    item_id: string,
    item: number,
    counters: ItemCounters,
    applied_at: number,
    changes: Change[],
  ): void {
    const likes_count = counters.likes_count ?? NONE;
    const comments_count = counters.comments_count ?? NONE;
    const shares_count = counters.shares_count ?? NONE;
    const updated_at = counters.updated_at ?? applied_at;
    const ordinal = this.under_way.hasItem(item) ? NONE : this.state.items.names.find(item_id);
    if (ordinal !== NONE && this.isOldCount(ordinal, counters, applied_at)) return;
    this.push(changes, {
      kind: 'engagement',
      item,
      likes_count,
      comments_count,
      shares_count,
      updated_at,
      seq: 0,
      applied_at,
    });
  }

  /** The count is known already, or older than the one that is. */
  private isOldCount(item: number, counters: ItemCounters, applied_at: number): boolean {
    const { items } = this.state;
    const counted_at = items.counted_at(item);
    if (counted_at === 0) return false;
    const dated = isPast(counters.updated_at, applied_at);
    const updated_at = clamped(counters.updated_at ?? applied_at, applied_at);
    if (updated_at < counted_at) return true;
    const known = items.source(item);
    const same =
      (counters.likes_count ?? known.likes_count) === known.likes_count &&
      (counters.comments_count ?? known.comments_count) === known.comments_count &&
      (counters.shares_count ?? known.shares_count) === known.shares_count;
    return same && (!dated || updated_at === counted_at);
  }

  private push(changes: Change[], change: Change): void {
    this.under_way.queued(change);
    changes.push(change);
  }

  private mergeItem(record: ItemRecord, base: ItemContent | undefined): ItemContent {
    // Sound: a new item has been checked for created_at, a base has one.
    const merged = withoutUndefined({ ...base, ...record.content } as ItemContent);
    const asked = 'language' in record.content;
    if (!asked && merged.language === undefined && record.content.text !== undefined) {
      const language = this.languages.detect(record.content.text);
      if (language !== undefined) merged.language = language;
    }
    return merged;
  }
}

/** A time was given and is not ahead of the clock; one that is counts as the moment of writing, as none does. */
function isPast(timestamp: number | undefined, applied_at: number): boolean {
  return timestamp !== undefined && timestamp <= applied_at;
}

function givenFirst(record: ItemRecord, field: string): boolean {
  return field === 'author_id' ? record.author_id !== undefined : record.content.created_at !== undefined;
}

/** Without the fields that were taken away, and with label maps as ordinary objects, as JSON gives them back. */
function withoutUndefined<T extends object>(content: T): T {
  return JSON.parse(JSON.stringify(content)) as T;
}
