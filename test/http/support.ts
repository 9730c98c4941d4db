import { expect } from 'bun:test';
import type { AnswerItem } from '../../src/answer/item-fields.ts';
import type { FeedType } from '../../src/plugin/index.ts';
import { testsWith } from '../support/fixture.ts';
import {
  openTestServer,
  START,
  type TestAnswer,
  type TestServer,
  type TestServiceOptions,
} from '../support/service.ts';

export const FEED_TYPES: readonly FeedType[] = ['for-you', 'trending', 'popular'];
export const TOP_K_MAX: Record<FeedType, number> = { 'for-you': 500, trending: 1000, popular: 1000 };

export type Kind = 'items' | 'users' | 'follows' | 'blocks' | 'labels' | 'interactions';
export type Fields = Record<string, unknown>;

export function feedPath(feed_type: string): string {
  return `/v2/farcaster/casts/feed/${feed_type}`;
}

export function ingestPath(kind: Kind): string {
  return `/v2/farcaster/${kind}`;
}

/** The smallest body that a feed of this type takes. */
export function smallestBody(feed_type: FeedType): Fields {
  return feed_type === 'for-you' ? { user_id: 'viewer' } : {};
}

/** A community behind a test server of its own: `await using community = await openCommunity()`. */
export class Community {
  constructor(readonly server: TestServer) {}

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }

  /** `seq` of the last change applied: equal before and after means that nothing was written. */
  get seq(): number {
    return this.server.service.state.seq;
  }

  /** Seconds. */
  get now(): number {
    return this.server.clock.now();
  }

  /** Ingests records, all of which must be accepted. */
  async add(kind: Kind, ...records: Fields[]): Promise<void> {
    const { status, body } = await this.server.post(ingestPath(kind), records);
    expect({ status, rejected: body.rejected }).toEqual({ status: 200, rejected: [] });
  }

  /** Ingests an item of author `author`, published at the clock's start. */
  addItem(item_id: string, fields: Fields = {}): Promise<void> {
    return this.add('items', { item_id, author_id: 'author', created_at: START, ...fields });
  }

  act(user_id: string, event_type: string, item_id: string, fields: Fields = {}): Promise<void> {
    return this.add('interactions', { user_id, item_id, event_type, ...fields });
  }

  follow(user_id: string, target_user_id: string, fields: Fields = {}): Promise<void> {
    return this.add('follows', { user_id, target_user_id, ...fields });
  }

  block(user_id: string, target_user_id: string, fields: Fields = {}): Promise<void> {
    return this.add('blocks', { user_id, target_user_id, ...fields });
  }

  /** The answer to a feed request, whatever it is. */
  ask(feed_type: string, body?: unknown): Promise<TestAnswer> {
    return this.server.post(feedPath(feed_type), body);
  }

  /** The page of a feed request, which must succeed. */
  async page(feed_type: FeedType, request: Fields = {}): Promise<AnswerItem[]> {
    const { status, body } = await this.ask(feed_type, request);
    expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
    return body.body;
  }

  /** The item ids of a page, in its order. */
  async ids(feed_type: FeedType, request: Fields = {}): Promise<string[]> {
    return (await this.page(feed_type, request)).map(({ item_id }) => item_id);
  }

  /** The one item of that id on the page of a viewer. */
  async shown(item_id: string, request: Fields = {}): Promise<AnswerItem> {
    const page = await this.page('popular', { top_k: 1000, ...request });
    const item = page.find((candidate) => candidate.item_id === item_id);
    if (item === undefined) throw new Error(`the page does not show ${item_id}`);
    return item;
  }

  /** A stored record, or undefined when there is none. */
  async stored(kind: 'items' | 'users', id: string): Promise<Fields | undefined> {
    const { status, body } = await this.server.get(`${ingestPath(kind)}/${encodeURIComponent(id)}`);
    expect([200, 404]).toContain(status);
    return status === 200 ? body : undefined;
  }

  /** Deletes a stored record, which must be there. */
  async remove(kind: 'items' | 'users', id: string): Promise<void> {
    const path = `${ingestPath(kind)}/${encodeURIComponent(id)}`;
    const { status } = await this.server.remove(path);
    expect(status).toBe(200);
  }
}

/** The header of the key that every test server knows. */
export const KEY = { authorization: 'Bearer test-key' };

export async function openCommunity(options: TestServiceOptions = {}): Promise<Community> {
  return new Community(await openTestServer(options));
}

export const testCommunity = testsWith(openCommunity);

/** Asks for what needs contents from the store, and does something before they are read. */
export async function whileReading<T>(
  community: Community,
  ask: () => Promise<T>,
  happens: () => Promise<void>,
): Promise<T> {
  const { store } = community.server.service;
  const readItems = store.readItems.bind(store);
  const { promise: read, resolve: goOn } = Promise.withResolvers<void>();
  const { promise: reading, resolve: reached } = Promise.withResolvers<void>();
  store.readItems = async (seqs) => {
    reached();
    await read;
    return readItems(seqs);
  };
  const answer = ask();
  await reading;
  store.readItems = readItems;
  try {
    await happens();
  } finally {
    goOn();
  }
  return answer;
}

/** Holds every write back until the returned function is called, also of what viewers saw. */
export function holdWrites(community: Community): () => void {
  const { store } = community.server.service;
  const submit = store.submit.bind(store);
  const write = store.seen.write.bind(store.seen);
  const held = Promise.withResolvers<void>();
  store.submit = (...given) => held.promise.then(() => submit(...given));
  store.seen.write = (...given) => held.promise.then(() => write(...given));
  return () => {
    store.submit = submit;
    store.seen.write = write;
    held.resolve();
  };
}
