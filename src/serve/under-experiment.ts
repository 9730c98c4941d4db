import type { AssignedVariant, Experiments } from '../experiments/experiments.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import type { SavedFeeds } from '../feeds/saved-feeds.ts';
import type { FeedType } from '../plugin/index.ts';

/** The part of experiments in serving feeds. */
export type ServedExperiments = Pick<Experiments, 'variantOf' | 'times'>;

/** A request, with the variant of its viewer if an experiment runs on its feed. */
export interface AssignedRequest {
  request: FeedRequest;
  assigned?: AssignedVariant;
}

/**
 * Assigns the viewer of a request to a variant. Without a saved feed or a viewer, nothing changes.
 *
 * If the feed of the variant cannot be built any more, the viewer gets the feed itself and is not counted.
 */
export function underExperiment(
  { experiments, saved_feeds }: { experiments?: ServedExperiments; saved_feeds: SavedFeeds },
  feed_type: FeedType,
  request: FeedRequest,
  viewer_id: string | undefined,
): AssignedRequest {
  const { feed_id, unsaved } = request;
  if (experiments === undefined || feed_id === undefined || viewer_id === undefined || unsaved)
    return { request };
  const assigned = experiments.variantOf(feed_id, viewer_id);
  if (assigned === undefined) return { request };
  const { variant, account } = assigned;
  if (variant.feed_id === feed_id) return { request, assigned };
  const feed = saved_feeds.find(variant.feed_id, account);
  const fits = feed?.feed_type === feed_type && feed.object.status === 'active' && !feed.problem;
  if (!fits) return { request };
  return { request: { ...request, instead: { feed_id: variant.feed_id, account } }, assigned };
}
