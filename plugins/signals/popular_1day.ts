import { popularWithin } from 'feedloom/plugin';

/** Engagement of the last day: a window that moves with the clock. */
export default popularWithin(1);
