import type { Fault } from '../errors.ts';
import {
  clamped,
  type EngagementChange,
  type ItemChange,
  type ItemContent,
  type Key,
  NONE,
  type UserContent,
} from '../state/change.ts';
import type { Act } from '../state/interactions.ts';
import type { State } from '../state/state.ts';
import { ActTimes, isPast } from './act-times.ts';
import { type ActRecord, actOf, pairOfAct } from './acts.ts';
import { faultsOfAct, isUndatedComment } from './comments.ts';
import { isOldCount } from './counts.ts';
import { FollowLists } from './follow-lists.ts';
import type { KeyAllocator } from './key-allocator.ts';
import { inOrderOfNetwork, mergedContent, withoutUndefined } from './merged-content.ts';
import { Needs } from './needs.ts';
import { addOutcomes } from './outcomes.ts';
import type { Fact, PairChange, QueuedChanges } from './queued-changes.ts';
import { embeddingLength } from './records/embedding.ts';
import type {
  BlockRecord,
  FollowRecord,
  InteractionRecord,
  ItemCounters,
  ItemRecord,
  LanguageDetector,
  UserRecord,
} from './records/index.ts';
import { RELATION_PAIR, type Relation, relationOf } from './relations.ts';
import type { ChangeBatch, Need } from './state-capacity.ts';

/** The version on which the next one builds. */
export interface Base<Content> {
  content: Content;
  /** Author of an item, if known. */
  author?: string;
}

/**
 * Turns normalised records into changes, given the current and the queued state.
 *
 * A record without effect makes no change; `apply` would ignore it too.
 */
export class Preparer {
  readonly act_times: ActTimes;
  readonly needs: Needs;
  readonly follow_lists: FollowLists;
  /** Whether experiments count new acts. An import brings the counted ones itself. */
  attributes = true;

  constructor(
    private readonly state: State,
    private readonly users: KeyAllocator,
    private readonly items: KeyAllocator,
    private readonly languages: LanguageDetector,
    private readonly queued_changes: QueuedChanges,
  ) {
    this.act_times = new ActTimes(state, queued_changes);
    this.needs = new Needs(state, users, items, queued_changes);
    this.follow_lists = new FollowLists(state, users, queued_changes, this.needs, (user, target) =>
      this.knownRelation('follow', user, target),
    );
  }

  /**
   * @param base the current version; undefined for a new item
   * @returns the new version, if there is one, or the faults
   */
  item(
    record: ItemRecord,
    base: Base<ItemContent> | undefined,
    applied_at: number,
    changes: ChangeBatch,
  ): { faults: Fault[] } | { version: Base<ItemContent> | undefined } {
    const faults = [...missingOfNewItem(record, base), ...this.otherLength(record)];
    if (faults.length > 0) return { faults };
    const version = this.nextItem(record, base);
    changes.require(this.needs.item(record.item_id, version?.author, version?.content, record.counters));
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    if (version !== undefined) this.describe(item, version, applied_at, changes);
    if (record.counters !== undefined) this.counters(item, record.counters, applied_at, changes);
    return { version };
  }

  /** The version that a record makes from `base`; undefined if it changes nothing. */
  nextItem(record: ItemRecord, base: Base<ItemContent> | undefined): Base<ItemContent> | undefined {
    const content = mergedContent(record, base?.content, this.languages);
    const author = record.author_id ?? base?.author;
    if (base === undefined || author !== base.author) return { content, author };
    // Counters are stored again with each count, together with its time.
    const former =
      record.counters === undefined ? base.content : { ...base.content, updated_at: content.updated_at };
    return Bun.deepEquals(content, former) ? undefined : { content, author };
  }

  /** Adds a new version of an item that has a key. */
  describe(
    item: Key,
    { content, author }: Base<ItemContent>,
    applied_at: number,
    changes: ChangeBatch,
  ): void {
    const author_key = author === undefined ? NONE : this.users.keyOf(author, applied_at, 'bulk', changes);
    const change: ItemChange = { kind: 'item', item, author: author_key, content, seq: 0, applied_at };
    this.queued_changes.described(change);
    changes.push(change);
  }

  /** The fault of an embedding whose length differs from the others. Queued embeddings count. */
  otherLength({ content: { embedding } }: ItemRecord): Fault[] {
    if (embedding === undefined) return [];
    const length = this.state.embeddings.length || this.queued_changes.embedding_length;
    const given = embeddingLength(embedding);
    if (length === undefined || length === given) return [];
    const message = `expected ${length} numbers, as in the other embeddings; got ${given}`;
    return [{ path: '/embedding', message }];
  }

  /** @returns the new version, if there is one */
  user(
    record: UserRecord,
    base: UserContent | undefined,
    applied_at: number,
    changes: ChangeBatch,
  ): UserContent | undefined {
    const content = this.nextUser(record, base);
    changes.require(this.needs.user(record.user_id, content));
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    if (content !== undefined) changes.push({ kind: 'user', user, content, seq: 0, applied_at });
    return content;
  }

  /** The profile that a record makes from `base`; undefined if it changes nothing. */
  nextUser(record: UserRecord, base: UserContent | undefined): UserContent | undefined {
    const content = withoutUndefined<UserContent>({ ...base, ...inOrderOfNetwork(record.content, base) });
    return base !== undefined && Bun.deepEquals(content, base) ? undefined : content;
  }

  /** Prepares a follow, a block, or the end of one. */
  relation(record: FollowRecord | BlockRecord, applied_at: number, changes: ChangeBatch): void {
    const kind = relationOf(record);
    const add = record.action === kind;
    changes.require(this.needs[kind](record.user_id, record.target_user_id));
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const target = this.users.keyOf(record.target_user_id, applied_at, 'bulk', changes);
    const dated = isPast(record.timestamp, applied_at);
    const timestamp = record.timestamp ?? applied_at;
    const time = clamped(timestamp, applied_at);
    if (time < this.relationFloor(kind, user)) return;
    const known = this.knownRelation(kind, user, target);
    if (!wouldChange(known, add, time, dated)) return;
    const rest = { timestamp, action: add ? 1 : 0, seq: 0, applied_at };
    this.say(RELATION_PAIR[kind](user, target), time, changes, { kind, user, target, ...rest });
  }

  /** @returns the faults */
  interaction(record: InteractionRecord, applied_at: number, changes: ChangeBatch): Fault[] {
    const faults = faultsOfAct(record, applied_at);
    if (faults.length > 0) return faults;
    changes.require(this.needOfAct(record.user_id, record.item_id, record, applied_at));
    const user = this.users.keyOf(record.user_id, applied_at, 'bulk', changes);
    const item = this.items.keyOf(record.item_id, applied_at, 'bulk', changes);
    if (!isUndatedComment(record)) {
      this.act(user, item, record, applied_at, changes);
      return [];
    }
    const event_type = this.state.vocabulary.code(record.event_type);
    const dated = { ...record, timestamp: this.act_times.next(user, item, event_type, applied_at) };
    const ahead = faultsOfAct(dated, applied_at);
    if (ahead.length === 0) this.act(user, item, dated, applied_at, changes);
    return ahead;
  }

  /**
   * The room that an interaction needs.
   * @param content of the item's version that is stored with it
   */
  needOfAct(
    user_id: string,
    item_id: string,
    record: ActRecord,
    applied_at: number,
    content?: ItemContent,
  ): Need {
    const parsed = actOf(this.state.vocabulary, record, applied_at);
    // An act without a time gets a unique one.
    const is_undated = parsed.is_identified_by_time && record.timestamp === undefined;
    const pairOf = (user: Key, item: Key) => (is_undated ? undefined : pairOfAct(user, item, parsed));
    return this.needs.act(user_id, item_id, pairOf, (user, item) => ({ ...parsed.act, user, item }), content);
  }

  /** Adds an interaction of a user and an item with keys. @param changes have room for it */
  act(user: Key, item: Key, record: ActRecord, applied_at: number, changes: ChangeBatch): void {
    const parsed = actOf(this.state.vocabulary, record, applied_at);
    const { add, time, event_type, event_id } = parsed.act;
    const dated = isPast(record.timestamp, applied_at);
    const pair = pairOfAct(user, item, parsed);
    const queued = this.queued_changes.fact(pair);
    if (queued !== undefined) {
      if (!wouldChange(queued, add, time, dated)) return;
    } else {
      const one = this.state.users.names.ordinal(user);
      const other = this.state.items.names.ordinal(item);
      const act = { ...parsed.act, user: one, item: other };
      if (one !== NONE && other !== NONE && !this.isNewAct(item, act, dated || parsed.is_identified_by_time))
        return;
    }
    const timestamp = record.timestamp ?? applied_at;
    const is_first = queued === undefined && this.attributes && add;
    const act = { user, item, event_type, action: add ? 1 : 0, timestamp, event_id };
    this.say(pair, time, changes, { kind: 'interaction', ...act, seq: 0, applied_at });
    if (is_first) addOutcomes(this.state, user, item, parsed.act, applied_at, changes);
  }

  /** Adds counters of an item that has a key. */
  counters(item: Key, counters: ItemCounters, applied_at: number, changes: ChangeBatch): void {
    const likes_count = counters.likes_count ?? NONE;
    const comments_count = counters.comments_count ?? NONE;
    const shares_count = counters.shares_count ?? NONE;
    const updated_at = counters.updated_at ?? applied_at;
    if (isOldCount(this.state, this.queued_changes, item, counters, applied_at)) return;
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
    this.queued_changes.counted(change);
    changes.push(change);
  }

  /** Whether an act differs from the state as queued deletions will leave it. */
  private isNewAct(item: Key, act: Act, dated: boolean): boolean {
    const { interactions } = this.state;
    const known = this.queued_changes.deletes(item) ? interactions.known(act) : undefined;
    if (known !== undefined && known.time < this.queued_changes.actsDeletedBefore(item)) return true;
    const same = !dated && interactions.stands(act) === act.add;
    // The removal of an unknown act is news, because it outdates older adds.
    if (same && (act.add || !interactions.wouldChange({ ...act, time: -1 }))) return false;
    return interactions.wouldChange(act);
  }

  /** The last message about a relation of two users. Queued changes count as applied. */
  knownRelation(kind: Relation, user: Key, target: Key): Fact | undefined {
    const queued = this.queued_changes.relation(kind, user, target);
    if (queued !== undefined) return queued;
    const { users, follows, blocks } = this.state;
    const [one, other] = [users.names.ordinal(user), users.names.ordinal(target)];
    if (one === NONE || other === NONE) return undefined;
    return (kind === 'follow' ? follows : blocks).known(one, other);
  }

  /** Messages about relations of a user change nothing if they are older than this. */
  relationFloor(kind: Relation, user: Key): number {
    return kind === 'follow' ? this.follow_lists.listedAt(user) : 0;
  }

  private say(pair: string, time: number, changes: ChangeBatch, change: PairChange): void {
    this.queued_changes.noteChange(pair, change, time);
    changes.push(change);
  }
}

/**
 * Whether a record changes the known fact.
 *
 * The later record counts, at the same time the later arrival. A record without a time counts only if it changes the
 * fact.
 */
function wouldChange(known: Fact | undefined, add: boolean, time: number, dated: boolean): boolean {
  if (known === undefined) return true;
  if (!dated && known.stands === add) return false;
  return time === known.time ? known.stands !== add : time > known.time;
}

/**
 * The faults of the first record of an item that lacks required fields.
 * @param completeness of a line of an import, which may lack the author or the time
 */
export function missingOfNewItem(
  record: ItemRecord,
  base: Base<ItemContent> | undefined,
  completeness: 'described' | 'bare' | 'undescribed' | 'rejected' = 'described',
): Fault[] {
  if (base !== undefined || completeness === 'undescribed') return [];
  const missing: string[] = [];
  if (record.author_id === undefined && completeness === 'described') missing.push('author_id');
  if (record.content.created_at === undefined) missing.push('created_at');
  return missing.map((field) => ({ path: `/${field}`, message: 'is required for a new item' }));
}
