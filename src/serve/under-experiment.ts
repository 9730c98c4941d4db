import type { AssignedVariant, Experiments } from '../experiments/experiments.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';

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
 * Nor does it for a key of another account: it could make up viewers, and would be shown the private feed of a variant.
 */
export function underExperiment(
  experiments: ServedExperiments | undefined,
  request: FeedRequest,
  viewer_id: string | undefined,
): AssignedRequest {
  const { feed_id, unsaved, account } = request;
  if (experiments === undefined || feed_id === undefined || viewer_id === undefined || unsaved)
    return { request };
  const assigned = experiments.variantOf(feed_id, viewer_id);
  const is_foreign = account !== undefined && account !== assigned?.account;
  if (assigned === undefined || is_foreign) return { request };
  if (assigned.variant.feed_id === feed_id) return { request, assigned };
  const instead = { feed_id: assigned.variant.feed_id, account: assigned.account };
  return { request: { ...request, instead }, assigned };
}
