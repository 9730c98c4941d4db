import { COUNTERS, type Counter, clamped } from '../model/acts.ts';
import type { Change } from '../model/change.ts';
import type { BlockChange } from '../model/changes/block.ts';
import { DELETION, type DeletionChange } from '../model/changes/deletion.ts';
import { ENGAGEMENT, type EngagementChange } from '../model/changes/engagement.ts';
import { FOLLOW, type FollowChange } from '../model/changes/follow.ts';
import { FOLLOW_LIST, type FollowListChange } from '../model/changes/follow-list.ts';
import type { InteractionChange } from '../model/changes/interaction.ts';
import { ITEM, type ItemChange } from '../model/changes/item.ts';
import { LABEL, type LabelChange } from '../model/changes/label.ts';
import { type Key, NONE } from '../model/key.ts';
import { embeddingLength } from '../model/values/embedding.ts';
import { type Relation, relationPair } from './relations.ts';

/** A change about a pair. Only the latest about the same pair counts. */
export type PairChange = InteractionChange | FollowChange | BlockChange | LabelChange;

export interface Fact {
  readonly stands: boolean;
  /** Seconds, clamped. */
  readonly time: number;
}

interface QueuedFact extends Fact {
  readonly change: PairChange;
  readonly pair: string;
  /** The item whose deletion would also remove the fact. */
  readonly item: Key | undefined;
  /** Rises with each queued fact and list. */
  readonly order: number;
}

interface QueuedList {
  readonly change: FollowListChange;
  readonly time: number;
  /** Whether the user follows each of these from then on. */
  readonly stands: ReadonlyMap<Key, boolean>;
  readonly order: number;
}

/** The follows of a user that were queued since some moment. */
export interface FollowWatch {
  readonly user: Key;
  readonly targets: Set<Key>;
  /** Whether queued changes were lost meanwhile. */
  lost: boolean;
}

/** For each counter of an item, the change that decides it. */
type LatestCounts = Partial<Record<Counter, EngagementChange>>;

/**
 * Queued changes, which the state does not contain yet but the next records must be compared with.
 *
 * Without it, the effect of a body that repeats itself would depend on the speed of the store.
 */
export class QueuedChanges {
  private readonly facts = new Map<string, QueuedFact>();
  private readonly by_change = new Map<Change, QueuedFact>();
  /** Queued whole lists of follows of each user, in order of their times. */
  private readonly lists = new Map<Key, QueuedList[]>();
  private readonly watches = new Set<FollowWatch>();
  private order = 0;
  /** Items with queued deletions, each with the times before which these remove acts. */
  private readonly deletions = new Map<Key, number[]>();
  /** The number of queued embeddings, and their length. */
  private readonly embeddings = { count: 0, length: 0 };
  /** Queued counts of items. */
  private readonly counts = new Map<Key, LatestCounts>();

  /** The length of queued embeddings. Undefined if none is queued. */
  get embedding_length(): number | undefined {
    return this.embeddings.count > 0 ? this.embeddings.length : undefined;
  }

  described({ content: { embedding } }: ItemChange): void {
    if (embedding === undefined) return;
    this.embeddings.count++;
    this.embeddings.length = embeddingLength(embedding);
  }

  fact(pair: string): Fact | undefined {
    return this.facts.get(pair);
  }

  label(pair: string): LabelChange | undefined {
    const change = this.facts.get(pair)?.change;
    return change?.kind === LABEL.kind ? change : undefined;
  }

  relation(kind: Relation, user: Key, target: Key): Fact | undefined {
    const fact = this.facts.get(relationPair(kind, user, target));
    const lists = kind === FOLLOW.kind ? this.lists.get(user) : undefined;
    const list = lists?.findLast(({ stands }) => stands.has(target));
    if (list === undefined || (fact !== undefined && fact.order > list.order)) return fact;
    return { stands: list.stands.get(target) === true, time: list.time };
  }

  count(item: Key, counter: Counter): EngagementChange | undefined {
    return this.counts.get(item)?.[counter];
  }

  /** Items in queued acts, counters and deletions. O(queued changes). */
  itemsNamed(): Set<Key> {
    const items = new Set([...this.counts.keys(), ...this.deletions.keys()]);
    for (const { item } of this.facts.values()) if (item !== undefined) items.add(item);
    return items;
  }

  /** Whether a deletion of the item is queued, which will remove its counters and acts on it. */
  deletes(item: Key): boolean {
    return this.deletions.has(item);
  }

  /** The time before which queued deletions will remove the known acts on an item; 0 if there are none. */
  actsDeletedBefore(item: Key): number {
    return Math.max(0, ...(this.deletions.get(item) ?? []));
  }

  counted(change: EngagementChange): void {
    const counts = this.counts.get(change.item) ?? {};
    this.counts.set(change.item, counts);
    for (const counter of COUNTERS) {
      const former = counts[counter];
      if (change[counter] === NONE) continue;
      if (former === undefined || countedAt(change) >= countedAt(former)) counts[counter] = change;
    }
  }

  /** Notes a queued deletion of an item, which removes its counters and earlier acts. O(queued changes). */
  deleted({ item, acts_before = Number.POSITIVE_INFINITY }: DeletionChange): void {
    this.deletions.set(item, [...(this.deletions.get(item) ?? []), acts_before]);
    for (const fact of this.facts.values())
      if (fact.item === item && (fact.time < acts_before || fact.change.kind === LABEL.kind))
        this.facts.delete(fact.pair);
    this.counts.delete(item);
  }

  /** Notes a queued change about a pair as the latest. */
  noteChange(pair: string, change: PairChange, time: number): void {
    const item = 'item' in change ? change.item : undefined;
    const fact = { pair, change, stands: change.action === 1, time, item, order: ++this.order };
    this.facts.set(pair, fact);
    this.by_change.set(change, fact);
    if (change.kind !== FOLLOW.kind) return;
    for (const { user, targets } of this.watches) if (user === change.user) targets.add(change.target);
  }

  /** Notes a queued whole list of follows. O(1). @param stands its pairs, and whether the user follows each */
  listed(change: FollowListChange, time: number, stands: ReadonlyMap<Key, boolean>): void {
    const list = { change, time, stands, order: ++this.order };
    this.lists.set(change.user, [...(this.lists.get(change.user) ?? []), list]);
  }

  /** The time of the latest queued whole list of a user; 0 if there is none. */
  listedAt(user: Key): number {
    return this.lists.get(user)?.at(-1)?.time ?? 0;
  }

  listsOf(user: Key): number {
    return this.lists.get(user)?.length ?? 0;
  }

  /** Notes follows of a user that are queued from now on. @returns what is noted until `unwatch` */
  watchFollows(user: Key): FollowWatch {
    const watch = { user, targets: new Set<Key>(), lost: false };
    this.watches.add(watch);
    return watch;
  }

  unwatch(watch: FollowWatch): void {
    this.watches.delete(watch);
  }

  /** Targets in queued follows of a user, possibly repeated. O(queued changes). */
  queuedFollows(user: Key): Key[] {
    const queued: Key[] = [];
    for (const change of this.by_change.keys()) {
      if (change.kind === FOLLOW.kind && change.user === user) queued.push(change.target);
    }
    for (const { stands } of this.lists.get(user) ?? [])
      for (const target of stands.keys()) queued.push(target);
    return queued;
  }

  applied(change: Change): void {
    if (change.kind === ENGAGEMENT.kind) this.countsApplied(change);
    if (change.kind === DELETION.kind) this.deletionApplied(change);
    if (change.kind === ITEM.kind && change.content.embedding !== undefined) this.embeddings.count--;
    const fact = this.by_change.get(change);
    if (fact !== undefined) this.outdated(fact);
    this.by_change.delete(change);
    if (change.kind === FOLLOW_LIST.kind) this.listApplied(change);
  }

  reset(): void {
    this.facts.clear();
    this.by_change.clear();
    this.lists.clear();
    for (const watch of this.watches) watch.lost = true;
    this.deletions.clear();
    this.counts.clear();
    this.embeddings.count = 0;
  }

  /** Deletions are applied in the order in which they were queued. */
  private deletionApplied({ item }: DeletionChange): void {
    const [, ...left] = this.deletions.get(item) ?? [];
    if (left.length > 0) this.deletions.set(item, left);
    else this.deletions.delete(item);
  }

  private listApplied(change: FollowListChange): void {
    const left = (this.lists.get(change.user) ?? []).filter((list) => list.change !== change);
    if (left.length > 0) this.lists.set(change.user, left);
    else this.lists.delete(change.user);
  }

  private outdated(fact: QueuedFact): void {
    if (this.facts.get(fact.pair) === fact) this.facts.delete(fact.pair);
  }

  private countsApplied(change: EngagementChange): void {
    const counts = this.counts.get(change.item);
    if (counts === undefined) return;
    for (const counter of COUNTERS) if (counts[counter] === change) counts[counter] = undefined;
    if (COUNTERS.every((counter) => counts[counter] === undefined)) this.counts.delete(change.item);
  }
}

/** When the source counted, as `apply` computes it. */
export function countedAt({ updated_at, applied_at }: EngagementChange): number {
  return clamped(updated_at, applied_at);
}
