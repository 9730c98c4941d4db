import { scoredBy } from 'feedloom/plugin';

export default scoredBy('popular_30day', 'popular', 'Content with the most engagement of the last 30 days.');
