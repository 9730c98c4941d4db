import type { Fault } from '../errors.ts';
import { clamped, timeOfAct } from '../state/apply.ts';
import {
  type Change,
  type EngagementChange,
  type ItemContent,
  type Key,
  NONE,
  type UserContent,
} from '../state/change.ts';
import type { Act } from '../state/interactions.ts';
import type { State } from '../state/state.ts';
import { faultsOfAct, isUndatedComment } from './comments.ts';
import { isOldCount } from './counts.ts';
import type { KeyAllocator } from './key-allocator.ts';
import { mergedContent, withoutUndefined } from './merged-content.ts';
import { isPast, Moments, pairAt } from './moments.ts';
import type {
  BlockRecord,
  FollowRecord,
  InteractionRecord,
  ItemCounters,
  ItemRecord,
  LanguageDetector,
  UserRecord,
} from './records/index.ts';
import type { Fact, PairChange, UnderWay } from './under-way.ts';

/** The version that the next one builds on. */
export interface Base<Content> {
  content: Content;
  /** Author of an item, as far as known. */
  author?: string;
}

/** What an interaction says beside whose and with what it is. */
export interface ActRecord extends Pick<InteractionRecord, 'timestamp' | 'action' | 'event_id'> {
  /** A name of the community's vocabulary. */
  event_type: string;
}

/**
 * Turns normalised records into the changes that they make, against the state as it is and what is under
 * way. A record that changes nothing makes no change; `apply` would ignore it too.
 */
export class Preparer {
  readonly moments: Moments;

  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly items: KeyAllocator,
    private readonly languages: LanguageDetector,
    private readonly under_way: UnderWay,
  ) {
    this.moments = new Moments(state, under_way);
  }

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
    const faults = missingOfNewItem(record, base);
    if (faults.length > 0) return { faults };
    const version = this.nextItem(record, base);
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    if (version !== undefined) this.describe(item, version, applied_at, changes);
    if (record.counters !== undefined) this.counters(item, record.counters, applied_at, changes);
    return { version };
  }

  /** The version that a record makes of `base`; undefined when it says nothing new. */
  nextItem(record: ItemRecord, base: Base<ItemContent> | undefined): Base<ItemContent> | undefined {
    const content = mergedContent(record, base?.content, this.languages);
    const author = record.author_id ?? base?.author;
    const changed = base === undefined || author !== base.author || !Bun.deepEquals(content, base.content);
    return changed ? { content, author } : undefined;
  }

  /** A new version of an item that has a key. */
  describe(item: Key, { content, author }: Base<ItemContent>, applied_at: number, changes: Change[]): void {
    const author_key = author === undefined ? NONE : this.users.keyOf(author, applied_at, 'bulk', changes);
    changes.push({ kind: 'item', item, author: author_key, content, seq: 0, applied_at });
  }

  /** @returns the new version when there is one */
  user(
    record: UserRecord,
    base: UserContent | undefined,
    applied_at: number,
    changes: Change[],
  ): UserContent | undefined {
    const content = this.nextUser(record, base);
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    if (content !== undefined) changes.push({ kind: 'user', user, content, seq: 0, applied_at });
    return content;
  }

  /** The profile that a record makes of `base`; undefined when it says nothing new. */
  nextUser(record: UserRecord, base: UserContent | undefined): UserContent | undefined {
    const content = withoutUndefined<UserContent>({ ...base, ...record.content });
    return base !== undefined && Bun.deepEquals(content, base) ? undefined : content;
  }

  follow(record: FollowRecord, applied_at: number, changes: Change[]): void {
    const add = record.action === 'follow';
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    const dated = isPast(record.timestamp, applied_at);
    const timestamp = record.timestamp ?? applied_at;
    const time = clamped(timestamp, applied_at);
    const pair = `follow ${user} ${target}`;
    if (!isNews(this.under_way.fact(pair) ?? this.knownFollow(user, target), add, time, dated)) return;
    const action = add ? 1 : 0;
    this.say(pair, time, changes, { kind: 'follow', user, target, timestamp, action, seq: 0, applied_at });
  }

  block(record: BlockRecord, applied_at: number, changes: Change[]): void {
    const add = record.action === 'block';
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    const pair = `block ${user} ${target}`;
    const stands = this.under_way.fact(pair)?.stands ?? this.knownBlock(user, target);
    if (stands === add) return;
    this.say(pair, 0, changes, { kind: 'block', user, target, action: add ? 1 : 0, seq: 0, applied_at });
  }

  /** @returns what is wrong, if anything is */
  interaction(record: InteractionRecord, applied_at: number, changes: Change[]): Fault[] {
    const faults = faultsOfAct(record, applied_at);
    if (faults.length > 0) return faults;
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    if (!isUndatedComment(record)) {
      this.act(user, item, record, applied_at, changes);
      return [];
    }
    const event_type = this.state.vocabulary.code(record.event_type);
    const dated = { ...record, timestamp: this.moments.next(user, item, event_type, applied_at) };
    const ahead = faultsOfAct(dated, applied_at);
    if (ahead.length === 0) this.act(user, item, dated, applied_at, changes);
    return ahead;
  }

  /** An interaction of a user and an item that have keys. */
  act(user: Key, item: Key, record: ActRecord, applied_at: number, changes: Change[]): void {
    const { vocabulary } = this.state;
    const event_type = vocabulary.code(record.event_type);
    const add = record.action === 'add';
    const dated = isPast(record.timestamp, applied_at);
    const timestamp = record.timestamp ?? applied_at;
    const event_id = vocabulary.isToldApartByTime(event_type) ? (record.event_id ?? '') : '';
    const time = timeOfAct(vocabulary, { event_type, event_id, timestamp }, applied_at);
    const told_apart_by_time = event_id === '' && vocabulary.isToldApartByTime(event_type);
    const pair = told_apart_by_time
      ? pairAt(user, item, event_type, time)
      : `${user} ${item} ${event_type} ${event_id}`;
    const queued = this.under_way.fact(pair);
    if (queued !== undefined) {
      if (!isNews(queued, add, time, dated)) return;
    } else if (!this.under_way.deletes(item)) {
      const one = this.state.users.names.ordinal(user);
      const other = this.state.items.names.ordinal(item);
      const act = { user: one, item: other, event_type, add, time, event_id };
      if (one !== NONE && other !== NONE && !this.isNewAct(act, dated || told_apart_by_time)) return;
    }
    const action = add ? 1 : 0;
    const act = { user, item, event_type, action, timestamp, event_id };
    this.say(pair, time, changes, { kind: 'interaction', ...act, seq: 0, applied_at });
  }

  /** Counters of an item that has a key. */
  counters(item: Key, counters: ItemCounters, applied_at: number, changes: Change[]): void {
    const likes_count = counters.likes_count ?? NONE;
    const comments_count = counters.comments_count ?? NONE;
    const shares_count = counters.shares_count ?? NONE;
    const updated_at = counters.updated_at ?? applied_at;
    if (isOldCount(this.state, this.under_way, item, counters, applied_at)) return;
    const change: EngagementChange = {
      kind: 'engagement',
      item,
      likes_count,
      comments_count,
      shares_count,
      updated_at,
      seq: 0,
      applied_at,
    };
    this.under_way.counted(change);
    changes.push(change);
  }

  /** Whether an act says anything that the state does not. */
  private isNewAct(act: Act, dated: boolean): boolean {
    const { interactions } = this.state;
    const same = !dated && interactions.stands(act) === act.add;
    // Taking back what nothing is known of is news: of that, even the oldest message would be.
    if (same && (act.add || !interactions.isNews({ ...act, time: -1 }))) return false;
    return interactions.isNews(act);
  }

  private knownFollow(user: Key, target: Key): Fact | undefined {
    const one = this.state.users.names.ordinal(user);
    const other = this.state.users.names.ordinal(target);
    if (one === NONE || other === NONE) return undefined;
    const { follows } = this.state;
    const time = follows.timestamp(one, other);
    return time === NONE ? undefined : { stands: follows.follows(one, other), time };
  }

  /** Undefined while one of the two has not been named. */
  private knownBlock(user: Key, target: Key): boolean | undefined {
    const one = this.state.users.names.ordinal(user);
    const other = this.state.users.names.ordinal(target);
    return one === NONE || other === NONE ? undefined : this.state.blocks.blocks(one, other);
  }

  private say(pair: string, time: number, changes: Change[], change: PairChange): void {
    this.under_way.said(pair, change, time);
    changes.push(change);
  }
}

/** The later message counts, ties by arrival; one without a time of its own changes only what is otherwise. */
function isNews(known: Fact | undefined, add: boolean, time: number, dated: boolean): boolean {
  if (known === undefined) return true;
  if (!dated && known.stands === add) return false;
  return time === known.time ? known.stands !== add : time > known.time;
}

/**
 * What the first record of an item must say and this one does not.
 * @param standing of a line of an import, which may say that nobody knows the author, or not even the moment
 */
export function missingOfNewItem(
  record: ItemRecord,
  base: Base<ItemContent> | undefined,
  standing: 'described' | 'bare' | 'undescribed' = 'described',
): Fault[] {
  if (base !== undefined || standing === 'undescribed') return [];
  const missing: string[] = [];
  if (record.author_id === undefined && standing === 'described') missing.push('author_id');
  if (record.content.created_at === undefined) missing.push('created_at');
  return missing.map((field) => ({ path: `/${field}`, message: 'is required for a new item' }));
}
