import { join } from 'node:path';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { type Account, defaultAccount } from '../http/config-support.ts';
import { type Community, type Fields, openCommunity } from '../http/support.ts';
import { START, type TestAnswer, type TestServiceOptions } from '../support/service.ts';

export const POPULAR = 'casts/feed/popular';
export const TRENDING = 'casts/feed/trending';

/**
 * Items `<channel>-00`, `<channel>-01` … of author `<channel>-author`, each with fewer likes and older than the last.
 */
export function itemsOf(channel: string, count: number): Fields[] {
  return upTo(count).map((at) => ({
    item_id: idOf(channel, at),
    author_id: `${channel}-author`,
    created_at: START - at,
    channel,
    likes_count: 500 - at,
  }));
}

export function upTo(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

const idOf = (channel: string, at: number): string => `${channel}-${String(at).padStart(2, '0')}`;

/** The ids of items `from` to `to` (exclusive) of a channel, which are a popular page of it. */
export function ids(channel: string, to: number, from = 0): string[] {
  return upTo(to - from, from).map((at) => idOf(channel, at));
}

/** A filter that keeps one channel. */
export const only = (...channels: string[]): Fields => ({ filters: { channels } });

/** Fallback feeds. */
export const falling = (...feed_ids: string[]): Fields => ({
  fallback_feeds: feed_ids.map((feed_id) => ({ feed_id })),
});

/** A promotion of a feed. */
export const promoting = (feed: Fields): Fields => ({
  promotion_filters: [{ promotion_type: 'feed', promotion_name: 'ad', ...feed }],
});

/** A promotion of hand-picked items. */
export const picking = (...promoted_items: Fields[]): Fields => ({
  promotion_filters: [{ promotion_type: 'items', promotion_name: 'picks', promoted_items }],
});

/**
 * Four channels with items, and an account whose feeds take items from each other. Requests and answers have the names
 * of saved feeds, such as `@b`, instead of their ids.
 */
export class Mixing {
  readonly account: Account;
  private readonly ids = new Map<string, string>();
  private readonly names = new Map<string, string>();

  constructor(readonly community: Community) {
    this.account = defaultAccount(community.server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.community.server.close();
  }

  /** Saves a popular feed of one channel and returns its id. */
  feedOf(channel: string, config: Fields = {}, object: Fields = {}): Promise<string> {
    const whole = this.withIds({ ...only(channel), ...config });
    return this.account.add({ endpoint: POPULAR, config: whole, ...object });
  }

  /** Saves a popular feed under a name and returns its id. */
  async save(name: string, config: Fields, object: Fields = {}): Promise<string> {
    const id = await this.account.add({ endpoint: POPULAR, config: this.withIds(config), ...object });
    this.ids.set(name, id);
    this.names.set(id, name);
    return id;
  }

  /** A copy of a request with ids instead of names. */
  withIds(request: Fields): Fields {
    const text = JSON.stringify(request).replace(/"(@\w+)"/g, (_, name) => `"${this.ids.get(name)}"`);
    return JSON.parse(text);
  }

  /** The status and the body of a popular request. */
  ask(request: Fields): Promise<TestAnswer> {
    return this.community.ask('popular', this.withIds(request));
  }

  /** The answer to a popular request that must succeed. */
  async answer(request: Fields, feed_type: FeedType = 'popular'): Promise<Answer> {
    const { status, body }: TestAnswer = await this.community.ask(feed_type, this.withIds(request));
    if (status !== 200) throw new Error(`${status} ${body.detail}`);
    const named = (text: string) => text.replace(/feed_\w+/g, (id) => this.names.get(id) ?? id);
    const items = body.body.map((item: AnswerItem) => ({ ...item, source_feed: named(item.source_feed) }));
    return new Answer(items, (body.warnings ?? []).map(named));
  }

  /** The answer of a popular feed with the given configuration, saved as `@it`. */
  async answerOf(config: Fields, request: Fields = {}): Promise<Answer> {
    await this.save('@it', config);
    return this.answer({ feed_id: '@it', ...request });
  }
}

/** A page and its warnings. */
export class Answer {
  constructor(
    readonly items: AnswerItem[],
    readonly warnings: string[],
  ) {}

  get ids(): string[] {
    return this.items.map(({ item_id }) => item_id);
  }

  /** One label per item, in the order of the page. */
  get labels(): string[] {
    return this.items.map(({ source_feed }) => source_feed);
  }

  /** The scores of each item. */
  get scores(): unknown[] {
    return this.items.map(({ item_id, score, adjusted_score }) => [item_id, score, adjusted_score]);
  }

  /** The items of one label, in the order of the page. */
  from(source_feed: string): string[] {
    return this.items.filter((item) => item.source_feed === source_feed).map(({ item_id }) => item_id);
  }

  /** Runs of one label: `main:popular 3, fallback_global:popular 2`. */
  get runs(): string {
    const runs: [string, number][] = [];
    for (const label of this.labels) {
      const last = runs.at(-1);
      if (last?.[0] === label) last[1]++;
      else runs.push([label, 1]);
    }
    return runs.map(([label, count]) => `${label} ${count}`).join(', ');
  }
}

export const PLUGIN = join(import.meta.dir, 'mixing-plugin.ts');

/** Channels `a` (30 items), `b` (20), `c` (10) and `d` (5), and a popular feed of each: `@a` to `@d`. */
export async function openMixing(options: TestServiceOptions = {}): Promise<Mixing> {
  const community = await openCommunity(options);
  const items = [itemsOf('a', 30), itemsOf('b', 20), itemsOf('c', 10), itemsOf('d', 5)];
  await community.add('items', ...items.flat());
  const mixing = new Mixing(community);
  for (const channel of ['a', 'b', 'c', 'd']) await mixing.save(`@${channel}`, only(channel));
  return mixing;
}
