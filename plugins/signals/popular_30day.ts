import { popularWithin } from 'feedloom/plugin';

export default popularWithin(30);
