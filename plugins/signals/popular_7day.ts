import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last 7 days. */
export default popularWithin(7);
