import { scoredBy } from 'feedloom/plugin';

/** The default scoring function of trending feeds: the signal `trending`. Spec 1. */
export default scoredBy(
  'trending',
  'trending',
  'Content that is gathering engagement now (the default of trending feeds).',
);
