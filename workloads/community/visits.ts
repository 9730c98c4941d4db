/**
 * Who opened the app on a day, and what it showed them. Made up like the community, and to fit its acts: personal pages
 * have more of what their reader liked in the next hours than newest posts do. So an experiment has something to find.
 */

import { DAY_SECONDS, dayOf } from '../../src/clock.ts';
import { hash32, indexOfShare, STREAM, stream } from './chance.ts';
import type {
  FollowRecordInput,
  InteractionRecordInput,
  ItemRecordInput,
  UserRecordInput,
} from './records.ts';
import { channelOf, TOPICS } from './topics.ts';

/** The tabs of the app, in the order of their shares. */
export const TABS = ['for-you', 'following', 'latest', 'music', 'newcomers'] as const;
export type Tab = (typeof TABS)[number];

export interface Visit {
  user_id: string;
  tab: Tab;
  /** seconds */
  timestamp: number;
}

/** How many people open the app on a day. */
export interface Traffic {
  /** The share of people who do, in the middle of a week. */
  share: number;
  /** The shares of the tabs. They add up to 1. */
  tabs: readonly number[];
}

export const PAGE_ITEMS = 12;
/** The share of people at a weekend, in units of a day in the middle of a week. */
const WEEKEND = 1.3;
/** How long before an act its reader opened the app, at most. */
const AHEAD_SECONDS = 600;
/** Personal pages find what their reader likes within this time. */
const SOON_SECONDS = 3 * DAY_SECONDS;
/** How old the posts of personal pages are at most, and those that newcomers see. */
const PERSONAL_SECONDS = 3 * DAY_SECONDS;
const POPULAR_SECONDS = 7 * DAY_SECONDS;
/** What a personal page weighs. The rest is chance, from 0 to 1. */
const WEIGHTS = { about_to_like: 6, new: 5, followed: 1, of_interest: 1, of_language: 1 };
const HALF_LIFE_SECONDS = 3 * 3_600;
const APPROVALS: ReadonlySet<string> = new Set(['like', 'comment', 'share', 'bookmark']);

/** The records of a community, items and interactions in time order. */
interface Records {
  users: readonly UserRecordInput[];
  items: readonly ItemRecordInput[];
  follows: readonly FollowRecordInput[];
  interactions: readonly InteractionRecordInput[];
}

interface Reader {
  language: string | undefined;
  channels: ReadonlySet<string>;
  follows: ReadonlySet<string>;
  approvals: readonly InteractionRecordInput[];
}

/** The readers of a community. The same records and seed give the same visits and pages. */
export class Readers {
  private readonly readers = new Map<string, Reader>();
  private readonly popular_of = new Map<number, ItemRecordInput[]>();

  constructor(
    private readonly seed: number,
    private readonly records: Records,
  ) {
    const approvals = Map.groupBy(
      records.interactions.filter(({ event_type }) => APPROVALS.has(event_type)),
      ({ user_id }) => user_id,
    );
    const follows = Map.groupBy(records.follows, ({ user_id }) => user_id);
    for (const { user_id, metadata } of records.users)
      this.readers.set(user_id, {
        language: metadata?.language,
        channels: new Set(TOPICS.filter((topic) => metadata?.interests.includes(topic)).map(channelOf)),
        follows: new Set(follows.get(user_id)?.map(({ target_user_id }) => target_user_id)),
        approvals: approvals.get(user_id) ?? [],
      });
  }

  /** The visits after a time and until another one, of each person at most one. */
  visits(after: number, until: number, { share, tabs }: Traffic, day: number): Visit[] {
    const random = stream(hash32(this.seed, STREAM.visits), day);
    const weekday = new Date(until * 1000).getUTCDay();
    const shared = weekday === 0 || weekday === 6 ? share * WEEKEND : share;
    return this.records.users.flatMap(({ user_id, created_at }) => {
      const [at, before] = [random(), random()];
      const acts = this.readers
        .get(user_id)
        ?.approvals.filter(({ timestamp }) => timestamp > after && timestamp <= until);
      const act = acts?.[Math.floor(at * acts.length)];
      // Who likes something on a day has opened the app some minutes before.
      const timestamp =
        act === undefined
          ? after + at * (until - after)
          : Math.max(after, act.timestamp - before * AHEAD_SECONDS);
      const comes = random() < shared;
      const tab = TABS[indexOfShare(random(), tabs)];
      return comes && created_at < timestamp ? [{ user_id, tab, timestamp }] : [];
    });
  }

  /** The ids of the items that a tab shows a reader, the first one at the top. */
  page({ user_id, tab, timestamp }: Visit): string[] {
    const reader = this.readers.get(user_id);
    if (reader === undefined) return [];
    const items = {
      latest: () => this.newest(timestamp, () => true),
      following: () => this.newest(timestamp, ({ author_id }) => reader.follows.has(author_id)),
      music: () => this.newest(timestamp, isMusicInEnglish),
      newcomers: () => this.popular(timestamp),
      'for-you': () => this.personal(reader, { user_id, timestamp }),
    }[tab]();
    return items.map(({ item_id }) => item_id);
  }

  /** The items until a time, the newest first. */
  private *until(timestamp: number): Generator<ItemRecordInput> {
    const { items } = this.records;
    let [end, after] = [0, items.length];
    while (end < after) {
      const middle = (end + after) >> 1;
      if (items[middle].created_at <= timestamp) end = middle + 1;
      else after = middle;
    }
    for (let at = end - 1; at >= 0; at--) yield items[at];
  }

  private newest(timestamp: number, isShown: (item: ItemRecordInput) => boolean): ItemRecordInput[] {
    return this.until(timestamp).filter(isShown).take(PAGE_ITEMS).toArray();
  }

  private personal(
    reader: Reader,
    { user_id, timestamp }: Pick<Visit, 'user_id' | 'timestamp'>,
  ): ItemRecordInput[] {
    const random = stream(hash32(this.seed, STREAM.visits), hash32(Number(user_id), Math.floor(timestamp)));
    const soon = new Set(
      reader.approvals
        .filter((act) => act.timestamp >= timestamp && act.timestamp < timestamp + SOON_SECONDS)
        .map(({ item_id }) => item_id),
    );
    const recent: ItemRecordInput[] = [];
    for (const item of this.until(timestamp)) {
      if (item.created_at <= timestamp - PERSONAL_SECONDS) break;
      if (item.author_id !== user_id) recent.push(item);
    }
    return best(
      recent,
      ({ item_id, author_id, channel, language, created_at }) =>
        WEIGHTS.new * 0.5 ** ((timestamp - created_at) / HALF_LIFE_SECONDS) +
        (soon.has(item_id) ? WEIGHTS.about_to_like : 0) +
        (reader.follows.has(author_id) ? WEIGHTS.followed : 0) +
        (reader.channels.has(channel) ? WEIGHTS.of_interest : 0) +
        (reader.language === language ? WEIGHTS.of_language : 0) +
        random(),
    );
  }

  /** What had the most acts of a week when the day of a time began. */
  private popular(timestamp: number): ItemRecordInput[] {
    return this.popular_of.getOrInsertComputed(dayOf(timestamp), (day) => {
      const now = day * DAY_SECONDS;
      const counts = new Map<string, number>();
      for (const act of this.records.interactions)
        if (act.timestamp <= now && act.timestamp > now - POPULAR_SECONDS)
          counts.set(act.item_id, (counts.get(act.item_id) ?? 0) + 1);
      return best([...this.until(now)], ({ item_id }) => counts.get(item_id) ?? 0);
    });
  }
}

function isMusicInEnglish({ channel, language }: ItemRecordInput): boolean {
  return channel === channelOf('music') && language === 'en';
}

function best(
  items: readonly ItemRecordInput[],
  score: (item: ItemRecordInput) => number,
): ItemRecordInput[] {
  return items
    .map((item) => ({ item, score: score(item) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, PAGE_ITEMS)
    .map(({ item }) => item);
}
