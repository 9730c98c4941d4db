import type { Seconds } from '../clock.ts';
import { NAMED_PER_REASON_MAX, type UserReason } from '../model/reasons.ts';
import { mayBeNamed, namedFollows } from '../state/may-be-named.ts';
import { surelyMutedItems } from '../state/muted.ts';
import type { State } from '../state/state.ts';
import { BOUNDS } from './bounds.ts';
import { isActive } from './eligibility.ts';
import { latestPublicActs, publicActCount } from './public-acts.ts';
import { followersAmong, itemsBy, itemsShared, TASTE_TOLD_MIN } from './reasons.ts';
import {
  ALIKE,
  actsSignal,
  authorSignal,
  type Formula,
  followsSignal,
  popularitySignal,
  type Signals,
  scoreOf,
  strongest,
  TO_FOLLOW,
} from './scoring.ts';
import { addAuthorsOf, addFollowed, addUsersOf, authorsOfChannels, latestItems } from './sources.ts';
import { Tally } from './tally.ts';

/** What a user's latest public acts and own items are about: weights of channels and labels, of length 1. */
type Taste = ReadonlyMap<string, number>;

/** Of unknown viewers, and of those with `personalised: false`. */
const NO_TASTE: Taste = new Map();

/** Labels with a lower score say little. */
const LABEL_SCORE_MIN = 0.5;

/** O(`entries_examined_max` + `taste_items_max`). Empty for a user without acts and items. */
function tasteOf(state: State, user: number): Taste {
  const { interactions, by_author } = state;
  const sums = new Map<string, number>();
  const log = interactions.by_user;
  for (const at of latestPublicActs(log, state, user, BOUNDS.taste_acts_max))
    addSubjects(state, log.other(at), sums);
  const first = Math.max(by_author.start(user), by_author.end(user) - BOUNDS.taste_items_max);
  for (let at = by_author.end(user) - 1; at >= first; at--) addSubjects(state, by_author.item(at), sums);
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const length = Math.sqrt(squares);
  for (const [subject, sum] of sums) sums.set(subject, sum / length);
  return sums;
}

/** The cosine of two tastes, from 0 to 1. */
function likeness(one: Taste, other: Taste): number {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [subject, weight] of fewer) sum += weight * (more.get(subject) ?? 0);
  return Math.min(1, sum);
}

function addSubjects(state: State, item: number, sums: Map<string, number>): void {
  if (!state.live(item)) return;
  const { channel, label } = state.groups;
  const code = channel.of(item);
  if (code >= 0) addTo(sums, `channel ${code}`, 1);
  label.any(item, (of_label, score) => {
    if (score >= LABEL_SCORE_MIN) addTo(sums, `label ${of_label}`, score);
    return false;
  });
}

function addTo(sums: Map<string, number>, subject: string, weight: number): void {
  sums.set(subject, (sums.get(subject) ?? 0) + weight);
}

/** Whose page it is, and what must not be on it. */
export interface Wanted {
  /** The user that candidates are compared with. NONE: an unknown viewer. */
  subject: number;
  /** The user who gets the answer. NONE: unknown. */
  viewer: number;
  /** Users who must not be on the page. */
  excluded: ReadonlySet<number>;
  top_k: number;
  seed: number;
  now: Seconds;
  /** Users to fill the page with, and the numbers of their visible followers, most first. */
  popular: ReadonlyMap<number, number>;
}

export interface Recommended {
  user: number;
  score: number;
  signals: Signals;
  reasons: UserReason[];
}

/** One page in its order, and the number of candidates that were scored. */
export interface RankedUsers {
  users: Recommended[];
  scored: number;
}

/** Popular users that are scored beyond those that fill the page. */
const POPULAR_SPARE = 100;
/** Inactive, hidden and blocked users that are expected among the strongest of a source. */
const LEFT_OUT_SPARE = 400;

/** Finds and ranks users. Nothing in it is awaited, so a page sees one state. */
export class CandidateFinder {
  private readonly followed = new Tally();
  private readonly acting = new Tally();
  private readonly authors = new Tally();

  constructor(
    private readonly state: State,
    private readonly ai_label_threshold: number,
  ) {}

  /** Users whom a viewer may want to follow: none that they follow, and never themselves. */
  recommended(wanted: Wanted): RankedUsers {
    const { state } = this;
    const { subject, seed, now } = wanted;
    const known = subject >= 0;
    const read = known ? addFollowed(state, namedFollows(state, subject, now), seed, this.followed) : [];
    const reads_acts = known && state.preferences.isPersonalised(subject);
    const items = reads_acts ? this.itemsOf(wanted) : [];
    addAuthorsOf(state, items, this.authors);
    const back = known ? state.follows.latestFollowers(subject, BOUNDS.followers_read_max) : [];
    const follows = (user: number) => known && state.follows.follows(subject, user);
    return this.ranked(wanted, {
      formula: TO_FOLLOW,
      items,
      taste: reads_acts ? tasteOf(state, subject) : NO_TASTE,
      others: [...authorsOfChannels(state, items), ...back],
      leavesOut: follows,
      followsBack: (user) => known && state.follows.follows(user, subject),
      // While any user is hidden, counting visible followers takes as long as reading them all.
      lastReason: (user) => ({
        type: 'popular',
        count: wanted.popular.get(user) ?? state.follows.followerCount(user),
      }),
      followReason: (user, count) => ({
        type: 'followed_by',
        user_ids: followersAmong(state, read, user),
        count,
      }),
    });
  }

  /** Users like another user: with the same followers, acts on the same items, and similar taste. */
  similar(wanted: Wanted): RankedUsers {
    const { state } = this;
    const { subject, seed } = wanted;
    const audience = state.follows
      .latestFollowers(subject, BOUNDS.followers_read_max)
      .filter((user) => !state.users.hidden(user));
    addFollowed(state, audience, seed, this.followed);
    const items = this.itemsOf(wanted);
    return this.ranked(wanted, {
      formula: ALIKE,
      items,
      taste: tasteOf(state, subject),
      others: [...authorsOfChannels(state, items)],
      leavesOut: () => false,
      followsBack: () => false,
      // Without common followers and acts, they publish in the same channels.
      lastReason: () => ({ type: 'similar_taste' }),
      followReason: (_, count) => ({ type: 'also_followed', count }),
    });
  }

  private itemsOf({ subject, viewer, now }: Wanted): number[] {
    const { state, ai_label_threshold } = this;
    const isMuted = surelyMutedItems(state, viewer, { now, ai_label_threshold });
    return latestItems(state, subject, viewer, now, isMuted);
  }

  private ranked(wanted: Wanted, from: Sources): RankedUsers {
    try {
      addUsersOf(this.state, from.items, this.acting);
      return this.page(wanted, from);
    } finally {
      for (const tally of [this.followed, this.acting, this.authors]) tally.clear();
    }
  }

  private page(wanted: Wanted, from: Sources): RankedUsers {
    const { state } = this;
    const { subject, viewer, excluded, top_k, now } = wanted;
    const { names } = state.users;
    const keyOf = (user: number) => names.key(user);
    const allowed = (user: number): boolean =>
      user !== subject &&
      user !== viewer &&
      !excluded.has(user) &&
      mayBeNamed(state, viewer, user, now) &&
      (subject < 0 || !state.blocks.between(subject, user)) &&
      !from.leavesOut(user) &&
      isActive(state, user, now);
    const candidates = new Set<number>();
    const common = (user: number) =>
      followsSignal(this.followed.sum(user), state.follows.audience(user), from.formula);
    const acts = (user: number) => this.actsWith(user, from.items.length);
    const authored = (user: number) => this.authors.sum(user);
    const left_out = LEFT_OUT_SPARE + excluded.size + (subject < 0 ? 0 : state.follows.count(subject));
    for (const user of [
      ...strongest(this.followed, left_out, allowed, common, keyOf),
      ...strongest(this.acting, left_out, allowed, acts, keyOf),
      ...strongest(this.authors, left_out, allowed, authored, keyOf),
    ])
      candidates.add(user);
    for (const user of from.others) if (allowed(user)) candidates.add(user);
    let places = top_k + POPULAR_SPARE;
    for (const user of wanted.popular.keys()) {
      if (places === 0) break;
      if (!allowed(user)) continue;
      candidates.add(user);
      places--;
    }
    const ranked = [...candidates].map((user) => {
      const signals = this.signalsOf(user, from);
      return { user, signals, score: rounded(scoreOf(signals, from.formula)) };
    });
    ranked.sort((one, other) => other.score - one.score || names.compare(one.user, other.user));
    const page = ranked.slice(0, top_k);
    const shared = itemsShared(
      state,
      from.items,
      page.map(({ user }) => user),
    );
    const users = page.map((entry) => ({ ...entry, reasons: this.reasonsFor(entry, shared, from) }));
    return { users, scored: ranked.length };
  }

  private actsWith(user: number, items: number): number {
    return actsSignal(this.acting.sum(user), items, publicActCount(this.state, user));
  }

  private signalsOf(user: number, from: Sources): Signals {
    const { follows, users } = this.state;
    const followers = follows.audience(user);
    return {
      follows: followsSignal(this.followed.sum(user), followers, from.formula),
      acts: this.actsWith(user, from.items.length),
      author: authorSignal(this.authors.sum(user)),
      follows_back: from.followsBack(user) ? 1 : 0,
      taste: from.taste.size === 0 ? 0 : likeness(from.taste, tasteOf(this.state, user)),
      popularity: popularitySignal(followers, users.size),
    };
  }

  private reasonsFor(
    { user, signals }: Pick<Recommended, 'user' | 'signals'>,
    shared: ReadonlyMap<number, string[]>,
    { items, followReason, lastReason }: Sources,
  ): UserReason[] {
    const { state } = this;
    const reasons: UserReason[] = [];
    const follows = this.followed.count(user);
    if (follows > 0) reasons.push(followReason(user, follows));
    const same = shared.get(user) ?? [];
    if (same.length > 0) reasons.push({ type: 'liked_same', ...namedItems(same) });
    if (this.authors.count(user) > 0)
      reasons.push({ type: 'author_of_liked', ...namedItems(itemsBy(state, items, user)) });
    if (signals.follows_back === 1) reasons.push({ type: 'follows_you' });
    if (signals.taste >= TASTE_TOLD_MIN) reasons.push({ type: 'similar_taste' });
    if (reasons.length === 0) reasons.push(lastReason(user));
    return reasons;
  }
}

/** What a kind of answer adds to the common sources. */
interface Sources {
  formula: Formula;
  /** The items that candidates are compared by. */
  items: readonly number[];
  /** The taste that theirs is compared with. */
  taste: Taste;
  /** Further candidates. */
  others: readonly number[];
  leavesOut(user: number): boolean;
  /** Whether a user follows whom the answer is for. */
  followsBack(user: number): boolean;
  /** The reason of a user for whom there is no other. */
  lastReason(user: number): UserReason;
  followReason(user: number, count: number): UserReason;
}

function namedItems(item_ids: readonly string[]): { item_ids: string[]; count: number } {
  return { item_ids: item_ids.slice(0, NAMED_PER_REASON_MAX), count: item_ids.length };
}

/** Sums of the same numbers in another order differ in the last digits. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
