import { clamped } from '../state/apply.ts';
import {
  type BlockChange,
  type Change,
  COUNTERS,
  type Counter,
  type EngagementChange,
  type FollowChange,
  type InteractionChange,
  type Key,
  NONE,
} from '../state/change.ts';

/** Changes of which the latest about the same two parties counts. */
export type PairChange = InteractionChange | FollowChange | BlockChange;

/** What will be known of a pair once everything that is queued has been applied. */
export interface Fact {
  readonly stands: boolean;
  /** Seconds, clamped; 0 for blocks, which have no time. */
  readonly time: number;
}

interface QueuedFact extends Fact {
  readonly pair: string;
  /** The item that a deletion would take the fact along with. */
  readonly item: Key | undefined;
}

/**
 * What is on its way to the store: the state does not say it yet, but the next record about the same
 * parties has to be held against it. Without it a body that says something twice would be read differently
 * depending on how fast the store is.
 */
export class UnderWay {
  private readonly facts = new Map<string, QueuedFact>();
  private readonly by_change = new Map<Change, QueuedFact>();
  /** Changes under way that recount or delete an item. */
  private readonly items = new Map<Key, number>();
  private readonly deletions = new Map<Key, number>();
  /** Of each counter, the change under way that has the last word on it for an item. */
  private readonly counts: Readonly<Record<Counter, Map<Key, EngagementChange>>> = {
    likes_count: new Map(),
    comments_count: new Map(),
    shares_count: new Map(),
  };

  /** The latest that is queued about this pair, if anything is. */
  fact(pair: string): Fact | undefined {
    return this.facts.get(pair);
  }

  /** The latest count of this counter that is queued, if any is. */
  count(item: Key, counter: Counter): EngagementChange | undefined {
    return this.counts[counter].get(item);
  }

  /** Items that acts, counters or deletions under way are about. O(what is under way). */
  itemsNamed(): Set<Key> {
    const items = new Set(this.items.keys());
    for (const { item } of this.facts.values()) if (item !== undefined) items.add(item);
    return items;
  }

  /** A deletion is under way: what the state knows of acts on the item is about to be forgotten. */
  deletes(item: Key): boolean {
    return this.deletions.has(item);
  }

  /** Counters of an item were queued. */
  counted(change: EngagementChange): void {
    const { item } = change;
    countUp(this.items, item, 1);
    for (const counter of COUNTERS) {
      if (change[counter] === NONE) continue;
      const former = this.counts[counter].get(item);
      if (former === undefined || countedAt(change) >= countedAt(former))
        this.counts[counter].set(item, change);
    }
  }

  /** The deletion of an item was queued, after which nothing is known of it. O(what is under way). */
  deleted(item: Key): void {
    countUp(this.items, item, 1);
    countUp(this.deletions, item, 1);
    for (const fact of this.facts.values()) if (fact.item === item) this.facts.delete(fact.pair);
    for (const counter of COUNTERS) this.counts[counter].delete(item);
  }

  /** A change about a pair was queued; it is the news about it. */
  said(pair: string, change: PairChange, time: number): void {
    const item = change.kind === 'interaction' ? change.item : undefined;
    const fact = { pair, stands: change.action === 1, time, item };
    this.facts.set(pair, fact);
    this.by_change.set(change, fact);
  }

  applied(change: Change): void {
    if (change.kind === 'engagement') {
      countUp(this.items, change.item, -1);
      for (const counter of COUNTERS) {
        if (this.counts[counter].get(change.item) === change) this.counts[counter].delete(change.item);
      }
    }
    if (change.kind === 'deletion') {
      countUp(this.items, change.item, -1);
      countUp(this.deletions, change.item, -1);
    }
    const fact = this.by_change.get(change);
    if (fact === undefined) return;
    this.by_change.delete(change);
    if (this.facts.get(fact.pair) === fact) this.facts.delete(fact.pair);
  }

  /** A commit failed: nothing that was under way will come. */
  reset(): void {
    this.facts.clear();
    this.by_change.clear();
    this.items.clear();
    this.deletions.clear();
    for (const counter of COUNTERS) this.counts[counter].clear();
  }
}

/** When its source counted, as `apply` takes it. */
export function countedAt({ updated_at, applied_at }: EngagementChange): number {
  return clamped(updated_at, applied_at);
}

function countUp(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
