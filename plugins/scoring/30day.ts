import { scoredBy } from 'feedloom/plugin';

/** Popular feeds of the last 30 days. The score is the signal `popular_30day`. Spec 1. */
export default scoredBy('popular_30day', 'popular', 'Content with the most engagement of the last 30 days.');
