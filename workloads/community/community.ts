/**
 * A seeded synthetic community for demonstrations and benchmarks: people with interests who follow each
 * other, write and react much as on a real network. The same options give the same records on every run.
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

/** What `feedloom demo` shows: small enough to be made and ingested while a newcomer reads one line. */
export const DEMO_COMMUNITY: Omit<CommunityOptions, 'now'> = {
  seed: 7,
  users: 400,
  items: 3_000,
  follows: 8_000,
  interactions: 30_000,
  days: 30,
  text: true,
};

const DAY_SECONDS = 86_400;
const MIN_USERS = 2;
/** An act is packed with the user's ordinal into 32 bits. */
const MAX_USERS = 2 ** 28;

/** The parts that several streams need, each drawn once, when first asked for. */
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

/** Follows happen between the later of the two joining and the end of the history. */
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

/** Calls `make` anew for each reading, so that a stream can be read more than once. */
function rereadable<T>(make: () => Iterable<T>): Iterable<T> {
  return { [Symbol.iterator]: () => make()[Symbol.iterator]() };
}

/**
 * Draws a community. Counts are met exactly unless they ask for more than so few people can do: then
 * there are fewer follows or interactions. Throws RangeError for fewer than 2 users or counts below 0.
 *
 * Memory: some 30 bytes a user, 40 an item and 4 a follow (12 while they are drawn); interactions are
 * never held beyond those of the last two days.
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
