import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last 7 days: a window that moves with the clock. */
export default popularWithin(7);
