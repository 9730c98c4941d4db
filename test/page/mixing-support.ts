import { join } from 'node:path';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
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

/** Four channels with items, and an account whose feeds take items from each other. */
export class Mixing {
  readonly account: Account;

  constructor(readonly community: Community) {
    this.account = defaultAccount(community.server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.community.server.close();
  }

  /** Saves a popular feed of one channel and returns its id. */
  feedOf(channel: string, config: Fields = {}, object: Fields = {}): Promise<string> {
    return this.account.add({ endpoint: POPULAR, config: { ...only(channel), ...config }, ...object });
  }

  /** The answer to a popular request that must succeed. */
  async answer(request: Fields, feed_type: 'popular' | 'trending' | 'for-you' = 'popular'): Promise<Answer> {
    const { status, body }: TestAnswer = await this.community.ask(feed_type, request);
    if (status !== 200) throw new Error(`${status} ${body.detail}`);
    return new Answer(body.body, body.warnings ?? []);
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

/** Channels `a` (30 items), `b` (20), `c` (10) and `d` (5). */
export async function openMixing(options: TestServiceOptions = {}): Promise<Mixing> {
  const community = await openCommunity(options);
  const items = [itemsOf('a', 30), itemsOf('b', 20), itemsOf('c', 10), itemsOf('d', 5)];
  await community.add('items', ...items.flat());
  return new Mixing(community);
}
