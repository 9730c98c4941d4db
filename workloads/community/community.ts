/**
 * A seeded synthetic community for demonstrations and benchmarks. Users have interests, follow each other, write and
 * react much as on a real network. The same options give the same records at every run.
 *
 * Example:
 *
 *     const community = createCommunity({ ...DEMO_COMMUNITY, now: clock.now() });
 *     for (const user of community.users()) console.log(user.username);
 */

import { AudienceDrawer } from './audience.ts';
import { hash32, STREAM, stream } from './chance.ts';
import { createDailyRhythm, type DailyRhythm } from './daily-rhythm.ts';
import { createDemand } from './demand.ts';
import { createFollowGraph, type FollowGraph, followersOf } from './follow-graph.ts';
import { streamInteractions } from './interaction-stream.ts';
import { createItemPlan, type ItemPlan } from './item-plan.ts';
import { itemId, itemRecords } from './item-records.ts';
import { createPeople, createPools, type People } from './people.ts';
import { joinedAt, userId, userRecords } from './profiles.ts';
import type { Community, CommunityOptions, FollowRecordInput, InteractionRecordInput } from './records.ts';

export type {
  Community,
  CommunityOptions,
  FollowRecordInput,
  InteractionRecordInput,
  ItemRecordInput,
  UserRecordInput,
} from './records.ts';

/** The community of `feedloom demo`, small enough to be created and ingested in a moment. */
export const DEMO_COMMUNITY: Omit<CommunityOptions, 'now'> = {
  seed: 7,
  users: 400,
  items: 3_000,
  follows: 8_000,
  interactions: 30_000,
  // Longer than the month in which the console takes an author for new.
  days: 40,
  text: true,
};

const DAY_SECONDS = 86_400;
const MIN_USERS = 2;
/** The user's ordinal and the event code are packed into 32 bits. */
const MAX_USERS = 2 ** 28;

/** The parts that several streams need, each drawn once on first use. */
class Foundations {
  readonly people: People;
  readonly rhythm: DailyRhythm;
  private graph_drawn?: FollowGraph;
  private plan_drawn?: ItemPlan;

  constructor(readonly options: CommunityOptions) {
    this.people = createPeople(options.seed, options.users);
    this.rhythm = createDailyRhythm();
  }

  get graph(): FollowGraph {
    this.graph_drawn ??= createFollowGraph(this.options.seed, this.people, this.options.follows);
    return this.graph_drawn;
  }

  get plan(): ItemPlan {
    this.plan_drawn ??= createItemPlan(this.options, this.people, this.rhythm);
    return this.plan_drawn;
  }
}

/** Follows are dated between the later of the two joining times and the end of the history. */
function* followRecords({ options, people, graph }: Foundations): Iterable<FollowRecordInput> {
  const random = stream(options.seed, STREAM.graph_times);
  const end = Math.floor(options.now);
  for (let target = 0; target < people.count; target++) {
    const target_joined = joinedAt(options, people, target);
    const target_user_id = userId(target);
    for (const user of followersOf(graph, target)) {
      const first = Math.max(target_joined, joinedAt(options, people, user));
      const timestamp = Math.min(first + Math.floor(random() * (end - first + 1)), end);
      yield { user_id: userId(user), target_user_id, timestamp };
    }
  }
}

function interactionRecords(foundations: Foundations): Iterable<InteractionRecordInput> {
  const { options, people, graph, plan, rhythm } = foundations;
  const pools = createPools(people, people.by_activity);
  const demand = createDemand(options, people, pools, graph, plan, rhythm);
  const random = stream(options.seed, STREAM.audience);
  const times = stream(hash32(options.seed, STREAM.audience), STREAM.audience);
  const sources = {
    plan,
    demand,
    rhythm,
    drawer: new AudienceDrawer(people, pools, graph, plan, random),
    random: times,
    begin: options.now - options.days * DAY_SECONDS,
    end: options.now,
    item_id: (item: number) => itemId(options.seed, item),
    user_id: userId,
  };
  return streamInteractions(sources, options.interactions);
}

/** Calls `make` for each iteration, so that a stream can be read repeatedly. */
function rereadable<T>(make: () => Iterable<T>): Iterable<T> {
  return { [Symbol.iterator]: () => make()[Symbol.iterator]() };
}

/**
 * Creates a community. Throws RangeError for fewer than 2 users or negative counts.
 *
 * Counts are exact unless the users are too few for them. Then there are fewer follows or interactions.
 *
 * Memory: about 30 bytes per user, 40 per item and 4 per follow (12 while they are drawn). Only interactions of the
 * last two days are held in memory.
 */
export function createCommunity(options: CommunityOptions): Community {
  const { users, items, follows, interactions, days, now } = options;
  if (!Number.isInteger(users) || users < MIN_USERS || users > MAX_USERS) {
    throw new RangeError(`users: expected an integer from ${MIN_USERS} to ${MAX_USERS}, got ${users}`);
  }
  for (const [name, value] of Object.entries({ items, follows, interactions })) {
    if (!Number.isInteger(value) || value < 0) {
      throw new RangeError(`${name}: expected an integer of at least 0, got ${value}`);
    }
  }
  if (!(days > 0) || !Number.isFinite(days)) throw new RangeError(`days: expected more than 0, got ${days}`);
  if (!Number.isFinite(now)) throw new RangeError(`now: expected seconds since the epoch, got ${now}`);
  const foundations = new Foundations(options);
  return {
    users: () => rereadable(() => userRecords(options, foundations.people)),
    items: () =>
      rereadable(() => itemRecords(options, foundations.people, foundations.plan, foundations.rhythm)),
    follows: () => rereadable(() => followRecords(foundations)),
    interactions: () => rereadable(() => interactionRecords(foundations)),
  };
}
