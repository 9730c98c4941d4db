import type { Ordinal } from '../plugin/index.ts';
import { EVENT_CODE } from '../state/change.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';

/** How much each kind of interaction says about interest; hides and reports say nothing for an item. */
const EVENT_WEIGHT = new Float64Array(8);
EVENT_WEIGHT[EVENT_CODE.view] = 0.2;
EVENT_WEIGHT[EVENT_CODE.like] = 1;
EVENT_WEIGHT[EVENT_CODE.comment] = 1;
EVENT_WEIGHT[EVENT_CODE.share] = 1;
EVENT_WEIGHT[EVENT_CODE.bookmark] = 1;

/** Degrees up to here have their powers in a table. */
const DEGREES = 4096;

/** `degree^-exponent`, tabulated. */
function inversePowers(exponent: number): (degree: number) => number {
  const table = new Float64Array(DEGREES);
  for (let degree = 1; degree < DEGREES; degree++) table[degree] = degree ** -exponent;
  return (degree) => (degree < DEGREES ? table[degree] : degree ** -exponent);
}

/**
 * The steps of the walk viewer → item → user → item, newest entries first at each. Many-handed items and
 * busy users tell less about taste, and an item must not be reached merely because it is everywhere:
 * each step divides by a power of the degree, as RP3beta does (Paudel et al., "Updatable, accurate,
 * diverse and scalable recommendations for interactive applications", TiiS 2017).
 */
export class WalkSteps {
  private readonly item_step = inversePowers(0.5);
  private readonly user_step = inversePowers(0.5);
  private readonly target_step = inversePowers(0.35);

  constructor(private readonly state: State) {}

  /** The viewer's latest `history` entries as `visit(item, strength)`, taken back ones left out. */
  history(viewer: Ordinal, history: number, visit: (item: Ordinal, strength: number) => void): void {
    const { by_user, by_item } = this.state.interactions;
    const stop = oldest(by_user, viewer, history);
    for (let at = by_user.end(viewer) - 1; at >= stop; at--) {
      const strength = EVENT_WEIGHT[by_user.event_type(at)];
      if (strength === 0 || by_user.removed(at)) continue;
      const item = by_user.other(at);
      visit(item, strength * this.item_step(by_item.length(item)));
    }
  }

  /**
   * The last two steps: adds to `into` what the latest `users` of an item chose lately, `items` entries
   * of each. O(users × items).
   */
  spread(item: Ordinal, users: number, items: number, scale: number, into: Accumulator): void {
    const { by_user, by_item } = this.state.interactions;
    const last = oldest(by_item, item, users);
    for (let visit = by_item.end(item) - 1; visit >= last; visit--) {
      const user = by_item.other(visit);
      const weight = scale * EVENT_WEIGHT[by_item.event_type(visit)] * this.user_step(by_user.length(user));
      const stop = oldest(by_user, user, items);
      for (let at = by_user.end(user) - 1; at >= stop; at--) {
        const strength = EVENT_WEIGHT[by_user.event_type(at)];
        if (strength === 0 || by_user.removed(at)) continue;
        const target = by_user.other(at);
        into.add(target, weight * strength * this.target_step(by_item.length(target)));
      }
    }
  }
}

/** Position of the oldest of a subject's latest `limit` entries. */
function oldest(log: InteractionLog, subject: number, limit: number): number {
  return Math.max(log.start(subject), log.end(subject) - limit);
}
