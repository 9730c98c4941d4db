import { API_KEY } from './service-process.ts';

/** An HTTP client of the service. */

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Answer to an ingest body. */
export interface IngestBody {
  accepted: number;
  rejected_count: number;
  rejected: { index: number; detail: string }[];
}

/** Answer with an error. */
export interface ErrorBody {
  code: string;
  detail: string;
}

export interface FeedBody {
  body: { item_id: string }[];
}

export type FeedType = 'for-you' | 'trending' | 'popular';

export interface FeedQuery {
  user_id?: string;
  top_k?: number;
  impression_count?: number;
  seed?: number;
  filters?: Record<string, unknown>;
}

/** The connection broke before the answer, so it is unknown whether the service accepted the request. */
export class Disconnected extends Error {}

const PREFIX = '/v2/farcaster';

export class Client {
  constructor(readonly address: string) {}

  /** @throws Disconnected */
  async call<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    try {
      const response = await fetch(this.address + path, {
        method,
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const { status, headers } = response;
      return { status, headers, body: (await response.json()) as Body };
    } catch (error) {
      throw new Disconnected(`${method} ${path}`, { cause: error });
    }
  }

  post<Body = IngestBody>(kind: string, records: unknown): Promise<Answer<Body>> {
    return this.call('POST', `${PREFIX}/${kind}`, records);
  }

  delete(kind: 'items' | 'users', id: string): Promise<Answer<ErrorBody>> {
    return this.call('DELETE', `${PREFIX}/${kind}/${encodeURIComponent(id)}`);
  }

  get<Body>(kind: 'items' | 'users', id: string): Promise<Answer<Body>> {
    return this.call('GET', `${PREFIX}/${kind}/${encodeURIComponent(id)}`);
  }

  feed(type: FeedType, query: FeedQuery): Promise<Answer<FeedBody>> {
    return this.call('POST', `${PREFIX}/casts/feed/${type}`, query);
  }

  /** The item ids of a page. @throws Error if the status is not 200 */
  async page(type: FeedType, query: FeedQuery): Promise<string[]> {
    const { status, body } = await this.feed(type, query);
    if (status !== 200) throw new Error(`${type} was answered with ${status}: ${JSON.stringify(body)}`);
    return body.body.map(({ item_id }) => item_id);
  }
}
