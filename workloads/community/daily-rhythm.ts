/**
 * The daily rhythm of activity. Times are drawn evenly in *community time*, which runs fast in the evening and slowly
 * at night, and are then converted to clock time. A day has the same length in both, so durations stay meaningful.
 */

const DAY_SECONDS = 86_400;
/** The busiest hour, in UTC. */
const PEAK_SECONDS = 19 * 3_600;
/** Activity at the peak is (1 + DEPTH) / (1 − DEPTH) times that of twelve hours later. */
const DEPTH = 0.65;
const STEPS = 1_440;

export interface DailyRhythm {
  /** Converts clock seconds to community seconds. Increasing. */
  toCommunity(seconds: number): number;
  /** Converts community seconds to clock seconds. Increasing, and the inverse to within about a second. O(1). */
  toClock(community_seconds: number): number;
}

function communitySeconds(seconds: number): number {
  const angle = (2 * Math.PI * (seconds - PEAK_SECONDS)) / DAY_SECONDS;
  return seconds + ((DEPTH * DAY_SECONDS) / (2 * Math.PI)) * Math.sin(angle);
}

/** The inverse for one day as a table: entry k is the clock time at which k/STEPS of the day's activity is over. */
function inverseOfOneDay(): Float64Array {
  const table = new Float64Array(STEPS + 1);
  const origin = communitySeconds(0);
  let second = 0;
  for (let step = 0; step <= STEPS; step++) {
    const wanted = (step * DAY_SECONDS) / STEPS;
    while (second < DAY_SECONDS && communitySeconds(second + 1) - origin <= wanted) second++;
    const here = communitySeconds(second) - origin;
    const next = communitySeconds(second + 1) - origin;
    table[step] = second + (wanted - here) / (next - here);
  }
  table[STEPS] = DAY_SECONDS;
  return table;
}

/** Computes about 90,000 sines: call it once per community. */
export function createDailyRhythm(): DailyRhythm {
  const table = inverseOfOneDay();
  const origin = communitySeconds(0);
  return {
    toCommunity: (seconds) => communitySeconds(seconds) - origin,
    toClock(community_seconds) {
      const day = Math.floor(community_seconds / DAY_SECONDS);
      const step = ((community_seconds - day * DAY_SECONDS) / DAY_SECONDS) * STEPS;
      const below = Math.min(Math.floor(step), STEPS - 1);
      const within = table[below] + (step - below) * (table[below + 1] - table[below]);
      return day * DAY_SECONDS + within;
    },
  };
}
