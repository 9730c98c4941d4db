import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Scratch } from '../signals/scratch.ts';
import { grown } from '../state/growable.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import type { Vocabulary } from '../state/vocabulary.ts';

export interface SocialProof {
  user_id: string;
  /** Integer seconds. */
  timestamp: number;
  interaction: string;
}

export interface FollowingEngagement {
  like: number;
  comment: number;
  share: number;
}

export interface FollowedActs {
  social_proof: SocialProof[];
  following_engagement: FollowingEngagement;
}

/** Reads what followed users did. Used again and again, as each page is drafted synchronously. */
export class FollowedActsReader {
  private readonly recent = new RecentActs();
  private readonly summary: Summary;
  /** By a few bits of an item, 1 when one of the page has them. */
  private readonly marks = new Uint8Array(MARKS);
  /** Bits of the counters by which a user was counted already, by the number of what they are looked for by. */
  private known = new Uint8Array(64);

  constructor(private readonly state: State) {
    this.summary = new Summary(state);
  }

  /**
   * What the users followed by the viewer did with each item of a page: the latest act of up to three of
   * them, and how many of them liked, commented and shared. Users in a block with the viewer are left out.
   * Read from the items' logs or from what the followed users did since the first of these acts, whichever is less.
   */
  of(viewer: Ordinal, items: readonly Ordinal[], { accumulators }: Scratch): FollowedActs[] {
    const { state, recent, summary } = this;
    summary.begin(items.length);
    const { by_item, by_user } = state.interactions;
    const since = firstAct(by_item, items);
    if (viewer !== NONE && since !== NEVER) {
      const following = state.follows.following(viewer);
      const users = following.filter((user) => !state.blocks.between(viewer, user));
      recent.find(by_user, users, since);
      if (entriesOf(by_item, items) < recent.entries) this.readItems(items, users, accumulators.take());
      else if (recent.active > 0) this.readUsers(items, accumulators.take());
    }
    return items.map((_, place) => summary.of(place));
  }

  private readItems(items: readonly Ordinal[], users: readonly Ordinal[], numbers: Accumulator): void {
    const { summary } = this;
    const { by_item: log } = this.state.interactions;
    const numberOf = numbered(users, numbers);
    this.known = grown(this.known, users.length);
    const { known } = this;
    for (const [place, item] of items.entries()) {
      known.fill(0, 0, users.length);
      const start = log.start(item);
      for (let at = log.end(item) - 1; at >= start; at--) {
        const number = numberOf(log.other(at));
        if (number === NONE || !summary.vocabulary.isPublic(log.event_type(at))) continue;
        known[number] |= summary.add(place, users[number], log, at, known[number]);
      }
    }
  }

  private readUsers(items: readonly Ordinal[], numbers: Accumulator): void {
    const { recent, summary, marks } = this;
    const { by_user: log } = this.state.interactions;
    const placeOf = numbered(items, numbers);
    this.known = grown(this.known, items.length);
    const { known } = this;
    // Nearly all entries are of other items, and most of those are told by a few bits of them.
    for (const item of items) marks[item & (MARKS - 1)] = 1;
    for (let number = 0; number < recent.active; number++) {
      const user = recent.users[number];
      const from = recent.from[number];
      known.fill(0, 0, items.length);
      for (let at = recent.end[number] - 1; at >= from; at--) {
        const other = log.other(at);
        if (marks[other & (MARKS - 1)] === 0) continue;
        const place = placeOf(other);
        if (place === NONE || log.removed(at) || !summary.vocabulary.isPublic(log.event_type(at))) continue;
        known[place] |= summary.add(place, user, log, at, known[place]);
      }
    }
    for (const item of items) marks[item & (MARKS - 1)] = 0;
  }
}

/** A power of two, much larger than a page. */
const MARKS = 1024;
const NEVER = Number.POSITIVE_INFINITY;

/** The second of the first act that stands on any of the items; `NEVER` when there is none. */
function firstAct(log: InteractionLog, items: readonly Ordinal[]): number {
  let since = NEVER;
  for (const item of items) if (log.length(item) > 0) since = Math.min(since, log.seconds(log.start(item)));
  return since;
}

function entriesOf(log: InteractionLog, subjects: readonly Ordinal[]): number {
  let entries = 0;
  for (const subject of subjects) entries += log.length(subject);
  return entries;
}

/** Entries whose subjects lie in one line of the processor's cache. */
const LINE = 16;

/**
 * Where the entries of users begin that are not earlier than a second, and up to a line of earlier ones. Finding that
 * out reads a little of each line of them, in a loop so short that the processor fetches many at once.
 */
class RecentActs {
  /** Users who have such entries. */
  users = new Int32Array(64);
  from = new Int32Array(64);
  end = new Int32Array(64);
  active = 0;
  /** In all. */
  entries = 0;
  /** Kept so that no compiler leaves the reading out. */
  read_ahead = NONE;

  find(log: InteractionLog, users: readonly Ordinal[], since: number): void {
    this.users = grown(this.users, users.length);
    this.from = grown(this.from, users.length);
    this.end = grown(this.end, users.length);
    let active = 0;
    let entries = 0;
    let read = NONE;
    for (const user of users) {
      const start = log.start(user);
      const end = log.end(user);
      let from = end;
      for (; from > start && log.seconds(from - 1) >= since; from -= LINE)
        read = Math.max(read, log.other(from - 1));
      if (from === end) continue;
      from = Math.max(start, from);
      this.users[active] = user;
      this.from[active] = from;
      this.end[active++] = end;
      entries += end - from;
    }
    this.active = active;
    this.entries = entries;
    this.read_ahead = read;
  }
}

/** Numbers a few ordinals that are looked for among many. @returns the number of an ordinal; NONE for all others */
function numbered(ordinals: readonly Ordinal[], numbers: Accumulator): (ordinal: Ordinal) => number {
  for (const [number, ordinal] of ordinals.entries()) numbers.add(ordinal, number + 1);
  return (ordinal) => numbers.weight(ordinal) - 1;
}

/** Counters of an item, in the order of its answer. */
const COUNTED = 3;

/** What is to be said of each place of a page, in plain arrays: most pages are full of such acts. */
class Summary {
  readonly vocabulary: Vocabulary;
  private counts = new Uint32Array(COUNTED * 64);
  /** Of each place the latest act of up to `LIMITS.social_proof_max` users, the latest first: whose, … */
  private users = new Int32Array(LIMITS.social_proof_max * 64);
  private event_types = new Uint8Array(LIMITS.social_proof_max * 64);
  private times = new Float64Array(LIMITS.social_proof_max * 64);
  private proofs = new Uint8Array(64);

  constructor(private readonly state: State) {
    this.vocabulary = state.vocabulary;
  }

  /** A page of so many places, of which nothing is known yet. */
  begin(places: number): void {
    this.counts = grown(this.counts, places * COUNTED);
    this.users = grown(this.users, places * LIMITS.social_proof_max);
    this.event_types = grown(this.event_types, places * LIMITS.social_proof_max);
    this.times = grown(this.times, places * LIMITS.social_proof_max);
    this.proofs = grown(this.proofs, places);
    this.counts.fill(0, 0, places * COUNTED);
    this.proofs.fill(0, 0, places);
  }

  /**
   * Counts an entry; a user's entries of an item come newest first.
   * @param known bits of the counters by which this user was counted at this place before
   * @returns the bit of this entry's counter
   */
  add(place: number, user: Ordinal, log: InteractionLog, at: number, known: number): number {
    const event_type = log.event_type(at);
    const counter = this.vocabulary.counterPlace(event_type);
    const bit = 1 << counter;
    if ((known & bit) === 0) this.counts[place * COUNTED + counter]++;
    if (known === 0) this.prove(place, user, event_type, log.timestamp(at));
    return bit;
  }

  of(place: number): FollowedActs {
    const counted = place * COUNTED;
    const following_engagement = {
      like: this.counts[counted],
      comment: this.counts[counted + 1],
      share: this.counts[counted + 2],
    };
    const social_proof: SocialProof[] = [];
    const first = place * LIMITS.social_proof_max;
    for (let at = first; at < first + this.proofs[place]; at++) {
      social_proof.push({
        user_id: this.state.users.names.id(this.users[at]),
        timestamp: Math.floor(this.times[at]),
        interaction: this.vocabulary.names[this.event_types[at]],
      });
    }
    return { social_proof, following_engagement };
  }

  /** Puts a user's latest act in its place among the latest of others. */
  private prove(place: number, user: Ordinal, event_type: number, time: number): void {
    const { users, event_types, times, proofs } = this;
    const first = place * LIMITS.social_proof_max;
    let at = first + proofs[place];
    if (proofs[place] < LIMITS.social_proof_max) proofs[place]++;
    else if (time < times[at - 1] || !this.precedes(time, user, --at)) return;
    for (; at > first && this.precedes(time, user, at - 1); at--) {
      users[at] = users[at - 1];
      event_types[at] = event_types[at - 1];
      times[at] = times[at - 1];
    }
    users[at] = user;
    event_types[at] = event_type;
    times[at] = time;
  }

  /** Later acts come first, ties by identifier. */
  private precedes(time: number, user: Ordinal, at: number): boolean {
    if (time !== this.times[at]) return time > this.times[at];
    const { names } = this.state.users;
    return names.id(user) < names.id(this.users[at]);
  }
}
