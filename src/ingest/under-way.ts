import { clamped } from '../state/apply.ts';
import {
  type BlockChange,
  type Change,
  COUNTERS,
  type Counter,
  type EngagementChange,
  type FollowChange,
  type FollowListChange,
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

/** Of each counter of an item, the change that has the last word on it. */
type LastWords = Partial<Record<Counter, EngagementChange>>;

/**
 * What is on its way to the store: the state does not say it yet, but the next record about the same
 * parties has to be held against it. Without it a body that says something twice would be read differently
 * depending on how fast the store is.
 */
export class UnderWay {
  private readonly facts = new Map<string, QueuedFact>();
  private readonly by_change = new Map<Change, QueuedFact>();
  /** Whole lists of follows, each with what it says of each pair. */
  private readonly lists = new Map<FollowListChange, QueuedFact[]>();
  /** Of each user the latest of these, and its time. A list is never older than the one queued before it. */
  private readonly latest_lists = new Map<Key, { list: FollowListChange; time: number }>();
  private readonly deletions = new Map<Key, number>();
  /** Counts of items: the only ones that are under way, or of several those that have the last word. */
  private readonly counts = new Map<Key, EngagementChange | LastWords>();

  /** The latest that is queued about this pair, if anything is. */
  fact(pair: string): Fact | undefined {
    return this.facts.get(pair);
  }

  /** The latest count of this counter that is queued, if any is. */
  count(item: Key, counter: Counter): EngagementChange | undefined {
    const counts = this.counts.get(item);
    if (counts === undefined) return undefined;
    const last = 'kind' in counts ? counts : counts[counter];
    return last === undefined || last[counter] === NONE ? undefined : last;
  }

  /** Items that acts, counters or deletions under way are about. O(what is under way). */
  itemsNamed(): Set<Key> {
    const items = new Set([...this.counts.keys(), ...this.deletions.keys()]);
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
    const former = this.counts.get(item);
    if (former === undefined) this.counts.set(item, change);
    else this.counts.set(item, joined('kind' in former ? joined({}, former) : former, change));
  }

  /** The deletion of an item was queued, after which nothing is known of it. O(what is under way). */
  deleted(item: Key): void {
    countUp(this.deletions, item, 1);
    for (const fact of this.facts.values()) if (fact.item === item) this.facts.delete(fact.pair);
    this.counts.delete(item);
  }

  /** A change about a pair was queued; it is the news about it. */
  said(pair: string, change: PairChange, time: number): void {
    const item = change.kind === 'interaction' ? change.item : undefined;
    const fact = { pair, stands: change.action === 1, time, item };
    this.facts.set(pair, fact);
    this.by_change.set(change, fact);
  }

  /** A whole list of follows was queued. @param pairOf names what is between two users */
  listed(change: FollowListChange, time: number, pairOf: (user: Key, target: Key) => string): void {
    const { user, followed, unfollowed } = change;
    const facts: QueuedFact[] = [];
    const say = (stands: boolean) => (target: Key) => {
      const fact = { pair: pairOf(user, target), stands, time, item: undefined };
      this.facts.set(fact.pair, fact);
      facts.push(fact);
    };
    followed.forEach(say(true));
    unfollowed.forEach(say(false));
    this.lists.set(change, facts);
    this.latest_lists.set(user, { list: change, time });
  }

  /** The time of the latest whole list of a user that is queued; 0 when none is. */
  listedAt(user: Key): number {
    return this.latest_lists.get(user)?.time ?? 0;
  }

  /** Targets of what is queued about a user's follows, some perhaps repeated. O(what is under way). */
  followsSaid(user: Key): Key[] {
    const said: Key[] = [];
    for (const change of this.by_change.keys()) {
      if (change.kind === 'follow' && change.user === user) said.push(change.target);
    }
    for (const list of this.lists.keys()) {
      if (list.user !== user) continue;
      for (const targets of [list.followed, list.unfollowed]) for (const target of targets) said.push(target);
    }
    return said;
  }

  applied(change: Change): void {
    if (change.kind === 'engagement') this.countsApplied(change);
    if (change.kind === 'deletion') countUp(this.deletions, change.item, -1);
    const fact = this.by_change.get(change);
    if (fact !== undefined) this.outdated(fact);
    this.by_change.delete(change);
    if (change.kind === 'follow_list') this.listApplied(change);
  }

  /** A commit failed: nothing that was under way will come. */
  reset(): void {
    this.facts.clear();
    this.by_change.clear();
    this.lists.clear();
    this.latest_lists.clear();
    this.deletions.clear();
    this.counts.clear();
  }

  private listApplied(change: FollowListChange): void {
    for (const fact of this.lists.get(change) ?? []) this.outdated(fact);
    this.lists.delete(change);
    if (this.latest_lists.get(change.user)?.list === change) this.latest_lists.delete(change.user);
  }

  private outdated(fact: QueuedFact): void {
    if (this.facts.get(fact.pair) === fact) this.facts.delete(fact.pair);
  }

  private countsApplied(change: EngagementChange): void {
    const counts = this.counts.get(change.item);
    if (counts === change) this.counts.delete(change.item);
    if (counts === undefined || 'kind' in counts) return;
    for (const counter of COUNTERS) if (counts[counter] === change) counts[counter] = undefined;
    if (COUNTERS.every((counter) => counts[counter] === undefined)) this.counts.delete(change.item);
  }
}

/** Takes counts in that were queued later; of one counter those of the later moment count, as `apply` has it. */
function joined(words: LastWords, change: EngagementChange): LastWords {
  for (const counter of COUNTERS) {
    const former = words[counter];
    if (change[counter] === NONE) continue;
    if (former === undefined || countedAt(change) >= countedAt(former)) words[counter] = change;
  }
  return words;
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
