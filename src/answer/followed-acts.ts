import { type Static, Type } from '@sinclair/typebox';
import { grown } from '../columns/growable.ts';
import { consume } from '../consume.ts';
import { LIMITS } from '../limits.ts';
import { EXAMPLE_IDS } from '../model/records/example-ids.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { Accumulator } from '../signals/accumulator.ts';
import type { Scratch } from '../signals/scratch.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import { namedFollows } from '../state/may-be-named.ts';
import type { State } from '../state/state.ts';
import { Count, Seconds, strict, Text } from './schema-parts.ts';

const INTERACTIONS = [Type.Literal('like'), Type.Literal('comment'), Type.Literal('share')];

export const SocialProofSchema = Type.Array(
  strict(
    {
      user_id: Text('Identifier of the followed user.', EXAMPLE_IDS.followed),
      timestamp: Seconds('When.'),
      interaction: Type.Unsafe<string>(Type.Union(INTERACTIONS, { description: 'Kind of act.' })),
    },
    'An act of a followed user on the item.',
  ),
  {
    maxItems: LIMITS.social_proof_max,
    description: 'The latest acts of up to three followed users, most recent first.',
  },
);

export const FollowingEngagementSchema = strict(
  {
    like: Count('Number of followed users who liked it.', 2),
    comment: Count('Number of followed users who commented.', 0),
    share: Count('Number of followed users who shared it.', 0),
  },
  'Numbers of followed users by act.',
);

type SocialProof = Static<typeof SocialProofSchema>;
type FollowingEngagement = Static<typeof FollowingEngagementSchema>;

export interface FollowedActs {
  social_proof: SocialProof;
  following_engagement: FollowingEngagement;
}

/** In the order of `Vocabulary.counterPlace`. */
const COUNTERS = ['like', 'comment', 'share'] as const;

interface Act {
  user: Ordinal;
  event_type: number;
  time: number;
}

/** Counts the acts of followed users on one item, and keeps the latest. */
class ItemActs implements FollowedActs {
  readonly following_engagement: FollowingEngagement = { like: 0, comment: 0, share: 0 };
  /** The latest act of up to `LIMITS.social_proof_max` users, most recent first. */
  private readonly latest: Act[] = [];

  constructor(private readonly state: State) {}

  get social_proof(): SocialProof {
    const { users, vocabulary } = this.state;
    return this.latest.map(({ user, event_type, time }) => ({
      user_id: users.names.id(user),
      timestamp: Math.floor(time),
      interaction: vocabulary.names[event_type],
    }));
  }

  /** Inserts a user's latest act in order of time. */
  prove(act: Act): void {
    const { latest } = this;
    let place = latest.length;
    while (place > 0 && this.precedes(act, latest[place - 1])) place--;
    if (place === LIMITS.social_proof_max) return;
    latest.splice(place, 0, act);
    if (latest.length > LIMITS.social_proof_max) latest.pop();
  }

  /** Whether this act is listed before another: later acts first, ties by identifier. */
  private precedes(act: Act, other: Act): boolean {
    if (act.time !== other.time) return act.time > other.time;
    return this.state.users.names.compare(act.user, other.user) < 0;
  }
}

/** Collects the acts of followed users on the items of one page. */
class PageActs {
  private readonly collected: readonly ItemActs[];

  constructor(
    private readonly state: State,
    length: number,
  ) {
    this.collected = Array.from({ length }, () => new ItemActs(state));
  }

  get items(): readonly FollowedActs[] {
    return this.collected;
  }

  /**
   * Adds an entry of a log. A user's entries about an item must come newest first.
   * @param known counter bits in which this user is already included at this place
   * @returns the bit of this entry's counter
   */
  add(place: number, user: Ordinal, log: InteractionLog, at: number, known: number): number {
    const event_type = log.event_type(at);
    const counter = this.state.vocabulary.counterPlace(event_type);
    const bit = 1 << counter;
    const acts = this.collected[place];
    if ((known & bit) === 0) acts.following_engagement[COUNTERS[counter]]++;
    if (known === 0) acts.prove({ user, event_type, time: log.timestamp(at) });
    return bit;
  }
}

/** Reads the acts of followed users. One instance is reused, because pages are drafted one at a time. */
export class FollowedActsReader {
  private readonly recent = new RecentActs();
  /** Bloom filter: 1 if an item of the page has these low bits. */
  private readonly marks = new Uint8Array(MARKS);
  /** Counter bits per user and place on the page: the counters in which the user is already included. */
  private known = new Uint8Array(64);
  /** Entries of one user that may be about items of the page. */
  private positions = new Int32Array(64);

  constructor(private readonly state: State) {}

  /**
   * Reads the social proof of each item of a page: the latest act of up to three followed users, and the numbers of
   * followed users who liked, commented and shared.
   *
   * Users who may not be named to the viewer are left out. Either the items' logs are read, or the acts of the
   * followed users since the first act on any of the items, whichever is shorter.
   */
  read(
    viewer: Ordinal,
    items: readonly Ordinal[],
    { accumulators }: Scratch,
    now: number,
  ): readonly FollowedActs[] {
    const { state } = this;
    const acts = new PageActs(state, items.length);
    const users = namedFollows(state, viewer, now);
    if (users.length > 0) this.readActs(users, items, acts, accumulators.take());
    return acts.items;
  }

  private readActs(
    users: readonly Ordinal[],
    items: readonly Ordinal[],
    acts: PageActs,
    numbers: Accumulator,
  ): void {
    const { recent } = this;
    const { by_item, by_user } = this.state.interactions;
    const since = firstAct(by_item, items);
    if (since === NEVER) return;
    recent.find(by_user, users, since);
    if (entriesOf(by_item, items) < recent.entries) this.readItems(items, users, acts, numbers);
    else if (recent.active > 0) this.readUsers(items, acts, numbers);
  }

  private readItems(
    items: readonly Ordinal[],
    users: readonly Ordinal[],
    acts: PageActs,
    numbers: Accumulator,
  ): void {
    const { interactions, vocabulary } = this.state;
    const { by_item: log } = interactions;
    const numberOf = numbered(users, numbers);
    this.known = grown(this.known, users.length);
    const { known } = this;
    for (const [place, item] of items.entries()) {
      known.fill(0, 0, users.length);
      const start = log.start(item);
      for (let at = log.end(item) - 1; at >= start; at--) {
        const number = numberOf(log.other(at));
        if (number === NONE || !vocabulary.isPublic(log.event_type(at))) continue;
        known[number] |= acts.add(place, users[number], log, at, known[number]);
      }
    }
  }

  private readUsers(items: readonly Ordinal[], acts: PageActs, numbers: Accumulator): void {
    const { recent, marks } = this;
    const { interactions, vocabulary } = this.state;
    const { by_user: log } = interactions;
    const placeOf = numbered(items, numbers);
    this.known = grown(this.known, items.length);
    const { known } = this;
    // Nearly all entries are about other items. The marks reject most of them before the exact lookup.
    for (const item of items) marks[item & (MARKS - 1)] = 1;
    for (let number = 0; number < recent.active; number++) {
      const user = recent.users[number];
      const start = recent.from[number];
      const end = recent.end[number];
      this.positions = grown(this.positions, end - start + 1);
      const { positions } = this;
      const count = log.marked(start, end, marks, positions);
      known.fill(0, 0, items.length);
      for (let next = 0; next < count; next++) {
        const at = positions[next];
        const place = placeOf(log.other(at));
        if (place === NONE || log.removed(at) || !vocabulary.isPublic(log.event_type(at))) continue;
        known[place] |= acts.add(place, user, log, at, known[place]);
      }
    }
    for (const item of items) marks[item & (MARKS - 1)] = 0;
  }
}

/** A power of two, much larger than a page. */
const MARKS = 1024;
const NEVER = Number.POSITIVE_INFINITY;

/** Second of the first act on any of the items; `NEVER` if there is none. */
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

/** Entries whose subjects fit one cache line of the processor. */
const LINE = 16;

/**
 * Finds, per user, where the entries since a given second begin, rounded down to a cache line.
 *
 * The search reads a little of each line, in a loop so short that the processor prefetches many lines at once.
 */
class RecentActs {
  users = new Int32Array(64);
  from = new Int32Array(64);
  end = new Int32Array(64);
  active = 0;
  entries = 0;

  find(log: InteractionLog, users: readonly Ordinal[], since: number): void {
    this.users = grown(this.users, users.length);
    this.from = grown(this.from, users.length);
    this.end = grown(this.end, users.length);
    let active = 0;
    let entries = 0;
    let read = 0;
    for (const user of users) {
      const start = log.start(user);
      const end = log.end(user);
      let from = end;
      for (; from > start && log.seconds(from - 1) >= since; from -= LINE) read ^= log.other(from - 1);
      if (from === end) continue;
      from = Math.max(start, from);
      this.users[active] = user;
      this.from[active] = from;
      this.end[active++] = end;
      entries += end - from;
    }
    this.active = active;
    this.entries = entries;
    consume(read);
  }
}

/** Numbers a few ordinals for fast lookup. @returns the number of an ordinal; NONE for all others */
function numbered(ordinals: readonly Ordinal[], numbers: Accumulator): (ordinal: Ordinal) => number {
  for (const [number, ordinal] of ordinals.entries()) numbers.add(ordinal, number + 1);
  return (ordinal) => numbers.weight(ordinal) - 1;
}
