import { scoredBy } from 'feedloom/plugin';

/** The default scoring function of popular feeds: the signal `popular`, which is all-time engagement. Spec 1. */
export default scoredBy(
  'popular',
  'popular',
  'Content with the most engagement of all time (the default of popular feeds).',
);
