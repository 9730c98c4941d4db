import { LIMITS } from '../limits.ts';
import type {
  AffinityOptions,
  Defaults,
  GroupColumn,
  Ordinal,
  Reached,
  RequestContext,
  Signal,
  WalkOptions,
} from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import type { Registered } from '../registry/registry.ts';
import type { Accumulator, AccumulatorPool } from '../signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../signals/affinity.ts';
import type { ScoredQueue } from '../signals/scored-queue.ts';
import { strongest } from '../signals/strongest.ts';
import type { Postings } from '../state/postings.ts';
import { SEEN, TOUCHED } from '../state/touched.ts';
import type { Engine } from './engine.ts';
import { hiddenAuthors } from './hidden-authors.ts';

export type { Engine };

/** One request as plugins see it (the contract's `RequestContext`), reading straight from the state. */
export class Request implements RequestContext {
  #memo = new Map<string, Reached>();
  #signals = new Map<string, (item: Ordinal) => number>();
  readonly #random: () => number;
  /** Items that the listing methods gave out: they passed the feed's filters and rules. */
  #admitted: Accumulator | undefined;
  #admits: (item: Ordinal) => boolean = (item) => this.eligible(item);
  /** The item whose bits were asked for last: the rules ask one after another about the same. */
  #touched_item: Ordinal = NONE;
  #touched_flags = 0;
  #hidden_authors: Map<Ordinal, number[]> | undefined;

  constructor(
    readonly engine: Engine,
    readonly viewer: Ordinal,
    readonly now: number,
    random: () => number,
    readonly page_length: number,
  ) {
    this.#random = random;
    Object.freeze(this);
  }

  get defaults(): Defaults {
    return this.engine.defaults;
  }

  /** The same request for a page of another length: what was computed for the viewer is shared. */
  forPage(page_length: number): Request {
    const request = new Request(this.engine, this.viewer, this.now, this.#random, page_length);
    request.#memo = this.#memo;
    request.#signals = this.#signals;
    return request;
  }

  random(): number {
    return this.#random();
  }

  author(item: Ordinal): Ordinal {
    return this.engine.state.items.author(item);
  }

  created_at(item: Ordinal): number {
    return this.engine.state.items.created_at(item);
  }

  likes_count(item: Ordinal): number {
    return this.engine.state.items.likes_count(item);
  }

  comments_count(item: Ordinal): number {
    return this.engine.state.items.comments_count(item);
  }

  shares_count(item: Ordinal): number {
    return this.engine.state.items.shares_count(item);
  }

  user(user_id: string): Ordinal {
    return this.engine.state.users.names.find(user_id);
  }

  item(item_id: string): Ordinal {
    return this.engine.state.items.names.find(item_id);
  }

  code(column: GroupColumn, value: string): number {
    return column === 'author' ? this.user(value) : this.engine.state.groups[column].code(value);
  }

  has(column: GroupColumn, item: Ordinal, code: number): boolean {
    if (column === 'author') return this.author(item) === code;
    return this.engine.state.groups[column].has(item, code);
  }

  label_score(item: Ordinal, label_code: number): number {
    return this.engine.state.groups.label.score(item, label_code);
  }

  latitude(item: Ordinal): number {
    const { item_places, user_places } = this.engine.state;
    const own = item_places.latitude(item);
    return Number.isNaN(own) ? user_places.latitude(this.author(item)) : own;
  }

  longitude(item: Ordinal): number {
    const { item_places, user_places } = this.engine.state;
    const own = item_places.longitude(item);
    return Number.isNaN(own) ? user_places.longitude(this.author(item)) : own;
  }

  text(item: Ordinal): string {
    return this.engine.state.fields.text(item);
  }

  item_field(item: Ordinal, name: string): unknown {
    return this.engine.state.fields.item(item, name);
  }

  user_field(user: Ordinal, name: string): unknown {
    return this.engine.state.fields.user(user, name);
  }

  has_seen(item: Ordinal): boolean {
    return (this.touched(item) & SEEN) !== 0;
  }

  has_interacted(item: Ordinal): boolean {
    return (this.touched(item) & TOUCHED.interacted) !== 0;
  }

  has_hidden(item: Ordinal): boolean {
    return (this.touched(item) & TOUCHED.hidden) !== 0;
  }

  has_hidden_author(author: Ordinal, count: number, since: number): boolean {
    if (author === NONE || this.viewer === NONE) return false;
    this.#hidden_authors ??= hiddenAuthors(this.engine.state, this.viewer);
    const times = this.#hidden_authors.get(author);
    return times !== undefined && times.filter((time) => time >= since).length >= count;
  }

  is_blocked(user: Ordinal): boolean {
    return this.viewer !== NONE && user !== NONE && this.engine.state.blocks.between(this.viewer, user);
  }

  follows(user: Ordinal, target: Ordinal): boolean {
    return user !== NONE && target !== NONE && this.engine.state.follows.follows(user, target);
  }

  following(user: Ordinal): Ordinal[] {
    return user === NONE ? [] : this.engine.state.follows.following(user);
  }

  items_by(column: GroupColumn, value: number, limit: number): Ordinal[] {
    return value === NONE ? [] : this.postings(column).newest(value, limit, this.#admits);
  }

  newest(limit: number): Ordinal[] {
    return this.engine.state.by_time.newest(0, limit, this.#admits);
  }

  best(signal: string, limit: number): Ordinal[] {
    const registered = this.registered(signal);
    if (registered.extension.depends_on !== 'viewer') return this.bestRanked(signal, limit);
    if (registered.extension.reaches === undefined) {
      throw new Error(`the signal '${signal}' depends on the viewer and does not say what it reaches`);
    }
    const reached = registered.extension.reaches(registered.options.defaults())(this);
    // Twice as many as wanted, because some may not be admitted; more only when that was not enough.
    for (let count = 2 * limit; ; count *= 8) {
      const best = this.admittedOf(strongest(reached, count), limit);
      if (best.length === limit || count >= reached.size) return best;
    }
  }

  private admittedOf(queue: ScoredQueue, limit: number): Ordinal[] {
    const best: Ordinal[] = [];
    for (let item = queue.pop(); item !== NONE && best.length < limit; item = queue.pop()) {
      if (this.#admits(item)) best.push(item);
    }
    return best;
  }

  /** Narrows what the listing methods return to what one feed may show. */
  restrictTo(admits: (item: Ordinal) => boolean): void {
    const admitted = this.engine.accumulators.take();
    this.#admitted = admitted;
    this.#admits = (item) => {
      if (admitted.weight(item) > 0) return true;
      if (!admits(item)) return false;
      admitted.add(item, 1);
      return true;
    };
  }

  /** A listing method gave this item out, so it need not be tested again. */
  hasAdmitted(item: Ordinal): boolean {
    return this.#admitted !== undefined && this.#admitted.weight(item) > 0;
  }

  signal(name: string): (item: Ordinal) => number {
    let signal = this.#signals.get(name);
    if (signal === undefined) {
      const registered = this.registered(name);
      signal = registered.extension.compile(registered.options.defaults())(this);
      this.#signals.set(name, signal);
    }
    return signal;
  }

  walk(options: WalkOptions): Reached {
    return this.reached(`walk ${options.history}`, (into) =>
      this.engine.walk.reach(this.viewer, options, into),
    );
  }

  affinity(options: AffinityOptions): Reached {
    return this.reached(`affinity ${options.recent} ${options.users}`, (into) =>
      reachByAffinity(this.engine.state, this.viewer, options, into),
    );
  }

  social_proof(): Reached {
    return this.reached('social proof', (into) => reachBySocialProof(this.engine.state, this.viewer, into));
  }

  /**
   * At least the `limit` best items by an item-only signal, perhaps decayed by age, inadmissible ones
   * included; fewer: all there are.
   */
  ranked(
    signal: string,
    limit: number,
    half_life_hours?: number,
    decay?: (item: Ordinal) => number,
  ): readonly Ordinal[] {
    const score = this.signal(signal);
    const drifts = this.registered(signal).extension.depends_on === 'time';
    if (half_life_hours === undefined || decay === undefined) {
      return this.engine.rankings.best(signal, score, this.now, limit, drifts);
    }
    const decayed = (item: Ordinal) => score(item) * decay(item);
    return this.engine.rankings.best(`${signal} ${half_life_hours} h`, decayed, this.now, limit, drifts);
  }

  /** The item may be shown to somebody now: live, and not dated in the future. */
  eligible(item: Ordinal): boolean {
    const { state } = this.engine;
    return state.live(item) && state.items.created_at(item) <= this.now + LIMITS.future_tolerance_seconds;
  }

  postings(column: GroupColumn): Postings {
    const { by_author, groups } = this.engine.state;
    return column === 'author' ? by_author : groups[column].postings;
  }

  private registered(signal: string): Registered<Signal> {
    const registered = this.engine.registry.get('signals', signal);
    if (registered === undefined) throw new Error(`no plugin registered a signal named '${signal}'`);
    return registered;
  }

  private bestRanked(signal: string, limit: number): Ordinal[] {
    const best: Ordinal[] = [];
    for (const item of this.ranked(signal, limit * 2)) {
      if (best.length === limit) break;
      if (this.#admits(item)) best.push(item);
    }
    return best;
  }

  private touched(item: Ordinal): number {
    if (this.viewer === NONE) return 0;
    if (item !== this.#touched_item) {
      this.#touched_item = item;
      this.#touched_flags = this.engine.state.interactions.touched.flags(this.viewer, item);
    }
    return this.#touched_flags;
  }

  private reached(key: string, compute: (into: ReturnType<AccumulatorPool['take']>) => void): Reached {
    const known = this.#memo.get(key);
    if (known !== undefined) return known;
    const into = this.engine.accumulators.take();
    if (this.viewer !== NONE) compute(into);
    this.#memo.set(key, into);
    return into;
  }
}
