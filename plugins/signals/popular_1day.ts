import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last 24 hours. */
export default popularWithin(1);
