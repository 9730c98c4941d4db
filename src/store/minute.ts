const SECONDS_PER_MINUTE = 60;

/**
 * The minute of a time: from its start to before its end, in seconds.
 *
 * Histories keep the latest change of an object in each minute, so that many small changes do not displace earlier ones.
 */
export function minuteOf(at: number): { from: number; before: number } {
  const from = Math.floor(at / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
  return { from, before: from + SECONDS_PER_MINUTE };
}

export function inOneMinute(one: number, other: number): boolean {
  return minuteOf(one).from === minuteOf(other).from;
}
