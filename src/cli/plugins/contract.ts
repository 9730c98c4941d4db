import { contractTypes, testPreload } from './contract-files.ts' with { type: 'macro' };

/** What `feedloom plugins types` prints. */
export const CONTRACT_TYPES: string = unpacked(contractTypes());

/** What `feedloom plugins test` loads before an author's tests. */
export const TEST_PRELOAD: string = unpacked(testPreload());

/** The executable holds whatever it is built of three times: as source, compiled, and for stack traces. */
function unpacked(packed: string): string {
  return new TextDecoder().decode(Bun.gunzipSync(Buffer.from(packed, 'base64')));
}
