/** The browser's clock. No other file of the app reads it. */

export function nowSeconds(): number {
  return Date.now() / 1000;
}

/** Milliseconds on a clock that never jumps. */
export function monotonicMs(): number {
  return performance.now();
}
