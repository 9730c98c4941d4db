import { scoredBy } from 'feedloom/plugin';

/** Popular feeds of the last day. The score is the signal `popular_1day`. Spec 1. */
export default scoredBy('popular_1day', 'popular', 'Content with the most engagement of the last day.');
