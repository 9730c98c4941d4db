import { contractTypes, testPreload } from './contract-files.ts' with { type: 'macro' };

/** What `feedloom plugins types` prints. */
export const CONTRACT_TYPES: string = contractTypes();

/** What `feedloom plugins test` loads before an author's tests. */
export const TEST_PRELOAD: string = testPreload();
