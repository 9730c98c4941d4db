import { useMemo } from 'preact/hooks';
import type { SavedFeed } from '../../../../openapi/client/src/index.ts';
import { LIMITS } from '../../../limits.ts';
import { api } from '../session.ts';
import { type Resource, useResource } from './resource.ts';

/** Saved feeds. */

export type { SavedFeed };

const TYPES: Readonly<Record<string, string>> = {
  'for-you': 'For you',
  trending: 'Trending',
  popular: 'Popular',
};

/** `for-you` of `feeds/for-you` and `casts/feed/for-you`. */
export function typeOf(endpoint: string): string {
  return endpoint.split('/').at(-1) ?? '';
}

export function typeText(endpoint: string): string {
  return TYPES[typeOf(endpoint)] ?? endpoint;
}

export function Status({ status }: { status: string }) {
  const is_on = status === 'active' || status === 'running';
  return <span class={is_on ? 'status active' : 'status'}>{status}</span>;
}

/** How a feed is offered as a choice. */
export function feedOption({ config_id, name, status }: SavedFeed) {
  const inactive = status === 'active' ? '' : ', inactive';
  return { value: config_id, text: `${name} (${config_id}${inactive})` };
}

/** The newest feeds of the account, or those that all accounts offer as templates; at most `LIMITS.feeds_listed_max`. */
export async function listFeeds(
  signal?: AbortSignal,
  visibility?: 'template',
): Promise<readonly SavedFeed[]> {
  return (await api().listFeeds({ limit: LIMITS.feeds_listed_max, visibility }, { signal })).data;
}

/** All feeds of the account, newest first, in as many requests as they need. */
export async function listAllFeeds(): Promise<readonly SavedFeed[]> {
  const feeds = new Map<string, SavedFeed>();
  for (let offset = 0; ; ) {
    const { data } = await api().listFeeds({ limit: LIMITS.feeds_listed_max, offset });
    if (data.length === 0) return [...feeds.values()];
    // A feed that is created meanwhile moves the others, so one may be listed twice.
    for (const feed of data) feeds.set(feed.config_id, feed);
    offset += data.length;
  }
}

interface Feeds extends Resource<readonly SavedFeed[]> {
  /** The name of a feed, else its id. */
  nameOf: (feed_id: string) => string;
}

/** The newest feeds of the account, as `listFeeds`. @param is_allowed whether the key may read them */
export function useFeeds(is_allowed = true): Feeds {
  const feeds = useResource(is_allowed ? (signal) => listFeeds(signal) : undefined, []);
  const nameOf = useMemo(() => {
    const names = new Map(feeds.data?.map(({ config_id, name }) => [config_id, name]));
    return (feed_id: string) => names.get(feed_id) ?? feed_id;
  }, [feeds.data]);
  return { ...feeds, nameOf };
}

/** A feed as it was. */
export async function readRevision(
  config_id: string,
  revision: number,
  signal?: AbortSignal,
): Promise<SavedFeed> {
  const input = { path: { revision }, query: { config_id }, signal };
  return (await api().call('GET', '/api/feed/config/revisions/{revision}', input)).data;
}
