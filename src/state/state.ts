import { Blocks } from './blocks.ts';
import type { Space } from './change.ts';
import { ChangeRing } from './change-ring.ts';
import { Fields } from './fields.ts';
import { Follows } from './follows.ts';
import { MultiGroup, SingleGroup } from './groups.ts';
import { type InteractionHooks, Interactions } from './interactions.ts';
import { Items } from './items.ts';
import { FIXED_HASH_KEY, type HashKey } from './keyed-hash.ts';
import type { StateLimits } from './limits.ts';
import { Places } from './places.ts';
import { Postings } from './postings.ts';
import { Recycler } from './recycler.ts';
import { Reports } from './reports.ts';
import { Revisions } from './revisions.ts';
import { type Setup, setupOf } from './setup.ts';
import { Tombstones } from './tombstones.ts';
import { Trend } from './trend.ts';
import { Users } from './users.ts';
import { CONTENT, type Vocabulary } from './vocabulary.ts';
import { WatchedItems } from './watched-items.ts';
import { Withdrawn } from './withdrawn.ts';

export interface StateOptions {
  fields?: Fields;
  learns_from?: number;
  vocabulary?: Vocabulary;
  /** What hash tables are keyed with. Nothing that the state says depends on it. */
  hash_key?: HashKey;
  /** How much it can hold, where that is less than memory allows. */
  limits?: Partial<StateLimits>;
}

function groupsOf(created_at: (item: number) => number, setup: Setup) {
  return {
    channel: new SingleGroup(created_at, setup),
    app: new SingleGroup(created_at, setup),
    /** Languages as of `primaryLanguage`: `pt` for `pt-br`, `he` for `iw`. */
    language: new SingleGroup(created_at, setup),
    publication_type: new MultiGroup(created_at, false, setup),
    /** Every domain of an item with all its parents: `blog.example.com`, `example.com`, `com`. */
    domain: new MultiGroup(created_at, false, setup),
    /** Labels with their scores. */
    label: new MultiGroup(created_at, true, setup),
  };
}

/**
 * Everything a page is built from, in memory: a fold over the stored changes. `applyChange` is its only writer
 * and deterministic: no clock, no randomness, no I/O; the same changes give the same state.
 */
export class State {
  static readonly transient = [
    'vocabulary',
    'learns_from',
    'unlearnt',
    'reborn',
    'rewritten',
    'user_revisions',
    'hidings',
    'setup',
  ];
  /** To be raised when the same changes make another state: checkpoints of before are then not used. */
  readonly fold_version = 5;
  /** Fields of contents that plugins asked for. */
  readonly fields: Fields;
  readonly users: Users;
  /** What acts mean here. */
  readonly vocabulary: Vocabulary;
  readonly items: Items;
  readonly follows: Follows;
  readonly blocks: Blocks;
  /** Of each user: what they did, posted, or whether their posts may be shown. */
  readonly user_revisions = new Revisions();
  readonly interactions: Interactions;
  readonly by_author = new Postings((item) => this.items.created_at(item));
  /** Columns that group items by text; values in normal form (`plugin/values.ts`). */
  readonly groups: ReturnType<typeof groupsOf>;
  readonly item_places = new Places();
  readonly user_places = new Places();
  /** Every described item under the value 0. */
  readonly by_time = new Postings((item) => this.items.created_at(item));
  /** Items that were hidden or reported, and how often. */
  readonly reports: Reports;
  /** Deleted items and their authors; items that are posted again leave it. */
  readonly withdrawn = new Withdrawn();
  /** Deletions of the last 90 days: what is delivered late must not undo them. */
  readonly tombstones: Readonly<Record<Space, Tombstones>>;
  /** Items of which a version was left out, as its author has been erased, and its `seq`; the next version takes them out. */
  readonly skipped = new Map<number, number>();
  readonly changed = new ChangeRing();
  /** Items that lost what an erased or hidden user did with them, or got it back: caches hold nothing that was derived from it. */
  readonly unlearnt = new WatchedItems();
  /** Items that were posted again after they had been deleted: what was learnt of them before is about something else. */
  readonly reborn = new ChangeRing();
  /** Items whose content changed, its author's place included, or that lost it: what was derived of contents alone. */
  readonly rewritten = new ChangeRing();
  /** What will be engaged with soon, learnt from what was. */
  readonly trend = new Trend(this);
  /** Frees what items that are gone for good have left. */
  readonly recycler = new Recycler();
  /** Users erased so far: tells caches that what they derived may hold traces. */
  erasures = 0;
  /** How often users were hidden since the start: tells caches the same. */
  hidings = 0;
  /** `seq` of the last change applied. */
  seq = 0;
  /** `applied_at` of the last change applied, seconds. */
  applied_at = 0;

  /**
   * Changes with a lower `seq` teach nothing of trends: the change that has it brings along what they taught.
   * Saves the start-up fold from learning what is known.
   */
  readonly learns_from: number;
  /** How it hashes and how much it can hold. */
  readonly setup: Setup;

  constructor(options: StateOptions = {}) {
    const setup = setupOf(options.hash_key ?? FIXED_HASH_KEY, options.limits ?? {});
    this.setup = setup;
    this.fields = options.fields ?? new Fields();
    this.vocabulary = options.vocabulary ?? CONTENT;
    this.users = new Users(setup);
    this.items = new Items(this.vocabulary, setup);
    this.reports = new Reports(this.vocabulary, (item) => this.items.names.key(item));
    this.follows = new Follows(setup, (user) => this.users.hidden(user));
    this.blocks = new Blocks(setup);
    this.tombstones = {
      user: new Tombstones(setup.hash_key, 'user'),
      item: new Tombstones(setup.hash_key, 'item'),
    };
    this.groups = groupsOf((item) => this.items.created_at(item), setup);
    this.interactions = new Interactions(this.vocabulary, this.user_revisions, this.hooks(), setup);
    this.learns_from = options.learns_from ?? 0;
  }

  /**
   * Works through so many of the acts of users who were hidden or shown again; false when none is left. May be called
   * between any two changes: it makes no difference to the state that results, only to how soon.
   */
  settle(acts: number): boolean {
    return this.interactions.suspension.step(acts);
  }

  /** Acts of users who were hidden or shown again wait for `settle`. */
  get is_settling(): boolean {
    return this.interactions.suspension.users_waiting > 0;
  }

  /** Users that a user follows and whose acts count, in no particular order. O(follows). */
  followed(user: number): number[] {
    const { users } = this;
    const following = this.follows.following(user);
    return users.any_hidden ? following.filter((followed) => !users.hidden(followed)) : following;
  }

  private hooks(): InteractionHooks {
    return {
      onCount: (user, item, event_type, time, delta) => {
        if (!this.users.hidden(user)) this.reports.count(item, event_type, delta);
        if (!this.items.countOwn(item, event_type, time, delta)) return;
        if (delta > 0) this.noteEngagement(item, time);
        else this.changed.note(item);
      },
      // Nothing happened to the item now, so there is nothing to learn, but no cache may hold the act any longer.
      onSuspension: (item, event_type, time, delta) => {
        if (this.items.countOwn(item, event_type, time, delta)) this.changed.note(item);
        this.unlearnt.note(item);
      },
      isHidden: (user) => this.users.hidden(user),
    };
  }

  /** An item was engaged with, or counted anew: caches and the learner are told. */
  noteEngagement(item: number, happened_at: number): void {
    this.changed.note(item);
    if (this.seq >= this.learns_from) this.trend.observe(item, this.applied_at, happened_at);
  }

  /** Forgets the groups that nothing is in. What asks for groups by code must ask for the codes anew. */
  forgetUnused(): void {
    for (const group of Object.values(this.groups)) group.forgetUnused();
  }

  /** The item can be shown to somebody: described, not deleted, neither it nor its author hidden. */
  live(item: number): boolean {
    if (!this.items.visible(item)) return false;
    const author = this.items.author(item);
    return author < 0 || !this.users.hidden(author);
  }
}
