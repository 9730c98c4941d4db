import { scoredBy } from 'feedloom/plugin';

export default scoredBy('popular_1day', 'popular', 'Content with the most engagement of the last day.');
