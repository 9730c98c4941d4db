import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last 30 days: a window that moves with the clock. */
export default popularWithin(30);
