import type { ConnectTools } from '../../src/plugin/index.ts';

/** For connectors that read no tables. */
export const NO_MAPS: ConnectTools = { readMaps: () => [] };
