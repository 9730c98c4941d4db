import { expect } from 'bun:test';
import type { Scope } from '../../src/store/keys.ts';
import { editAt } from '../support/edit.ts';
import { START, type TestAnswer, type TestServer } from '../support/service.ts';
import type { Fields } from './support.ts';

const CONFIG = '/api/feed/config';

/** The object that a published client sends, spec 2.1 to 2.3. */
export const WHOLE = {
  name: 'Music',
  description: 'What people play',
  endpoint: 'casts/feed/trending',
  status: 'active',
  visibility: 'public',
  config: {
    filters: {
      channels: ['https://example.community/channel/music'],
      app_fids: [],
      geo_locations: [],
      remove_geo_locations: [],
      ai_labels: [],
      remove_ai_labels: [],
      publication_types: [],
      author_ids: ['12'],
      remove_author_ids: [],
      embed_domains: [],
      start_timestamp: 'days_ago:7',
    },
    scoring: 'all',
    top_k: 1000,
    return_metadata: true,
  },
  feed_image_url: 'https://example.community/music.png',
  short_name: null,
};

/** One account's way to the feed configurations of a server. */
export class Account {
  constructor(
    private readonly server: TestServer,
    readonly headers: Record<string, string>,
  ) {}

  create(object?: unknown): Promise<TestAnswer> {
    return this.server.call('POST', CONFIG, object, this.headers);
  }

  get(config_id: string): Promise<TestAnswer> {
    return this.server.call(
      'GET',
      `${CONFIG}?config_id=${encodeURIComponent(config_id)}`,
      undefined,
      this.headers,
    );
  }

  patch(object?: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.server.call('PATCH', CONFIG, object, { ...this.headers, ...headers });
  }

  /** `?merge=true` or another query behind the path. */
  patchWith(query: string, object: Fields): Promise<TestAnswer> {
    return this.server.call('PATCH', `${CONFIG}${query}`, object, this.headers);
  }

  remove(config_id: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    const path = `${CONFIG}?config_id=${encodeURIComponent(config_id)}`;
    return this.server.call('DELETE', path, undefined, { ...this.headers, ...headers });
  }

  list(body?: unknown, query = ''): Promise<TestAnswer> {
    return this.server.call('POST', `/api/feed/configs${query}`, body, this.headers);
  }

  /** The ids of a list, which must succeed. */
  async ids(body?: unknown, query = ''): Promise<string[]> {
    const answer = await this.list(body, query);
    expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
    return answer.body.data.map((feed: Fields) => feed.config_id);
  }

  /** Creates a feed, which must succeed, and gives its id. */
  async add(object: Fields = {}): Promise<string> {
    const { status, body } = await this.create({ name: 'A feed', ...object });
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    return body.data.config_id;
  }

  /** Changes a feed, which must succeed, and gives the whole of it. */
  async set(config_id: string, fields: Fields): Promise<Fields> {
    const { status, body } = await this.patch({ config_id, ...fields });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    return body.data;
  }

  ask(feed_type: string, body: Fields): Promise<TestAnswer> {
    return this.server.call('POST', `/v2/farcaster/casts/feed/${feed_type}`, body, this.headers);
  }

  /** The item ids of a page, which must succeed. */
  async page(feed_type: string, body: Fields): Promise<string[]> {
    const answer = await this.ask(feed_type, body);
    expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 200, detail: undefined });
    return answer.body.body.map((item: Fields) => item.item_id);
  }
}

/** The account of the key that every test server knows. */
export function defaultAccount(server: TestServer): Account {
  return new Account(server, { authorization: 'Bearer test-key' });
}

/** An account with a new key; no scope: all. */
export async function newAccount(server: TestServer, name: string, ...scopes: Scope[]): Promise<Account> {
  const wanted: Scope[] = scopes.length === 0 ? ['feed:read', 'config:write', 'ingest:write'] : scopes;
  const { key } = await server.service.store.keys.create(name, wanted, editAt(START));
  await server.keys.refresh();
  return new Account(server, { 'x-api-key': key });
}

/** What every refused request of these endpoints answers. */
export function expectRefused(answer: TestAnswer, status: number, code: string): void {
  const { detail } = answer.body;
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { type: `urn:feedloom:error:${code}`, status, code, status_code: status, body: detail },
  });
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(detail.length).toBeGreaterThan(0);
}
