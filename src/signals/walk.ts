import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal, type WalkOptions } from '../plugin/index.ts';
import type { MissedChanges } from '../state/missed-changes.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import type { Effort } from './effort.ts';
import { LIST_LENGTH } from './neighbour-lists.ts';
import { Neighbours } from './neighbours.ts';
import { WalkSteps } from './walk-steps.ts';

/** The maximum number of cached neighbour lists, at 1,440 bytes each: 1.5 GB at most. */
const LISTS_KEPT = 1_048_576;
/** The number of neighbours that a walk adds up, shared by its starting items. */
const ADDITIONS = 2_400;

/**
 * The walk of three steps from a viewer.
 *
 * The first step is always live, so a like changes the next page. The last two are cached as neighbour lists, which may
 * lag behind the acts of others.
 */
export class Walk {
  readonly steps: WalkSteps;
  private readonly neighbours: Neighbours;
  private readonly starts: Accumulator;
  /** The list slots of the current items. */
  private slots = new Int32Array(128);

  /** @param exact lists are never older than the state (`derived_lag_ms` 0): slower, but repeatable */
  constructor(
    state: State,
    private readonly exact: boolean,
  ) {
    this.starts = new Accumulator(state.setup.ordinal_hash);
    this.steps = new WalkSteps(state);
    this.neighbours = new Neighbours(state, this.steps, LISTS_KEPT);
  }

  /**
   * Fills `into`, which must be empty, with the items reached from the viewer's latest acts, without those items.
   *
   * O(history + `ADDITIONS`) with cached lists. A missing list is built first, which takes 10 to 500 µs, so a page does
   * not depend on what is cached. `effort` scales the number of additions.
   */
  reach(viewer: Ordinal, options: WalkOptions, into: Accumulator, effort: Effort = 1): void {
    this.neighbours.begin(effort);
    this.starts.clear();
    this.steps.starts(viewer, options, (item, strength) => this.starts.add(item, strength));
    const { ordinals, weights, start, end } = this.starts.entries;
    for (let place = start; place < end; place++) into.exclude(ordinals[place]);
    const limit = Math.min(LIST_LENGTH, Math.floor((effort * ADDITIONS) / Math.max(1, end - start)));
    // Most targets are reached once.
    into.reserve(((end - start) * limit * 3) >> 2);
    this.findAll(ordinals, start, end);
    const { neighbours } = this;
    for (let place = start; place < end; place++) {
      const slot = this.slots[place];
      // With a full cache, one temporary list at a time.
      neighbours.lists.add(
        slot === NONE ? neighbours.temporary(ordinals[place]) : slot,
        limit,
        weights[place],
        into,
      );
    }
  }

  /** Adds the items that users of an item chose besides, to `into`. A missing list is built first. */
  similarTo(item: Ordinal, into: Accumulator): void {
    const { neighbours } = this;
    neighbours.begin();
    const slot = this.exact ? neighbours.findExact(item) : neighbours.find(item);
    neighbours.lists.add(slot === NONE ? neighbours.temporary(item) : slot, LIST_LENGTH, 1, into);
  }

  forgetSome(): boolean {
    return this.neighbours.forgetSome();
  }

  buildQueued(): boolean {
    return this.neighbours.buildQueued();
  }

  /** Builds or corrects one list that was never requested. Returns false if there is none. 10 to 500 µs. */
  warmUp(): boolean {
    return !this.exact && this.neighbours.warmUp();
  }

  /** Builds or rebuilds one list that was not requested (`Neighbours.refresh`). Returns false if none needs it. */
  refresh(): boolean {
    return !this.exact && this.neighbours.refresh();
  }

  pack(from: number, words: Int32Array): { next: number; used: number } {
    return this.neighbours.pack(from, words);
  }

  unpack(words: Int32Array, missed: MissedChanges): void {
    this.neighbours.unpack(words, missed);
  }

  clear(): void {
    this.neighbours.clear();
  }

  get lists(): { kept: number; waiting: number } {
    return { kept: this.neighbours.size, waiting: this.neighbours.waiting };
  }

  private findAll(items: Int32Array, start: number, end: number): void {
    const { neighbours, exact } = this;
    this.slots = grown(this.slots, end);
    for (let at = start; at < end; at++)
      this.slots[at] = exact ? neighbours.findExact(items[at]) : neighbours.find(items[at]);
  }
}
