import { systemClock } from '../clock.ts';
import { reasonOf } from '../errors.ts';
import { SavedFeeds } from '../feeds/saved-feeds.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import { Check } from './check.ts';
import type { Finding } from './finding.ts';

/** Checks that every saved feed can be read and compiled with these plugins. */
export async function examineFeeds(
  store: Store,
  state: State,
  registry: Registry,
  settings: Settings,
): Promise<Finding[]> {
  const check = new Check('feeds', 'content', 'save the feed again, or load its plugins');
  const stored = await store.feeds.all();
  const readable: StoredFeed[] = [];
  for (const feed of stored) {
    const reason = unreadable(feed);
    if (reason === undefined) readable.push(feed);
    else check.fault('unreadable', `${feed.feed_id} cannot be read (${reason})`);
  }
  const changed = async () => ({ saved: readable, deleted: [], until: 0, is_last: true });
  const source = { ...store.feeds, changed };
  const feeds = new SavedFeeds(registry, source, systemClock, settings, state);
  await feeds.keepUp();
  for (const problem of feeds.problems()) check.fault(problem.code, problem.detail);
  return check.findings(`${stored.length} saved feeds can be built`);
}

/** Why the content of a feed is not a JSON object. */
function unreadable({ content }: StoredFeed): string | undefined {
  try {
    const object: unknown = JSON.parse(content);
    return typeof object === 'object' && object !== null ? undefined : 'it is not a JSON object';
  } catch (error) {
    return reasonOf(error);
  }
}
