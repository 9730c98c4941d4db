import type { Postings } from '../columns/postings.ts';
import { LIMITS } from '../limits.ts';
import { Askings } from '../plugin/askings.ts';
import type {
  AffinityOptions,
  Defaults,
  Effort,
  GroupColumn,
  Ordinal,
  ProfileOptions,
  Reached,
  RequestContext,
  WalkOptions,
} from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import { isThirdParty } from '../registry/registry.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import { reachByAffinity, reachBySocialProof } from '../signals/affinity.ts';
import { reachByProfile } from '../signals/profile.ts';
import { driftSeconds, type RankedBy } from '../signals/ranking-building.ts';
import { postingsOf } from '../signals/tastes.ts';
import { Admission } from './admission.ts';
import { firstAdmitted, greatestOffered, placesFor, strongestAdmitted } from './best-admitted.ts';
import { compiledSignal, type Engine } from './engine.ts';
import type { ItemBits } from './item-bits.ts';
import { PageSoFar } from './page-so-far.ts';
import { decayOver, faded } from './ranking.ts';
import { reachedBy } from './reached-by.ts';
import { ViewerColumns } from './viewer-columns.ts';

/** The `RequestContext` of one request, which reads directly from the state. */
export class Request extends ViewerColumns implements RequestContext {
  /** The signals of the page's main feed, or of another feed. */
  readonly #signals: Map<string, (item: Ordinal) => number>;
  #lent_signals = false;
  readonly #random: () => number;
  #for_admission: Request | undefined;
  #admits: (item: Ordinal) => boolean = (item) => this.eligible(item);
  #admission: Admission | undefined;
  /** Contains all admitted items, if they are known in advance and few. */
  #within: ItemBits | undefined;
  #greatest: Map<Reached, number> | undefined;
  #askings: Askings | undefined;

  constructor(
    engine: Engine,
    viewer: Ordinal,
    readonly now: number,
    random: () => number,
    readonly page_length: number,
    readonly effort: Effort = 1,
    readonly page = new PageSoFar(engine),
    signals = page.signals,
  ) {
    super(engine, viewer);
    this.#random = random;
    this.#signals = signals;
    Object.freeze(this);
  }

  get defaults(): Defaults {
    return this.engine.defaults;
  }

  /** A request for another feed of the page. It shares the items reached from the viewer. */
  forPage(page_length: number): Request {
    const { engine, viewer, now, effort, page } = this;
    const signals = this.#lent_signals ? new Map() : this.#signals;
    this.#lent_signals = true;
    return new Request(engine, viewer, now, this.#random, page_length, effort, page, signals);
  }

  /**
   * The request that filters and rules of the feed get.
   *
   * They decide what the feed may show. So for them, the listing methods list all eligible items, and signals are
   * shares of these.
   */
  get for_admission(): Request {
    if (this.#for_admission === undefined) {
      const { engine, viewer, now, page_length, effort, page } = this;
      const own = new Map();
      this.#for_admission = new Request(engine, viewer, now, this.#random, page_length, effort, page, own);
    }
    return this.#for_admission;
  }

  random(): number {
    return this.#random();
  }

  follows(user: Ordinal, target: Ordinal): boolean {
    return user !== NONE && target !== NONE && this.engine.state.follows.follows(user, target);
  }

  following(user: Ordinal): Ordinal[] {
    if (user !== this.viewer) this.page.asks_of_others = true;
    if (user === NONE) return [];
    return this.engine.state.follows.followingInOrder(user);
  }

  items_by(column: GroupColumn, value: number, limit: number): Ordinal[] {
    return value === NONE ? [] : this.postings(column).newest(value, limit, this.admits);
  }

  newest(limit: number): Ordinal[] {
    return this.engine.state.by_time.newest(0, limit, this.admits);
  }

  best(signal: string, wanted: number): Ordinal[] {
    const { extension, reach } = compiledSignal(this.engine, signal);
    const limit = placesFor(wanted, this.engine.state);
    if (extension.depends_on !== 'viewer') {
      const ranked = (length: number) => this.ranked(signal, length);
      return firstAdmitted(ranked, limit, this.admits, this.#within);
    }
    if (reach === undefined) {
      throw new Error(`the signal '${signal}' depends on the viewer and does not say what it reaches`);
    }
    const reached = this.askings.within(`the best of '${signal}'`, () =>
      reachedBy(signal, () => reach(this)),
    );
    const best = this.strongestAdmitted(reached, limit);
    if (limit > 0) this.noteGreatest(reached, best);
    return best;
  }

  greatest_of_candidates(value: (item: Ordinal) => number): number {
    this.page.refuseWhenEnded();
    return greatestOffered(this.#admission, value);
  }

  /** Restricts the listing methods to what one feed may show. @param within contains all of these items */
  restrictTo(test: (item: Ordinal) => boolean, within?: ItemBits): Admission {
    this.#within = within;
    const admission = new Admission(this.engine.scratch.accumulators.take(), test);
    this.#admits = admission.admits;
    this.#admission = admission;
    return admission;
  }

  signal(name: string): (item: Ordinal) => number {
    this.page.refuseWhenEnded();
    let signal = this.#signals.get(name);
    if (signal === undefined) {
      const { bind } = compiledSignal(this.engine, name);
      signal = this.counted(
        name,
        this.askings.within(`the signal '${name}'`, () => bind(this)),
      );
      this.#signals.set(name, signal);
    }
    return signal;
  }

  walk(options: WalkOptions): Reached {
    const { history, half_life_hours, within_hours = '' } = options;
    return this.reached(`walk ${history} ${half_life_hours} ${within_hours}`, (into) =>
      this.engine.walk.reach(this.viewer, options, into, this.effort),
    );
  }

  affinity(options: AffinityOptions): Reached {
    const { recent, users, half_life_hours, closest = false } = options;
    return this.reached(`affinity ${recent} ${users} ${half_life_hours} ${closest}`, (into) =>
      reachByAffinity(this.engine.state, this.viewer, this.now, options, this.engine, into),
    );
  }

  profile(options: ProfileOptions): Reached {
    const { state, scratch } = this.engine;
    const { history, values, newest } = options;
    return this.reached(`profile ${history} ${values} ${newest}`, (into) =>
      reachByProfile(state, this.viewer, this.eligible_until, options, scratch, into),
    );
  }

  greatest(reached: Reached): number {
    const known = this.#greatest?.get(reached);
    if (known !== undefined) return known;
    return this.noteGreatest(reached, this.strongestAdmitted(reached, 1));
  }

  expected_rates(): (item: Ordinal) => number {
    return this.engine.trend_rates.at(this.now);
  }

  share(reached: Reached): (item: Ordinal) => number {
    if (reached.size === 0) return () => 0;
    let greatest = 0;
    // Computed at the first scored item, because by then the sources have usually found the greatest value.
    return (item) => {
      greatest ||= this.greatest(reached);
      return Math.min(1, reached.weight(item) / greatest);
    };
  }

  get pace_known(): boolean {
    return this.engine.state.trend.isRateKnown(this.now);
  }

  social_proof(): Reached {
    return this.reached('social proof', (into) => reachBySocialProof(this.engine.state, this.viewer, into));
  }

  /**
   * At least the `limit` best items by a signal that is the same for all viewers, optionally with decay.
   *
   * Includes inadmissible items. Fewer if there are no more.
   */
  ranked(signal: string, limit: number, half_life_hours?: number): readonly Ordinal[] {
    const by = rankedBy(this.engine, signal, half_life_hours);
    return this.engine.rankings.best(by, this.now, limit, faded(this, signal, half_life_hours));
  }

  /** Whether the item is live, not dated ahead, and not too old. */
  eligible(item: Ordinal): boolean {
    const { state } = this.engine;
    if (!state.live(item)) return false;
    const created_at = state.items.created_at(item);
    return created_at <= this.eligible_until && created_at >= this.eligible_from;
  }

  /** Items created before this time are too old and will be retired. */
  get eligible_from(): number {
    return this.now - this.engine.items_last_seconds;
  }

  /** Items created after this time are dated ahead. */
  get eligible_until(): number {
    return this.now + LIMITS.future_tolerance_seconds;
  }

  postings(column: GroupColumn): Postings {
    return postingsOf(this.engine.state, column);
  }

  /** @param best the best reached and admitted item; without one, no share is visible */
  private noteGreatest(reached: Reached, [best]: readonly Ordinal[]): number {
    const greatest = best === undefined ? reached.max : reached.weight(best);
    this.#greatest ??= new Map();
    this.#greatest.set(reached, greatest);
    return greatest;
  }

  /** Counts each call of a plugin's signal, since a call may take any time. */
  private counted(name: string, signal: (item: Ordinal) => number): (item: Ordinal) => number {
    if (!isThirdParty(name)) return signal;
    const { budget } = this.page;
    const on = () => `the signal ${name} was asked for too many items`;
    return (item) => {
      budget.spendOnPlugins(1, 1, on);
      return signal(item);
    };
  }

  private get admits(): (item: Ordinal) => boolean {
    this.page.refuseWhenEnded();
    return this.#admits;
  }

  private get askings(): Askings {
    this.#askings ??= new Askings();
    return this.#askings;
  }

  private strongestAdmitted(reached: Reached, limit: number): Ordinal[] {
    const { state, scratch } = this.engine;
    const { admits } = this;
    return strongestAdmitted(reached, limit, scratch.strongest.take(), state, admits, this.#within);
  }

  private reached(key: string, compute: (into: Accumulator) => void): Reached {
    this.page.refuseWhenEnded();
    const known = this.page.reached.get(key);
    if (known !== undefined) return known;
    const into = this.engine.scratch.accumulators.take();
    if (this.viewer !== NONE) compute(into);
    this.page.reached.set(key, into);
    return into;
  }
}

/** The ranking of a signal that is the same for all viewers. @throws Error if no plugin registered it */
export function rankedBy(engine: Engine, signal: string, half_life_hours?: number): RankedBy {
  const { extension } = compiledSignal(engine, signal);
  return {
    name: half_life_hours === undefined ? signal : `${signal} ${half_life_hours} h`,
    scoreAt: (now) => faded(new Request(engine, NONE, now, () => 0, 1), signal, half_life_hours),
    decayOver: (seconds) => decayOver(seconds, half_life_hours),
    drift_seconds: driftSeconds(extension, half_life_hours),
  };
}
