import { EVENT_CODE } from '../../src/model/acts.ts';
import type { Change } from '../../src/model/change.ts';
import { type Key, NONE, type Space } from '../../src/model/key.ts';
import type { ItemContent } from '../../src/model/records/item.ts';
import type { UserContent } from '../../src/model/records/user.ts';

/** The latest version of an interaction. */
export interface Fact {
  user: string;
  item: string;
  event_type: number;
  /** Distinguishes comments; '' for other types. */
  tag: string;
  time: number;
  stands: boolean;
}

export interface ReferenceItem {
  content?: ItemContent;
  author?: string;
  deleted: boolean;
  source: [number, number, number];
  counted_at: [number, number, number];
  /** All counts per source and counter, in order. A lower count has lowered the ones before it. */
  counted: { time: number; count: number }[][];
  /** Incremented when the item gets a place. Of two items of the same time, the later place is listed after the other. */
  listed: number;
  /** The last version was skipped because its author is unknown. The next version gets a new place. */
  skipped: boolean;
}

export interface ReferenceUser {
  content?: UserContent;
  hidden: boolean;
  wallets: string[];
  /** Incremented at each profile. */
  listed: number;
}

export interface ReferenceLabel {
  labeler: string;
  space: Space;
  subject: string;
  value: string;
  stands: boolean;
  hides: boolean;
  expires_at: number | undefined;
  time: number;
}

/** A naive implementation of the state: Maps of identifiers without indexes. Every query is a full scan. */
export class ReferenceState {
  readonly items = new Map<string, ReferenceItem>();
  readonly users = new Map<string, ReferenceUser>();
  readonly follows = new Map<string, { time: number; stands: boolean }>();
  /** Time of each user's latest whole follow list. */
  readonly listed_at = new Map<string, number>();
  readonly blocks = new Set<string>();
  /** Time of the last block or unblock of each pair. */
  private readonly block_times = new Map<string, number>();
  /** For each list its name, its owner ('' without one), and the number of records that name each member. */
  readonly lists = new Map<string, { name: string; owner: string; members: Map<string, number> }>();
  /** The latest message about each label. */
  labels: ReferenceLabel[] = [];
  facts: Fact[] = [];
  private readonly ids = { user: new Map<Key, string>(), item: new Map<Key, string>() };
  private clock = 0;

  apply(change: Change): void {
    this.clock++;
    this.applyByKind(change);
    for (const [id, user] of this.users)
      user.hidden = user.content?.hidden === true || this.isHiddenByLabel('user', id);
  }

  /** Labels of the tests that hide do not expire. */
  isHiddenByLabel(space: Space, id: string): boolean {
    return this.labels.some(
      (label) => label.space === space && label.subject === id && label.stands && label.hides,
    );
  }

  private applyByKind(change: Change): void {
    if (change.kind === 'label') {
      this.label(change);
      return;
    }
    if (change.kind === 'name') {
      this.ids[change.space].set(change.key, change.id);
      if (change.space === 'item') this.items.set(change.id, emptyItem());
      else this.users.set(change.id, { hidden: false, wallets: [], listed: 0 });
      return;
    }
    const user = 'user' in change ? this.ids.user.get(change.user) : '';
    const item = 'item' in change ? this.ids.item.get(change.item) : '';
    if (user === undefined || item === undefined) return;
    switch (change.kind) {
      case 'user': {
        const wallets = change.content.wallet_addresses ?? [];
        const { content } = change;
        this.users.set(user, { content, hidden: content.hidden ?? false, wallets, listed: this.clock });
        break;
      }
      case 'item':
        this.describe(this.items.get(item)!, change.author, change.content);
        break;
      case 'engagement':
        this.count(this.items.get(item)!, change);
        break;
      case 'interaction':
        this.act(user, item, change);
        break;
      case 'follow': {
        const target = this.ids.user.get(change.target);
        if (target !== undefined) this.follow(user, target, change.action === 1, momentOf(change));
        break;
      }
      case 'follow_list': {
        const time = momentOf(change);
        if (time < (this.listed_at.get(user) ?? 0)) break;
        this.listed_at.set(user, time);
        for (const keys of [change.followed, change.unfollowed]) {
          for (const key of keys) {
            const target = this.ids.user.get(key);
            if (target !== undefined) this.follow(user, target, keys === change.followed, time);
          }
        }
        break;
      }
      case 'user_list': {
        const owner = change.owner === NONE ? '' : this.ids.user.get(change.owner);
        if (owner !== undefined) this.changeList(owner, change);
        break;
      }
      case 'block': {
        const target = this.ids.user.get(change.target);
        if (target === undefined) break;
        const pair = `${user} ${target}`;
        const time = momentOf(change);
        if (time < (this.block_times.get(pair) ?? 0)) break;
        this.block_times.set(pair, time);
        if (change.action === 1) this.blocks.add(pair);
        else this.blocks.delete(pair);
        break;
      }
      case 'deletion':
        this.delete(item);
        break;
      case 'act_deletion': {
        const { timestamp, applied_at } = change;
        const time =
          timestamp === undefined ? undefined : momentOf({ timestamp, applied_at: applied_at + 60 });
        const isMeant = (fact: Fact) =>
          fact.user === user &&
          fact.item === item &&
          fact.event_type === change.event_type &&
          fact.tag.startsWith('at ') &&
          (time === undefined || fact.time === time);
        this.facts = this.facts.filter((fact) => !isMeant(fact));
        break;
      }
      case 'erasure':
        this.erase(user);
        break;
      case 'release':
        for (const key of change.items) {
          const released = this.items.get(this.ids.item.get(key) ?? '');
          if (released?.author === user) released.author = undefined;
        }
        break;
      case 'retirement':
        for (const key of change.items) {
          const retired = this.ids.item.get(key);
          if (retired !== undefined) this.forget(retired);
        }
        break;
    }
  }

  /** Current acts of one user on one item. */
  standing(user: string, item: string): Fact[] {
    return this.facts.filter((fact) => fact.stands && fact.user === user && fact.item === item);
  }

  /** Likes, comments and shares as shown. */
  counts(id: string): number[] {
    const item = this.items.get(id)!;
    const types = [EVENT_CODE.like, EVENT_CODE.comment, EVENT_CODE.share];
    return types.map((event_type, index) => {
      const own = this.standingOn(id, event_type).filter((time) => time > item.counted_at[index]);
      return item.source[index] + own.length;
    });
  }

  /**
   * Likes, comments and shares later than `since`, by definition: the current number minus the number shown at `since`,
   * or minus a later, lower one. The first count came with the item and does not count.
   */
  engagementSince(id: string, since: number): number {
    const item = this.items.get(id)!;
    const shown = this.counts(id);
    return item.counted.reduce((sum, counted, index) => {
      const acts = this.standingOn(id, [EVENT_CODE.like, EVENT_CODE.comment, EVENT_CODE.share][index]);
      return sum + shown[index] - courseAt(since, counted, acts, item.content?.created_at ?? 0);
    }, 0);
  }

  /** Times of the current acts on an item, without those of hidden users. */
  private standingOn(id: string, event_type: number): number[] {
    return this.facts
      .filter((fact) => fact.item === id && fact.stands && fact.event_type === event_type)
      .filter(({ user }) => !this.users.get(user)!.hidden)
      .map(({ time }) => time);
  }

  /** Described items that are not deleted. */
  described(): string[] {
    return [...this.items].filter(([, { content }]) => content !== undefined).map(([id]) => id);
  }

  /** Described items of an author, newest first; of the same time, the one described last comes first. */
  postsOf(author: string): string[] {
    const posts = this.described().filter((id) => this.items.get(id)!.author === author);
    return posts.sort((one, other) => {
      const [first, second] = [this.items.get(one)!, this.items.get(other)!];
      return second.content!.created_at - first.content!.created_at || second.listed - first.listed;
    });
  }

  ofWallet(wallet: string): string | undefined {
    const listers = [...this.users].filter(([, { wallets }]) => wallets.includes(wallet));
    return listers.sort(([, one], [, other]) => other.listed - one.listed)[0]?.[0];
  }

  private describe(item: ReferenceItem, author_key: Key, content: ItemContent): void {
    const author = this.ids.user.get(author_key);
    if (author_key !== NONE && author === undefined) {
      item.skipped = true;
      return;
    }
    const stays = item.content?.created_at === content.created_at && item.author === author && !item.skipped;
    const listed = stays ? item.listed : this.clock;
    Object.assign(item, { content, author, deleted: false, listed, skipped: false });
  }

  private count(item: ReferenceItem, change: Change & { kind: 'engagement' }): void {
    const counted_at = momentOf({ ...change, timestamp: change.updated_at });
    if (item.deleted) return;
    const counts = [change.likes_count, change.comments_count, change.shares_count];
    for (const [index, count] of counts.entries()) {
      if (count === NONE || counted_at < item.counted_at[index]) continue;
      item.source[index] = count;
      item.counted_at[index] = counted_at;
      const counted = item.counted[index].filter(({ time }) => time < counted_at);
      for (const former of counted) former.count = Math.min(former.count, count);
      // A count that is repeated without rising is one count.
      const rose = counted.some((former) => former.count < count);
      item.counted[index] = [...(rose ? counted : []), { time: counted_at, count }];
    }
  }

  private act(user: string, item: string, change: Change & { kind: 'interaction' }): void {
    const { event_type, event_id } = change;
    const untold = event_type === EVENT_CODE.comment && event_id === '';
    // The time that distinguishes a comment may be up to a minute ahead.
    const time = momentOf(untold ? { ...change, applied_at: change.applied_at + 60 } : change);
    const tag = event_type !== EVENT_CODE.comment ? '' : event_id === '' ? `at ${time}` : `id ${event_id}`;
    const fact = { user, item, event_type, tag, time, stands: change.action === 1 };
    const known = this.facts.findIndex(
      (other) =>
        other.user === user && other.item === item && other.event_type === event_type && other.tag === tag,
    );
    if (known < 0) this.facts.push(fact);
    else if (time >= this.facts[known].time) this.facts[known] = fact;
  }

  private follow(user: string, target: string, stands: boolean, time: number): void {
    const pair = `${user} ${target}`;
    if (time < (this.listed_at.get(user) ?? 0)) return;
    const known = this.follows.get(pair);
    if (known === undefined || time >= known.time) this.follows.set(pair, { time, stands });
  }

  private changeList(owner: string, change: Change & { kind: 'user_list' }): void {
    const { list_id, name, by_record } = change;
    if (change.action === 0) {
      this.lists.delete(list_id);
      return;
    }
    const { members } = this.lists.get(list_id) ?? { members: new Map<string, number>() };
    this.lists.set(list_id, { name, owner, members });
    for (const id of this.idsOf(change.removed)) {
      const left = by_record ? (members.get(id) ?? 0) - 1 : 0;
      if (left > 0) members.set(id, left);
      else members.delete(id);
    }
    for (const id of this.idsOf(change.added)) {
      const known = members.get(id) ?? 0;
      members.set(id, known === 0 ? 1 : known + by_record);
    }
  }

  private idsOf(keys: Uint32Array): string[] {
    return [...keys].flatMap((key) => this.ids.user.get(key) ?? []);
  }

  private label(change: Change & { kind: 'label' }): void {
    const space = change.item === NONE ? 'user' : 'item';
    const labeler = this.ids.user.get(change.labeler);
    const subject = this.ids[space].get(change[space]);
    if (labeler === undefined || subject === undefined) return;
    const { value, action, hides, expires_at } = change;
    const said = { stands: action === 1, hides: hides === 1, expires_at, time: momentOf(change) };
    const known = this.labels.find(
      (label) =>
        label.labeler === labeler &&
        label.space === space &&
        label.subject === subject &&
        label.value === value,
    );
    if (known === undefined) this.labels.push({ labeler, space, subject, value, ...said });
    else if (said.time >= known.time) Object.assign(known, said);
  }

  private unlabel(space: Space, id: string): void {
    this.labels = this.labels.filter((label) => label.space !== space || label.subject !== id);
  }

  private delete(id: string): void {
    this.unlabel('item', id);
    const { author } = this.items.get(id)!;
    this.items.set(id, { ...emptyItem(), author, deleted: true });
    this.facts = this.facts.filter((fact) => fact.item !== id);
  }

  private forget(id: string): void {
    this.delete(id);
    this.items.delete(id);
    forget(this.ids.item, id);
  }

  private erase(user: string): void {
    for (const [id, { author }] of [...this.items]) {
      if (author === user) this.forget(id);
    }
    this.facts = this.facts.filter((fact) => fact.user !== user);
    for (const pairs of [this.follows, this.blocks, this.block_times]) {
      for (const pair of [...pairs.keys()]) if (pair.split(' ').includes(user)) pairs.delete(pair);
    }
    for (const [list_id, { owner, members }] of [...this.lists]) {
      members.delete(user);
      if (owner === user) this.lists.delete(list_id);
    }
    this.unlabel('user', user);
    this.labels = this.labels.filter(({ labeler }) => labeler !== user);
    this.users.delete(user);
    this.listed_at.delete(user);
    forget(this.ids.user, user);
  }
}

function emptyItem(): ReferenceItem {
  const counts = {
    source: [0, 0, 0],
    counted_at: [0, 0, 0],
    counted: [[], [], []],
  } satisfies Partial<ReferenceItem>;
  return { deleted: false, ...counts, listed: 0, skipped: false };
}

function courseAt(
  since: number,
  counted: readonly { time: number; count: number }[],
  acts: readonly number[],
  created_at: number,
): number {
  const [first = { time: 0, count: 0 }] = counted;
  const brought = Math.max(0, first.count - acts.filter((time) => time <= first.time).length);
  const shownAt = (moment: number): number => {
    const last = counted.findLast(({ time }) => time <= moment);
    const own = acts.filter((time) => time <= moment && (last === undefined || time > last.time));
    return (last?.count ?? brought) + own.length;
  };
  const moments = [since, ...counted.map(({ time }) => time), ...acts].filter((moment) => moment >= since);
  return Math.min(...moments.map(shownAt)) - (since < created_at ? brought : 0);
}

/** Time of the act, to the millisecond, not later than it was written. */
function momentOf({ timestamp, applied_at }: { timestamp: number; applied_at: number }): number {
  return Math.round(Math.max(0.001, Math.min(timestamp, applied_at)) * 1000) / 1000;
}

function forget(ids: Map<Key, string>, id: string): void {
  for (const [key, known] of [...ids]) if (known === id) ids.delete(key);
}
