import { scoredBy } from 'feedloom/plugin';

/** Popular feeds of the last day: the signal `popular_1day` and nothing else. Spec 1. */
export default scoredBy('popular_1day', 'popular', 'Content with the most engagement of the last day.');
