import { scoredBy } from 'feedloom/plugin';

/** The default of popular feeds: all-time engagement, the signal `popular` and nothing else. Spec 1. */
export default scoredBy(
  'popular',
  'popular',
  'Content with the most engagement of all time (the default of popular feeds).',
);
