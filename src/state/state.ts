import { ChangeRing, Revisions } from '../columns/change-ring.ts';
import { FIXED_HASH_KEY, type HashKey } from '../columns/keyed-hash.ts';
import { Postings } from '../columns/postings.ts';
import type { Space } from '../model/key.ts';
import { Blocks } from './blocks.ts';
import { Embeddings } from './embeddings.ts';
import { Experiments } from './experiments.ts';
import { FeedDays } from './feed-days.ts';
import { Fields } from './fields.ts';
import { Follows } from './follows.ts';
import { MultiGroup, SingleGroup } from './groups.ts';
import type { InteractionHooks } from './interaction-hooks.ts';
import { Interactions } from './interactions.ts';
import { Items } from './items.ts';
import { Labels } from './labels.ts';
import { Learning } from './learning/learning.ts';
import type { StateLimits } from './limits.ts';
import { Places } from './places.ts';
import { PreferencesOfUsers } from './preferences.ts';
import { Recycler } from './recycler.ts';
import { Reports } from './reports.ts';
import { type Setup, setupOf } from './setup.ts';
import { Tombstones } from './tombstones.ts';
import { Trend } from './trend.ts';
import { UserLists } from './user-lists.ts';
import { Users } from './users.ts';
import { CONTENT, type Vocabulary } from './vocabulary.ts';
import { Withdrawn } from './withdrawn.ts';
import { Words } from './words.ts';

/** Notifies caches of items for which they must drop data, immediately and one by one. */
class WatchedItems {
  static readonly transient = ['watchers'];
  private readonly watchers: ((item: number) => void)[] = [];

  /**
   * @param onItem must be cheap, since one change may affect many items
   * @returns a function that ends the calls
   */
  watch(onItem: (item: number) => void): () => void {
    this.watchers.push(onItem);
    return () => {
      this.watchers.splice(this.watchers.indexOf(onItem), 1);
    };
  }

  note(item: number): void {
    for (const onItem of this.watchers) onItem(item);
  }
}

export interface StateOptions {
  fields?: Fields;
  learns_from?: number;
  vocabulary?: Vocabulary;
  hash_key?: HashKey;
  /** The name of a viewer's row of seen items, by which logged pages name them, too. */
  viewerOf?(user_id: string): string;
  /** Limits below those of the memory. */
  limits?: Partial<StateLimits>;
}

function groupsOf(created_at: (item: number) => number, setup: Setup) {
  return {
    channel: new SingleGroup(created_at, setup),
    app: new SingleGroup(created_at, setup),
    /** Normalised by `primaryLanguage`: `pt` for `pt-br`, `he` for `iw`. */
    language: new SingleGroup(created_at, setup),
    publication_type: new MultiGroup(created_at, false, setup),
    /** Every domain of an item with all its parents: `blog.example.com`, `example.com`, `com`. */
    domain: new MultiGroup(created_at, false, setup),
    /** Labels with their scores. */
    label: new MultiGroup(created_at, true, setup),
  };
}

/**
 * Everything that pages are built from, in memory: a fold over the stored changes.
 *
 * `applyChange` is its only writer. It is deterministic, without clock, randomness or I/O: the same changes give the
 * same state.
 */
export class State {
  static readonly transient = [
    'vocabulary',
    'learns_from',
    'invalidated',
    'visibility',
    'republished',
    'rewritten',
    'user_revisions',
    'hidings',
    'interaction_changes',
    'setup',
  ];
  /** Must be increased when the same changes give another state, so that older checkpoints are not used. */
  readonly fold_version = 10;
  readonly fields: Fields;
  readonly users: Users;
  readonly vocabulary: Vocabulary;
  readonly items: Items;
  readonly follows: Follows;
  readonly blocks: Blocks;
  readonly user_lists: UserLists;
  readonly labels: Labels;
  readonly experiments = new Experiments();
  readonly preferences = new PreferencesOfUsers();
  readonly feed_days = new FeedDays();
  /** Per user: changes of their acts, their items, or their visibility. */
  readonly user_revisions = new Revisions();
  readonly interactions: Interactions;
  readonly by_author = new Postings((item) => this.items.created_at(item));
  /** Columns that group items by text. Values are normalised (`plugin/values.ts`). */
  readonly groups: ReturnType<typeof groupsOf>;
  readonly embeddings = new Embeddings();
  readonly words: Words;
  readonly item_places = new Places();
  readonly user_places = new Places();
  /** All described items under the value 0. */
  readonly by_time = new Postings((item) => this.items.created_at(item));
  /** Items with hides or reports, and their counts. */
  readonly reports: Reports;
  /** Deleted items by author. Items that are posted again are removed from it. */
  readonly withdrawn = new Withdrawn();
  /** Deletions of the last 90 days, so that late deliveries do not undo them. */
  readonly tombstones: Readonly<Record<Space, Tombstones>>;
  /** Items whose latest version was skipped because its author was erased, with its `seq`. */
  readonly skipped = new Map<number, number>();
  readonly changed = new ChangeRing();
  /** Items with data in caches that may contain deleted acts, or acts of erased or hidden users. Caches drop it. */
  readonly invalidated = new WatchedItems();
  /** Items that were hidden or are shown again, by themselves or with their author, or got another creation time. */
  readonly visibility = new WatchedItems();
  /** Items that were posted again after a deletion. Older derived data is about other content. */
  readonly republished = new ChangeRing();
  readonly rewritten = new ChangeRing();
  readonly trend = new Trend(this);
  readonly learning: Learning;
  readonly recycler = new Recycler();
  /** The number of erasures. Caches use it to drop derived data. */
  erasures = 0;
  /** When the latest one was applied, in seconds. */
  erased_at = 0;
  /** How often users were hidden since the start. Caches use it to drop derived data. */
  hidings = 0;
  /** The number of interactions that were added or removed since the start. Caches use it to tell their age. */
  interaction_changes = 0;
  seq = 0;
  applied_at = 0;

  /**
   * Changes with a lower `seq` do not train the trend, and are not learnt from. The change with this `seq` contains the
   * trained trend, the one before it what was learnt from shown pages.
   *
   * This saves the fold at a start from learning again.
   */
  readonly learns_from: number;
  readonly setup: Setup;

  constructor(options: StateOptions = {}) {
    const setup = setupOf(options.hash_key ?? FIXED_HASH_KEY, options.limits ?? {});
    this.setup = setup;
    this.fields = options.fields ?? new Fields();
    this.words = new Words(setup);
    this.vocabulary = options.vocabulary ?? CONTENT;
    this.users = new Users(setup);
    this.items = new Items(this.vocabulary, setup);
    this.reports = new Reports(this.vocabulary, (item) => this.items.names.key(item));
    this.follows = new Follows(setup, (user) => this.users.hidden(user));
    this.blocks = new Blocks(setup);
    this.user_lists = new UserLists(setup);
    this.labels = new Labels(setup);
    this.tombstones = {
      user: new Tombstones(setup.hash_key, 'user'),
      item: new Tombstones(setup.hash_key, 'item'),
    };
    this.groups = groupsOf((item) => this.items.created_at(item), setup);
    this.interactions = new Interactions(this.vocabulary, this.user_revisions, this.hooks(), setup);
    this.learns_from = options.learns_from ?? 0;
    this.learning = new Learning(this, options.viewerOf);
  }

  /**
   * Updates up to `acts` acts of users who were hidden or shown again. Returns false if none is left.
   *
   * May be called between any two changes. The final state is the same whenever it is called.
   */
  settle(acts: number): boolean {
    return this.interactions.suspension.step(acts);
  }

  /** Whether acts of hidden or shown users wait for `settle`. */
  get is_settling(): boolean {
    return this.interactions.suspension.users_waiting > 0;
  }

  /** The followed users whose acts count, in no particular order. O(follows). */
  followed(user: number): number[] {
    const { users } = this;
    const following = this.follows.following(user);
    return users.any_hidden ? following.filter((followed) => !users.hidden(followed)) : following;
  }

  private hooks(): InteractionHooks {
    return {
      onCount: (user, item, event_type, time, delta, kept = false) => {
        this.interaction_changes++;
        if (!this.users.hidden(user)) this.reports.count(item, event_type, delta);
        if (!this.items.countOwn(item, event_type, time, delta)) return;
        // A kept act taught the trend when it came.
        if (delta > 0 && !kept) this.noteEngagement(item, time);
        else this.changed.note(item);
      },
      // Nothing happened to the item now, so there is nothing to learn. But caches must drop the act.
      onSuspension: (item, event_type, time, delta) => {
        if (this.items.countOwn(item, event_type, time, delta)) this.changed.note(item);
        this.invalidated.note(item);
      },
      isHidden: (user) => this.users.hidden(user),
    };
  }

  /** Whether the change that is applied is learnt from. */
  get learns(): boolean {
    return this.seq >= this.learns_from;
  }

  /** Must be called when an item was engaged with or a source counted it. Updates caches and the trend. */
  noteEngagement(item: number, happened_at: number): void {
    this.changed.note(item);
    if (this.learns) this.trend.observe(item, this.applied_at, happened_at);
  }

  /** Forgets empty groups and unused words. Cached codes of either are invalid afterwards. */
  forgetUnused(): void {
    this.words.forgetUnused();
    for (const group of Object.values(this.groups)) group.forgetUnused();
    this.learning.forgetCodes();
  }

  /**
   * Whether a user has at most the average number of followers. If no user follows another, or all have equally many
   * followers, every user does.
   */
  isLittleFollowed(user: number): boolean {
    return !this.follows.hasMoreFollowers(user, this.follows.counted / this.users.size);
  }

  /** Whether the item can be shown: described, not deleted, and neither it nor its author is hidden. */
  live(item: number): boolean {
    if (!this.items.visible(item)) return false;
    const author = this.items.author(item);
    return author < 0 || !this.users.hidden(author);
  }
}
