import { scoredBy } from 'feedloom/plugin';

/** The default of trending feeds: the signal `trending` and nothing else. Spec 1. */
export default scoredBy(
  'trending',
  'trending',
  'Content that is gathering engagement now (the default of trending feeds).',
);
