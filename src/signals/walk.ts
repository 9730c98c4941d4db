import type { Ordinal, WalkOptions } from '../plugin/index.ts';
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
 * The walk's normalisation: many-handed items and busy users tell less about taste, and an item must not
 * be reached merely because it is everywhere. Exponents as in RP3beta (Paudel et al., "Updatable,
 * accurate, diverse and scalable recommendations for interactive applications", TiiS 2017), one for each
 * of the three steps.
 */
export class Walk {
  private readonly item_step = inversePowers(0.5);
  private readonly user_step = inversePowers(0.5);
  private readonly target_step = inversePowers(0.35);

  /**
   * Adds to `into` what three steps from the viewer reach, newest entries first at each step.
   * O(history × users × items).
   */
  reach(state: State, viewer: Ordinal, options: WalkOptions, into: Accumulator): void {
    const { by_user, by_item } = state.interactions;
    const stop = oldest(by_user, viewer, options.history);
    for (let at = by_user.end(viewer) - 1; at >= stop; at--) {
      const strength = EVENT_WEIGHT[by_user.event_type(at)];
      if (strength === 0 || by_user.removed(at)) continue;
      const item = by_user.other(at);
      const start = strength * this.item_step(by_item.length(item));
      const last = oldest(by_item, item, options.users);
      for (let visit = by_item.end(item) - 1; visit >= last; visit--) {
        const user = by_item.other(visit);
        if (user === viewer) continue;
        const weight = start * EVENT_WEIGHT[by_item.event_type(visit)] * this.user_step(by_user.length(user));
        this.spread(state, user, weight, options.items, into);
      }
    }
  }

  /** The last step: a user's latest items. */
  private spread(state: State, user: Ordinal, weight: number, limit: number, into: Accumulator): void {
    const { by_user, by_item } = state.interactions;
    const stop = oldest(by_user, user, limit);
    for (let at = by_user.end(user) - 1; at >= stop; at--) {
      const strength = EVENT_WEIGHT[by_user.event_type(at)];
      if (strength === 0 || by_user.removed(at)) continue;
      const target = by_user.other(at);
      into.add(target, weight * strength * this.target_step(by_item.length(target)));
    }
  }
}

/** Position of the oldest of a subject's latest `limit` entries. */
function oldest(log: InteractionLog, subject: number, limit: number): number {
  return Math.max(log.start(subject), log.end(subject) - limit);
}
