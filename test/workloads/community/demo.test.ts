import { beforeAll, describe, expect, test } from 'bun:test';
import {
  type Community,
  createCommunity,
  DEMO_COMMUNITY,
  type FollowRecordInput,
  type InteractionRecordInput,
  type ItemRecordInput,
  type UserRecordInput,
} from '../../../workloads/community/community.ts';
import { channelOf, TOPICS } from '../../../workloads/community/topics.ts';

const NOW = 1_764_865_269.5;
const BEGIN = NOW - DEMO_COMMUNITY.days * 86_400;
const TOPIC_OF_CHANNEL = new Map<string, string>(TOPICS.map((topic) => [channelOf(topic), topic]));

let community: Community;
let users: UserRecordInput[];
let items: ItemRecordInput[];
let follows: FollowRecordInput[];
let interactions: InteractionRecordInput[];
let user_by_id: Map<string, UserRecordInput>;
let item_by_id: Map<string, ItemRecordInput>;
/** CPU time, which does not depend on what else the machine does. */
let cpu_ms: number;

beforeAll(() => {
  const started = process.cpuUsage();
  community = createCommunity({ ...DEMO_COMMUNITY, now: NOW });
  users = [...community.users()];
  items = [...community.items()];
  follows = [...community.follows()];
  interactions = [...community.interactions()];
  cpu_ms = process.cpuUsage(started).user / 1000;
  user_by_id = new Map(users.map((user) => [user.user_id, user]));
  item_by_id = new Map(items.map((item) => [item.item_id, item]));
});

function countBy<T>(records: readonly T[], keyOf: (record: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1);
  return counts;
}

function descending(counts: Map<string, number>): number[] {
  return [...counts.values()].sort((a, b) => b - a);
}

/** The share of the total in the first `count` of descending values. */
function shareOfFirst(values: readonly number[], count: number): number {
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  return sum(values.slice(0, count)) / sum(values);
}

const itemOf = (record: InteractionRecordInput) => item_by_id.get(record.item_id)!;
const topicOf = (item: ItemRecordInput) => TOPIC_OF_CHANNEL.get(item.channel)!;
const likesTopic = (user_id: string, topic: string) =>
  user_by_id.get(user_id)!.metadata!.interests.includes(topic);

describe('the demo community', () => {
  test('is created in well under a second of CPU with the requested counts', () => {
    console.log(`demo community made in ${cpu_ms.toFixed(0)} ms of CPU`);
    expect(cpu_ms).toBeLessThan(2_000);
    expect(users.length).toBe(DEMO_COMMUNITY.users);
    expect(items.length).toBe(DEMO_COMMUNITY.items);
    expect(follows.length).toBe(DEMO_COMMUNITY.follows);
    expect(interactions.length).toBe(DEMO_COMMUNITY.interactions);
  });

  test('names every user and item once', () => {
    expect(user_by_id.size).toBe(users.length);
    expect(item_by_id.size).toBe(items.length);
    expect(new Set(users.map((user) => user.username)).size).toBe(users.length);
    for (const item of items) expect(item.item_id).toMatch(/^0x[0-9a-f]{40}$/);
    for (const user of users) {
      expect(user.user_id).toMatch(/^[0-9]+$/);
      expect(user.wallet_addresses[0]).toMatch(/^0x[0-9a-f]{40}$/);
    }
  });

  test('refers only to users and items that exist', () => {
    for (const item of items) {
      expect(user_by_id.has(item.author_id)).toBe(true);
      for (const user_id of item.mentioned_profiles ?? []) expect(user_by_id.has(user_id)).toBe(true);
    }
    for (const { user_id, target_user_id } of follows) {
      expect(user_by_id.has(user_id) && user_by_id.has(target_user_id)).toBe(true);
      expect(user_id).not.toBe(target_user_id);
    }
    for (const record of interactions) {
      expect(user_by_id.has(record.user_id) && item_by_id.has(record.item_id)).toBe(true);
    }
  });

  test('is in time order, within the requested days, never before the item and never after now', () => {
    let latest = Math.floor(BEGIN);
    for (const item of items) {
      expect(item.created_at).toBeGreaterThanOrEqual(latest);
      latest = item.created_at;
    }
    expect(latest).toBeLessThanOrEqual(NOW);
    latest = 0;
    for (const record of interactions) {
      expect(record.timestamp).toBeGreaterThanOrEqual(Math.max(latest, itemOf(record).created_at));
      latest = record.timestamp;
    }
    expect(latest).toBeLessThanOrEqual(NOW);
    for (const { user_id, target_user_id, timestamp } of follows) {
      expect(timestamp).toBeLessThanOrEqual(NOW);
      expect(timestamp).toBeGreaterThanOrEqual(user_by_id.get(user_id)!.created_at);
      expect(timestamp).toBeGreaterThanOrEqual(user_by_id.get(target_user_id)!.created_at);
    }
  });

  test('contains no follow and no interaction twice', () => {
    const acts = countBy(
      interactions,
      (record) => `${record.user_id} ${record.item_id} ${record.event_type}`,
    );
    expect(acts.size).toBe(interactions.length);
    expect(countBy(follows, (record) => `${record.user_id} ${record.target_user_id}`).size).toBe(
      follows.length,
    );
  });

  test('has replies that come after their parent and share its root', () => {
    const replies = items.filter((item) => item.parent_item_id !== undefined);
    expect(replies.length / items.length).toBeGreaterThan(0.07);
    expect(replies.length / items.length).toBeLessThan(0.13);
    for (const reply of replies) {
      const parent = item_by_id.get(reply.parent_item_id!)!;
      expect(parent.created_at).toBeLessThanOrEqual(reply.created_at);
      expect(reply.root_item_id).toBe(parent.root_item_id ?? parent.item_id);
      expect(parent.author_id).not.toBe(reply.author_id);
    }
  });
});

describe('the demo community behaves like a real one', () => {
  test('users react to topics of their interest at least 3 times as often as by chance', () => {
    const by_user = countBy(interactions, (record) => record.user_id);
    const by_topic = countBy(interactions, (record) => topicOf(itemOf(record)));
    let by_chance = 0;
    for (const [user_id, acts] of by_user) {
      for (const [topic, share] of by_topic) {
        if (likesTopic(user_id, topic)) by_chance += (acts * share) / interactions.length;
      }
    }
    const own = interactions.filter((record) => likesTopic(record.user_id, topicOf(itemOf(record)))).length;
    console.log(`own topics: ${(own / by_chance).toFixed(2)} times chance`);
    expect(own / by_chance).toBeGreaterThan(3);
  });

  test('users react to followed authors at least twice as often as by chance', () => {
    const by_user = countBy(interactions, (record) => record.user_id);
    const by_author = countBy(interactions, (record) => itemOf(record).author_id);
    const followed = new Set(follows.map((follow) => `${follow.user_id} ${follow.target_user_id}`));
    let by_chance = 0;
    for (const { user_id, target_user_id } of follows) {
      by_chance += ((by_user.get(user_id) ?? 0) * (by_author.get(target_user_id) ?? 0)) / interactions.length;
    }
    const own = interactions.filter((record) =>
      followed.has(`${record.user_id} ${itemOf(record).author_id}`),
    );
    console.log(`followed authors: ${(own.length / by_chance).toFixed(2)} times chance`);
    expect(own.length / by_chance).toBeGreaterThan(2);
  });

  test('a few items and users get much of the attention', () => {
    const per_item = descending(countBy(interactions, (record) => record.item_id));
    expect(shareOfFirst(per_item, items.length / 100)).toBeGreaterThan(0.1);
    const followers = descending(countBy(follows, (follow) => follow.target_user_id));
    expect(shareOfFirst(followers, users.length / 10)).toBeGreaterThan(0.28);
  });

  test('follows are mostly within shared interests, and some are mutual', () => {
    const pairs = new Set(follows.map((follow) => `${follow.user_id} ${follow.target_user_id}`));
    const returned = follows.filter((follow) => pairs.has(`${follow.target_user_id} ${follow.user_id}`));
    const alike = follows.filter((follow) =>
      user_by_id
        .get(follow.target_user_id)!
        .metadata!.interests.some((topic) => likesTopic(follow.user_id, topic)),
    );
    expect(returned.length / follows.length).toBeGreaterThan(0.1);
    expect(alike.length / follows.length).toBeGreaterThan(0.7);
  });

  test('items of the last hours have fewer interactions than older ones', () => {
    const per_item = countBy(interactions, (record) => record.item_id);
    const mean = (list: ItemRecordInput[]) =>
      list.reduce((sum, item) => sum + (per_item.get(item.item_id) ?? 0), 0) / list.length;
    const recent = items.filter((item) => item.created_at > NOW - 3 * 3_600);
    const settled = items.filter((item) => item.created_at < NOW - 48 * 3_600);
    expect(recent.length).toBeGreaterThan(0);
    expect(mean(recent)).toBeLessThan(mean(settled) / 2);
  });

  test('newcomers have no interactions, so that they show a cold start', () => {
    const active = new Set(interactions.map((record) => record.user_id));
    const silent = users.filter((user) => !active.has(user.user_id));
    expect(silent.length).toBeGreaterThan(3);
    expect(silent.length).toBeLessThan(users.length / 10);
  });

  test('all languages, labels and kinds of attachment occur in thousands of different texts', () => {
    expect(new Set(items.map((item) => item.language)).size).toBe(6);
    expect(new Set(items.map(topicOf)).size).toBe(TOPICS.length);
    const types = new Set(items.flatMap((item) => item.publication_types ?? []));
    expect([...types].sort()).toEqual(['article', 'image', 'link', 'video']);
    expect(items.filter((item) => (item.ai_labels.spam ?? 0) > 0.6).length).toBeGreaterThan(5);
    expect(new Set(items.map((item) => item.text)).size).toBeGreaterThan(2_000);
  });
});
