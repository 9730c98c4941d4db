/** What is learnt from: signals of shown items, in 8 bits each. */

const BYTE_MAX = 255;

/** A signal of this value is halfway between 0 and noticeable: most signals are far below 1 for most items. */
const SIGNAL_OFFSET = 0.001;
const SIGNAL_RANGE = Math.log(1 + 1 / SIGNAL_OFFSET);

/** Bounds of the logarithm of a score of the default scoring function. */
const SCORE_OFFSET = 0.001;
const SCORE_LOG_MIN = -7;
const SCORE_LOG_MAX = 3;

/** The feature of a signal: 0 for 0, 1 for 1, and nearly proportional to its logarithm in between. */
function signalFeature(value: number): number {
  return Math.log(1 + Math.min(1, Math.max(0, value)) / SIGNAL_OFFSET) / SIGNAL_RANGE;
}

/** The feature of a score of the default scoring function: its logarithm. */
function scoreFeature(score: number): number {
  return Math.min(SCORE_LOG_MAX, Math.max(SCORE_LOG_MIN, Math.log(SCORE_OFFSET + score)));
}

/** The byte of a signal on a logged page. */
export function signalByte(value: number): number {
  return Math.round(BYTE_MAX * signalFeature(value));
}

/** The byte of a score of the default scoring function on a logged page. */
export function scoreByte(score: number): number {
  return Math.round((BYTE_MAX * (scoreFeature(score) - SCORE_LOG_MIN)) / (SCORE_LOG_MAX - SCORE_LOG_MIN));
}

/** Features by byte. */
export const SIGNAL_FEATURES = Float64Array.from({ length: BYTE_MAX + 1 }, (_, byte) => byte / BYTE_MAX);
export const SCORE_FEATURES = Float64Array.from(
  { length: BYTE_MAX + 1 },
  (_, byte) => SCORE_LOG_MIN + (byte * (SCORE_LOG_MAX - SCORE_LOG_MIN)) / BYTE_MAX,
);
