import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last 30 days. */
export default popularWithin(30);
