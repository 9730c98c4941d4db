import { dayOf } from '../clock.ts';
import type { ExperimentPage, ViewerOutcome } from '../store/experiment-rows.ts';

/** What one viewer of a variant did in a period. */
export interface VariantViewer {
  /** The hash of their id. */
  viewer: string;
  impressions: number;
  pages: number;
  short_pages: number;
  /** Days since the epoch (UTC). */
  first_day: number;
  /** Whether the viewer was shown items on the day after the first one. */
  has_returned: boolean;
  /** Counted acts by type. */
  acts: number[];
  /** See `pointOf`. */
  point: number;
  /** Of interleaved variants: the part that each has in these numbers. */
  of_teams: readonly TeamPart[];
}

interface TeamPart {
  impressions: number;
  acts: number[];
}

/**
 * Counts what one viewer of a variant did.
 *
 * An act counts if it is about an item that the variant showed before, at most `window_seconds` earlier. Times of pages
 * count in whole seconds, because apps report acts in whole seconds.
 */
export class ViewerCount implements VariantViewer {
  impressions = 0;
  pages = 0;
  short_pages = 0;
  first_day = 0;
  has_returned = false;
  readonly acts: number[];
  point = 0;
  readonly of_teams: readonly TeamPart[];
  /** Outcomes that no page was found for, by item and in order of time. */
  private readonly open = new Map<number, ViewerOutcome[]>();

  /** @param outcomes all of the viewer and the arm */
  constructor(
    readonly viewer: string,
    outcomes: readonly ViewerOutcome[],
    private readonly window_seconds: number,
    act_types: number,
  ) {
    const zeros = (): number[] => new Array<number>(act_types).fill(0);
    this.acts = zeros();
    this.of_teams = [0, 1].map(() => ({ impressions: 0, acts: zeros() }));
    for (const outcome of outcomes.toSorted((one, other) => one.timestamp - other.timestamp)) {
      const of_item = this.open.get(outcome.item);
      if (of_item === undefined) this.open.set(outcome.item, [outcome]);
      else of_item.push(outcome);
    }
  }

  /** Counts the next page. O(items · log outcomes). */
  add({ timestamp, is_short, continues, items, teams, point }: ExperimentPage): void {
    const day = dayOf(timestamp);
    this.point = point;
    if (this.pages === 0) this.first_day = day;
    else if (day === this.first_day + 1) this.has_returned = true;
    if (!continues) this.pages++;
    this.impressions += items.length;
    if (is_short) this.short_pages++;
    for (const team of teams) if (team > 0) this.of_teams[team - 1].impressions++;
    if (this.open.size === 0) return;
    const shown_at = Math.floor(timestamp);
    for (const [at, item] of items.entries()) {
      const outcomes = this.open.get(item);
      if (outcomes === undefined) continue;
      const first = placeOf(outcomes, (time) => time >= shown_at);
      const end = placeOf(outcomes, (time) => time - shown_at > this.window_seconds);
      const team = teams.length === 0 ? undefined : this.of_teams[teams[at] - 1];
      for (const { event_type } of outcomes.splice(first, end - first)) {
        this.acts[event_type]++;
        if (team !== undefined) team.acts[event_type]++;
      }
    }
  }
}

/** The first place from which on all times have a property. */
function placeOf(outcomes: readonly ViewerOutcome[], has: (time: number) => boolean): number {
  let low = 0;
  let high = outcomes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (has(outcomes[middle].timestamp)) high = middle;
    else low = middle + 1;
  }
  return low;
}
