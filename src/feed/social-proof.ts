import { LIMITS } from '../limits.ts';
import type { Ordinal } from '../plugin/index.ts';
import { NONE } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Scratch } from '../signals/scratch.ts';
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

/**
 * What the users followed by the viewer did with each item of a page: the latest act of up to three of
 * them, and how many of them liked, commented and shared. Users in a block with the viewer are left out.
 * Read from the items' logs or from the followed users', whichever are shorter in all.
 */
export function followedActs(
  state: State,
  viewer: Ordinal,
  items: readonly Ordinal[],
  { accumulators }: Scratch,
): FollowedActs[] {
  const summary = new Summary(state, items.length);
  const following = viewer === NONE ? [] : state.follows.following(viewer);
  const users = following.filter((user) => !state.blocks.between(viewer, user));
  if (users.length > 0) {
    const { by_item, by_user } = state.interactions;
    if (entriesOf(by_item, items) < entriesOf(by_user, users))
      readItems(by_item, items, users, accumulators.take(), summary);
    else readUsers(by_user, items, users, accumulators.take(), summary);
  }
  return items.map((_, place) => summary.of(place));
}

function entriesOf(log: InteractionLog, subjects: readonly Ordinal[]): number {
  let entries = 0;
  for (const subject of subjects) entries += log.length(subject);
  return entries;
}

function readItems(
  log: InteractionLog,
  items: readonly Ordinal[],
  users: readonly Ordinal[],
  numbers: Accumulator,
  summary: Summary,
): void {
  const numberOf = numbered(users, numbers);
  const known = new Uint8Array(users.length);
  for (const [place, item] of items.entries()) {
    known.fill(0);
    const start = log.start(item);
    for (let at = log.end(item) - 1; at >= start; at--) {
      const number = numberOf(log.other(at));
      if (number === NONE || !summary.vocabulary.isPublic(log.event_type(at))) continue;
      known[number] |= summary.add(place, users[number], log, at, known[number]);
    }
  }
}

function readUsers(
  log: InteractionLog,
  items: readonly Ordinal[],
  users: readonly Ordinal[],
  numbers: Accumulator,
  summary: Summary,
): void {
  const placeOf = numbered(items, numbers);
  // Nearly all entries are of other items, and most of those are told by a few bits of them.
  const marks = new Uint8Array(MARKS);
  for (const item of items) marks[item & (MARKS - 1)] = 1;
  const known = new Uint8Array(items.length);
  if (readAhead(log, users) === NONE) return;
  for (const user of users) {
    known.fill(0);
    const start = log.start(user);
    for (let at = log.end(user) - 1; at >= start; at--) {
      const other = log.other(at);
      if (marks[other & (MARKS - 1)] === 0) continue;
      const place = placeOf(other);
      if (place === NONE || log.removed(at) || !summary.vocabulary.isPublic(log.event_type(at))) continue;
      known[place] |= summary.add(place, user, log, at, known[place]);
    }
  }
}

/** A power of two, much larger than a page. */
const MARKS = 1024;
/** Entries whose subjects lie in one line of the processor's cache. */
const LINE = 16;

/**
 * Reads a little of each user's entries: most are not in the processor's cache, and in a loop this short it fetches
 * many at once. A quarter of the time of these acts.
 * @returns the highest that was read, NONE when nobody has entries
 */
function readAhead(log: InteractionLog, users: readonly Ordinal[]): number {
  let highest = NONE;
  for (const user of users) {
    const end = log.end(user);
    for (let at = log.start(user); at < end; at += LINE) highest = Math.max(highest, log.other(at));
  }
  return highest;
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
  private readonly counts: Uint32Array;
  /** Of each place the latest act of up to `LIMITS.social_proof_max` users, the latest first: whose, … */
  private readonly users: Int32Array;
  private readonly event_types: Uint8Array;
  private readonly times: Float64Array;
  private readonly proofs: Uint8Array;

  constructor(
    private readonly state: State,
    places: number,
  ) {
    this.vocabulary = state.vocabulary;
    this.counts = new Uint32Array(places * COUNTED);
    this.users = new Int32Array(places * LIMITS.social_proof_max);
    this.event_types = new Uint8Array(this.users.length);
    this.times = new Float64Array(this.users.length);
    this.proofs = new Uint8Array(places);
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
