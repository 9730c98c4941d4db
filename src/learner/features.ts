/** What is learnt from: signals of shown items, in 8 bits each. */

const BYTE_MAX = 255;

/** Signals below this are close to 0: most signals are far below 1 for most items. */
const SIGNAL_OFFSET = 0.001;
const SIGNAL_FEATURE_MAX = Math.log10(1 + 1 / SIGNAL_OFFSET);

/** Bounds of the logarithm of a score of the default scoring function. */
const SCORE_OFFSET = 0.001;
const SCORE_LOG_MIN = -7;
const SCORE_LOG_MAX = 3;

/** The feature of a signal: 0 for 0, about 3 for 1, and 1 less for a tenth of it. */
export function signalFeature(value: number): number {
  return Math.log10(1 + Math.min(1, Math.max(0, value)) / SIGNAL_OFFSET);
}

/** The feature of a score of the default scoring function: its logarithm. */
export function scoreFeature(score: number): number {
  return Math.min(SCORE_LOG_MAX, Math.max(SCORE_LOG_MIN, Math.log(SCORE_OFFSET + score)));
}

/** The byte of a signal on a logged page. */
export function signalByte(value: number): number {
  return Math.round((BYTE_MAX * signalFeature(value)) / SIGNAL_FEATURE_MAX);
}

/** The byte of a score of the default scoring function on a logged page. */
export function scoreByte(score: number): number {
  return Math.round((BYTE_MAX * (scoreFeature(score) - SCORE_LOG_MIN)) / (SCORE_LOG_MAX - SCORE_LOG_MIN));
}

/** Features by byte. */
export const SIGNAL_FEATURES = Float64Array.from(
  { length: BYTE_MAX + 1 },
  (_, byte) => (byte / BYTE_MAX) * SIGNAL_FEATURE_MAX,
);
export const SCORE_FEATURES = Float64Array.from(
  { length: BYTE_MAX + 1 },
  (_, byte) => SCORE_LOG_MIN + (byte * (SCORE_LOG_MAX - SCORE_LOG_MIN)) / BYTE_MAX,
);

/** The signal of a byte, nearly. */
export function signalOf(byte: number): number {
  return Math.min(1, SIGNAL_OFFSET * (10 ** SIGNAL_FEATURES[byte] - 1));
}

/** The score of a byte, nearly, within the bounds of logged scores. */
export function scoreOf(byte: number): number {
  return Math.max(0, Math.exp(SCORE_FEATURES[byte]) - SCORE_OFFSET);
}
