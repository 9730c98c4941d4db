import { scoredBy } from 'feedloom/plugin';

export default scoredBy('popular_7day', 'popular', 'Content with the most engagement of the last 7 days.');
