import type { Ordinal, WalkOptions } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import type { Accumulator } from './accumulator.ts';
import { Neighbours } from './neighbours.ts';
import { WalkSteps } from './walk-steps.ts';

/** Items whose neighbour lists are kept, at 530 bytes each as they are needed: 139 MB at most. */
const LISTS_KEPT = 262_144;
/** The short walk from an item that has no list yet. */
const SHORT_USERS = 10;
const SHORT_ITEMS = 10;

/**
 * The walk of three steps from a viewer. The first step is always live, so a like changes the next page;
 * the last two are cached as neighbour lists, which may lag others' acts.
 */
export class Walk {
  private readonly steps: WalkSteps;
  private readonly neighbours: Neighbours;

  /** @param exact lists are never older than the state (`derived_lag_ms` 0): slower, and repeatable */
  constructor(
    state: State,
    private readonly exact: boolean,
  ) {
    this.steps = new WalkSteps(state);
    this.neighbours = new Neighbours(state, this.steps, LISTS_KEPT);
  }

  /** Adds to `into` what is reached from the viewer's latest entries. O(history × 64) with warm lists. */
  reach(viewer: Ordinal, options: WalkOptions, into: Accumulator): void {
    this.neighbours.forgetErased();
    this.steps.history(viewer, options.history, (item, strength) => {
      if (this.exact) this.neighbours.addExact(item, strength, into);
      else if (!this.neighbours.add(item, strength, into)) {
        this.steps.spread(item, SHORT_USERS, SHORT_ITEMS, strength, into);
      }
    });
  }

  /** Builds one list that was asked for and is missing or outdated; false when none is. 10 to 150 µs. */
  buildQueued(): boolean {
    return this.neighbours.buildQueued();
  }
}
