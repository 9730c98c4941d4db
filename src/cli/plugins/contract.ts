import { contractTypes, testPreload, testWatchdog } from './contract-files.ts' with { type: 'macro' };

/** Output of `feedloom plugins types`. */
export const CONTRACT_TYPES: string = unpacked(contractTypes());

/** Preload script of `feedloom plugins test`. */
export const TEST_PRELOAD: string = unpacked(testPreload());

/** The thread of its watchdog. */
export const TEST_WATCHDOG: string = unpacked(testWatchdog());

/** Texts are packed because the executable contains every source three times, for example for stack traces. */
function unpacked(packed: string): string {
  return new TextDecoder().decode(Bun.gunzipSync(Buffer.from(packed, 'base64')));
}
