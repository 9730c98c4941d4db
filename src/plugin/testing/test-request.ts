import type { Signal } from '../kinds.ts';
import { NONE, type Ordinal } from '../ordinal.ts';
import type { UserField } from '../reads.ts';
import type { Effort, GroupColumn, Reached, RequestContext } from '../request-context.ts';
import type { TestSpaces } from './names.ts';
import { TestReached } from './reached.ts';
import { TestColumns } from './test-columns.ts';
import type { TestWorld } from './world.ts';

const HOUR = 3600;
/** The pace is known after engagement was observed for this time. */
const PACE_SECONDS = 2 * HOUR;
/** The columns of the profile, and those of dislikes. */
const TASTE_COLUMNS: readonly GroupColumn[] = ['author', 'channel', 'label', 'app', 'language'];
const DISLIKED_COLUMNS: readonly GroupColumn[] = ['author', 'channel', 'label'];

/** A signal in one world. */
export interface TestSignal {
  depends_on: Signal['depends_on'];
  bind(): (item: Ordinal) => number;
  /** The items that it reaches. Absent if the signal does not declare them. */
  reach?(): Reached;
}

export interface TestRequestOptions {
  spaces: TestSpaces;
  /** The fields that `text`, `item_field` and `user_field` may read. */
  reads: readonly string[];
  /**
   * Reading fields of users or other items throws, because `depends_on` declares that results follow from each item
   * alone.
   */
  lasting: boolean;
  /** The extension is a filter or rule, so there are no candidates yet. */
  for_admission: boolean;
  signal(name: string): TestSignal;
}

/**
 * A request in a small world. It gives the same answers as the service, computed in a simple way.
 *
 * Two things differ. The recommender's computations (`walk`, `affinity`, `profile`, `meaning`) use simple weights. Expected
 * rates are the engagement per hour of an item's age. Reading a field that is not in `reads` throws.
 */
export class TestRequest extends TestColumns implements RequestContext {
  readonly viewer: Ordinal;
  readonly page_length: number;
  readonly effort: Effort;
  readonly defaults = Object.freeze({ ai_label_threshold: 0.6, geo_radius_km: 100 });
  readonly #signals = new Map<string, (item: Ordinal) => number>();
  #drawn: number;

  constructor(
    private readonly world: TestWorld,
    private readonly options: TestRequestOptions,
  ) {
    super(world, options.spaces, options.reads);
    this.viewer = world.viewer === undefined ? NONE : this.user(world.viewer);
    this.page_length = world.page_length ?? 25;
    this.effort = world.effort ?? 1;
    this.#drawn = world.seed ?? 1;
    Object.freeze(this);
  }

  get asked(): string[] {
    return [...this.#signals.keys()];
  }

  /** A linear congruential generator. */
  random(): number {
    this.#drawn = (Math.imul(this.#drawn, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#drawn / 2 ** 32;
  }

  expected_rates(): (item: Ordinal) => number {
    return ofItems(
      'the rate',
      (item) => this.#engagement(item) / Math.max(1, (this.now - this.created_at(item)) / HOUR),
    );
  }

  /** All engagement happened at its item's creation, so observation began with the first item that has some. */
  get pace_known(): boolean {
    return this.items.some(
      (item) => this.#engagement(item) > 0 && this.now - this.created_at(item) >= PACE_SECONDS,
    );
  }

  has_seen(item: Ordinal): boolean {
    return this.#viewerDid('seen', item);
  }

  has_interacted(item: Ordinal): boolean {
    return this.#viewerDid('interacted', item);
  }

  has_hidden(item: Ordinal): boolean {
    return this.#viewerDid('hidden', item);
  }

  has_hidden_author(author: Ordinal, count: number, since: number): boolean {
    const hidden = this.items.filter((item) => this.has_hidden(item) && this.author(item) === author);
    return author !== NONE && since <= this.now && hidden.length >= count;
  }

  is_blocked(user: Ordinal): boolean {
    if (user === NONE || this.viewer === NONE) return false;
    const { users } = this.spaces;
    const blocks = (one: Ordinal, other: Ordinal) =>
      this.userAt(one).blocks?.includes(users.id(other)) ?? false;
    return blocks(this.viewer, user) || blocks(user, this.viewer);
  }

  follows(user: Ordinal, target: Ordinal): boolean {
    return this.following(user).includes(target);
  }

  following(user: Ordinal): Ordinal[] {
    return (this.userAt(user).follows ?? []).map((id) => this.spaces.users.of(id));
  }

  items_by(column: GroupColumn, value: number, limit: number): Ordinal[] {
    return this.newest(this.items.length)
      .filter((item) => this.has(column, item, value))
      .slice(0, limit);
  }

  newest(limit: number): Ordinal[] {
    return this.items.sort((one, other) => this.created_at(other) - this.created_at(one)).slice(0, limit);
  }

  best(signal: string, limit: number): Ordinal[] {
    const { depends_on, reach } = this.#signal(signal);
    const newest = this.newest(this.items.length);
    if (depends_on !== 'viewer') return best(newest, this.signal(signal), limit);
    if (reach === undefined) {
      throw new Error(`the signal '${signal}' depends on the viewer and does not say what it reaches`);
    }
    const reached = reach();
    const weight = (item: Ordinal) => reached.weight(item);
    return best(
      newest.filter((item) => weight(item) > 0),
      weight,
      limit,
    );
  }

  signal(name: string): (item: Ordinal) => number {
    const known = this.#signals.get(name);
    if (known !== undefined) return known;
    const signal = ofItems(`the signal '${name}'`, this.#signal(name).bind());
    this.#signals.set(name, signal);
    return signal;
  }

  override user_field(user: Ordinal, name: UserField): unknown {
    this.#mustNotLast('a field of a user');
    return super.user_field(user, name);
  }

  override item(item_id: string): Ordinal {
    this.#mustNotLast('another item');
    return super.item(item_id);
  }

  #mustNotLast(what: string): void {
    if (this.options.lasting) throw new Error(`it looks at ${what}, which its depends_on leaves out`);
  }

  walk(): Reached {
    const start = new Set(this.#acted(this.viewer));
    const readers = this.users.filter((user) => this.#acted(user).some((item) => start.has(item)));
    return new TestReached(readers.flatMap((user) => this.#acted(user)).filter((item) => !start.has(item)));
  }

  affinity(): Reached {
    const posted = (user: Ordinal) => this.items.filter((item) => this.author(item) === user);
    return new TestReached(
      this.following(this.viewer).flatMap((user) => [...this.#acted(user), ...posted(user)]),
    );
  }

  /** For each value of the viewer's items: all other items with that value, once per occurrence. */
  profile(): Reached {
    const count = this.items.length;
    return new TestReached(
      this.#acted(this.viewer).flatMap((item) =>
        TASTE_COLUMNS.flatMap((column) =>
          this.codesOf(column, item)
            .filter((code) => column !== 'author' || code !== this.viewer)
            .map((code) => this.items_by(column, code, count))
            // A value that all items have says nothing about taste.
            .flatMap((listed) => (listed.length < count ? listed : [])),
        ),
      ),
    );
  }

  get embedding_length(): number {
    return Math.max(0, ...this.items.map((item) => this.itemAt(item).embedding?.length ?? 0));
  }

  /** All other items by the sum of their similarities to the viewer's items. */
  meaning(): Reached {
    const acted = this.#acted(this.viewer);
    const others = this.items.filter((item) => !acted.includes(item));
    const embedding = (item: Ordinal) => this.itemAt(item).embedding ?? [];
    return new TestReached(others, (item) =>
      acted.reduce((sum, start) => sum + Math.max(0, cosine(embedding(start), embedding(item))), 0),
    );
  }

  acts_on_author(author: Ordinal): number {
    if (author === NONE) return 0;
    return this.#acted(this.viewer).filter((item) => this.author(item) === author).length;
  }

  dislikes(): (item: Ordinal) => number {
    const hidden = this.items.filter((item) => this.has_hidden(item));
    const liked = this.#acted(this.viewer);
    return (item) => {
      const dislikes = DISLIKED_COLUMNS.flatMap((column) =>
        this.codesOf(column, item).map((code) => {
          const having = (items: Ordinal[]) => items.filter((other) => this.has(column, other, code)).length;
          return having(hidden) / (having(hidden) + having(liked) + 2);
        }),
      );
      return Math.max(0, ...dislikes);
    };
  }

  greatest(reached: Reached): number {
    return reached.max;
  }

  greatest_of_candidates(value: (item: Ordinal) => number): number {
    if (this.options.for_admission) return 0;
    const values = this.items.map(value).filter((found) => found > 0);
    return Math.max(0, ...values);
  }

  share(reached: Reached): (item: Ordinal) => number {
    return (item) => (reached.size === 0 ? 0 : reached.weight(item) / reached.max);
  }

  social_proof(): Reached {
    const followed = this.following(this.viewer).filter((user) => !this.is_blocked(user));
    return new TestReached(followed.flatMap((user) => this.#acted(user)));
  }

  #signal(name: string): TestSignal {
    const signal = this.options.signal(name);
    const given = this.world.signals?.[name];
    if (given === undefined) return signal;
    const value = (item: Ordinal) => given[this.idOf(item)] ?? 0;
    return {
      ...signal,
      bind: () => value,
      reach: signal.reach && (() => new TestReached(this.items, value)),
    };
  }

  #engagement(item: Ordinal): number {
    return this.likes_count(item) + this.comments_count(item) + this.shares_count(item);
  }

  #acted(user: Ordinal): Ordinal[] {
    return (this.userAt(user).interacted ?? []).map((id) => this.item(id)).filter((item) => item !== NONE);
  }

  #viewerDid(what: 'seen' | 'interacted' | 'hidden', item: Ordinal): boolean {
    return this.userAt(this.viewer)[what]?.includes(this.itemAt(item).item_id) ?? false;
  }
}

/** 0 if one of the vectors is missing. */
function cosine(one: readonly number[], other: readonly number[]): number {
  const product = (these: readonly number[], those: readonly number[]) =>
    these.reduce((sum, number, at) => sum + number * (those[at] ?? 0), 0);
  const lengths = Math.sqrt(product(one, one) * product(other, other));
  return lengths === 0 ? 0 : product(one, other) / lengths;
}

/** Returns the first `limit` items by value. The input order breaks ties. */
function best(items: readonly Ordinal[], value: (item: Ordinal) => number, limit: number): Ordinal[] {
  return items.toSorted((one, other) => value(other) - value(one)).slice(0, limit > 0 ? Math.ceil(limit) : 0);
}

/** Rejects NONE, for which the service may return any value. */
function ofItems(what: string, value: (item: Ordinal) => number): (item: Ordinal) => number {
  return (item) => {
    if (item < 0) throw new Error(`${what} was called for NONE, which is not an item`);
    return value(item);
  };
}
