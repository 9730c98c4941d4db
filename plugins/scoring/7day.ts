import { scoredBy } from 'feedloom/plugin';

/** Popular feeds of the last 7 days. The score is the signal `popular_7day`. Spec 1. */
export default scoredBy('popular_7day', 'popular', 'Content with the most engagement of the last 7 days.');
