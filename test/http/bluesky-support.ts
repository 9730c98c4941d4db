import { expect } from 'bun:test';
import type { Keypair } from '@atproto/crypto';
import { ManualClock } from '../../src/clock.ts';
import type { HostOptions } from '../../src/http/transport/host.ts';
import type { Settings } from '../../src/settings.ts';
import { type Claims, DID, DidServer, newKey, tokenOf } from '../support/did-server.ts';
import { openTestServer, START, type TestAnswer, type TestServer } from '../support/service.ts';
import { defaultAccount } from './config-support.ts';
import { type Fields, ingestPath } from './support.ts';

const SERVICE = 'did:web:localhost';
export const GET_SKELETON = 'app.bsky.feed.getFeedSkeleton';
export const SEND_INTERACTIONS = 'app.bsky.feed.sendInteractions';

export const feedUri = (rkey: string, publisher = SERVICE) =>
  `at://${publisher}/app.bsky.feed.generator/${rkey}`;
export const postUri = (rkey: string) => `at://${DID}/app.bsky.feed.post/${rkey}`;

/** A service as a feed generator, with a directory of DIDs that knows one viewer. */
export class BlueskyScene {
  private constructor(
    readonly server: TestServer,
    readonly dids: DidServer,
    /** Key of the viewer `DID`. */
    readonly key: Keypair,
  ) {}

  static async open(settings: Partial<Settings> = {}, more: HostOptions = {}): Promise<BlueskyScene> {
    const dids = new DidServer();
    const clock = new ManualClock(START);
    const key = await newKey();
    dids.publish(DID, key);
    const hosting = { token_clock: clock, ...more };
    const server = await openTestServer({ clock, hosting, settings: { plc_url: dids.url, ...settings } });
    return new BlueskyScene(server, dids, key);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.dids.close();
  }

  /** Ingests posts with falling numbers of likes. */
  async addPosts(...rkeys: string[]): Promise<void> {
    await this.addItems(...rkeys.map(postUri));
  }

  async addItems(...item_ids: string[]): Promise<void> {
    const records = item_ids.map((item_id, index) => ({
      item_id,
      author_id: `author-${index}`,
      created_at: START - 3_600,
      likes_count: 1_000 - index,
    }));
    const { status, body } = await this.server.post(ingestPath('items'), records);
    expect([status, body.rejected]).toEqual([200, []]);
  }

  /** Saves a public feed of popular items. @returns its id */
  async addFeed(rkey: string, fields: Fields = {}): Promise<string> {
    const config = { bluesky: { rkey }, ...((fields.config as Fields | undefined) ?? {}) };
    const feed = { name: rkey, visibility: 'public', endpoint: 'feeds/popular', ...fields, config };
    const { status, body } = await defaultAccount(this.server).create(feed);
    expect([status, body.detail]).toEqual([201, undefined]);
    return body.data.config_id;
  }

  /** A token of the viewer. */
  token(claims: Claims = {}, header: Claims = {}): Promise<string> {
    return tokenOf(this.key, { ...this.claims(), ...claims }, header);
  }

  claims(lxm = GET_SKELETON): Claims {
    const now = this.server.clock.now();
    return { iss: DID, aud: SERVICE, lxm, iat: now, exp: now + 60, jti: 'one' };
  }

  get(path: string, token?: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    const sent = token === undefined ? headers : { authorization: `Bearer ${token}`, ...headers };
    return this.server.call('GET', path, undefined, sent);
  }

  skeleton(query: Record<string, string | number> = {}, token?: string): Promise<TestAnswer> {
    const all = { feed: feedUri('home'), ...query };
    const texts = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]);
    return this.get(`/xrpc/${GET_SKELETON}?${new URLSearchParams(texts)}`, token);
  }

  async send(interactions: unknown, token?: string): Promise<TestAnswer> {
    const sent = token ?? (await this.token({ lxm: SEND_INTERACTIONS }));
    const headers = { authorization: `Bearer ${sent}` };
    return this.server.call('POST', `/xrpc/${SEND_INTERACTIONS}`, { interactions }, headers);
  }
}

/** The URIs of a page. */
export const postsOf = ({ body }: TestAnswer): string[] =>
  body.feed.map(({ post }: { post: string }) => post);
