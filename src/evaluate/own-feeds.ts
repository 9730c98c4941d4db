import { systemClock } from '../clock.ts';
import { StartupError } from '../errors.ts';
import { FeedOpener } from '../feeds/feed-opener.ts';
import type { FeedParameters } from '../feeds/parameters.ts';
import type { SavedFeed } from '../feeds/saved-feed.ts';
import { parseFeedLine } from '../interchange/feed-file.ts';
import type { FeedKind, InterchangeFile } from '../interchange/files.ts';
import { importLines } from '../interchange/import-feeds.ts';
import type { ImportLog } from '../interchange/report.ts';
import type { Registry } from '../registry/registry.ts';
import type { StoredFeed } from '../store/stored-feed.ts';
import type { Contestant } from './contestant.ts';

/** A saved feed without what other feeds add to its pages: promotions, cold start and fallbacks. */
export type OwnFeed = Pick<
  SavedFeed,
  'feed_id' | 'account' | 'revision' | 'feed_type' | 'parameters' | 'compiled'
>;

/**
 * Reads saved feeds by their ids from `feeds.jsonl`.
 * @throws StartupError `no_such_feed`, and for a file that cannot be read; ServiceError if a feed cannot be built with the
 * loaded plugins
 */
export async function readOwnFeeds(
  registry: Registry,
  files: readonly InterchangeFile<FeedKind>[],
  ids: readonly string[],
  log: ImportLog,
): Promise<OwnFeed[]> {
  if (files.length === 0)
    throw noSuchFeed('there is no feeds.jsonl in the folder of --data, so it has no feeds to measure');
  const opener = new FeedOpener(registry);
  const stored = new Map<string, StoredFeed>();
  const parse = (value: unknown) =>
    parseFeedLine(value, (given) => opener.checker.checkForm(given), systemClock.now());
  await importLines(files, log, parse, async ({ record, report }) => {
    stored.set(record.feed_id, record);
    report.accept(true);
  });
  return ids.map((id) => {
    const found = stored.get(id);
    if (found === undefined)
      throw noSuchFeed(
        `there is no feed '${id}' in ${files[0].name}; it has ${[...stored.keys()].join(', ')}`,
      );
    return withoutOthers(opener.reopen(found));
  });
}

function noSuchFeed(message: string): StartupError {
  return new StartupError('no_such_feed', message, 'feedloom export writes all saved feeds to feeds.jsonl.');
}

const OFF: FeedParameters = {
  promotion_filters: undefined,
  fallback_feeds: undefined,
  return_global_fallback: undefined,
  cold_start: undefined,
  cold_start_feed: undefined,
  return_metadata: undefined,
  reasons: undefined,
};

/** @throws ServiceError if the feed cannot be built */
function withoutOthers({ problem, parameters, ...feed }: SavedFeed): OwnFeed {
  if (problem !== undefined) throw problem;
  return { ...feed, parameters: { ...parameters, ...OFF } };
}

export function contestantOf({ feed_id, account, feed_type, parameters, compiled }: OwnFeed): Contestant {
  return { name: feed_id, request: { unsaved: { account, feed_type, parameters, compiled } } };
}
