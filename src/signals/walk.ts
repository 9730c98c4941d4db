import { grown } from '../columns/growable.ts';
import { type Effort, NONE, type Ordinal, type WalkOptions } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { Accumulator } from './accumulator.ts';
import { LIST_LENGTH } from './neighbour-lists.ts';
import { Neighbours } from './neighbours.ts';
import { WalkSteps } from './walk-steps.ts';

/** The maximum number of cached neighbour lists, at 1,440 bytes each: 1.5 GB at most. */
const LISTS_KEPT = 1_048_576;
/** The number of neighbours that a walk adds up, shared by its starting items. */
const ADDITIONS = 2_400;
/** The limits of short walks from starting items without a list. */
const SHORT_WALKS = 16;
const SHORT_USERS = 10;
const SHORT_ITEMS = 10;

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
  private readonly near: Accumulator;
  /** The list slots of the current items. */
  private slots = new Int32Array(128);
  private short_walks = 0;

  /** @param exact lists are never older than the state (`derived_lag_ms` 0): slower, but repeatable */
  constructor(
    state: State,
    private readonly exact: boolean,
  ) {
    this.starts = new Accumulator(state.setup.ordinal_hash);
    this.near = new Accumulator(state.setup.ordinal_hash);
    this.steps = new WalkSteps(state);
    this.neighbours = new Neighbours(state, this.steps, LISTS_KEPT);
  }

  /**
   * Fills `into`, which must be empty, with the items reached from the viewer's latest acts, without those items.
   *
   * O(history + `ADDITIONS`) with cached lists. `effort` scales the number of additions.
   */
  reach(viewer: Ordinal, options: WalkOptions, into: Accumulator, effort: Effort = 1): void {
    this.neighbours.begin(effort);
    this.starts.clear();
    this.steps.starts(viewer, options, (item, strength) => this.starts.add(item, strength));
    const { ordinals, weights, start, end } = this.starts.entries;
    for (let place = start; place < end; place++) into.exclude(ordinals[place]);
    const limit = Math.min(LIST_LENGTH, Math.floor((effort * ADDITIONS) / Math.max(1, end - start)));
    const listed = this.findAll(ordinals, start, end);
    this.short_walks = listed < end - start ? effort * SHORT_WALKS : 0;
    // Most targets are reached once.
    into.reserve((listed * limit * 3) >> 2);
    for (let place = start; place < end; place++) {
      this.addNeighbours(ordinals[place], this.slots[place], limit, weights[place], into);
    }
  }

  /** Removes items from some of the lists. Returns false if there is nothing to remove. */
  forgetSome(): boolean {
    return this.neighbours.forgetSome();
  }

  /** Builds one queued list. Returns false if none is queued. 10 to 500 µs. */
  buildQueued(): boolean {
    return this.neighbours.buildQueued();
  }

  /** Builds or corrects one list that was never requested. Returns false if there is none. 10 to 500 µs. */
  warmUp(): boolean {
    return !this.exact && this.neighbours.warmUp();
  }

  /** The number of cached and of queued lists. */
  get lists(): { kept: number; waiting: number } {
    return { kept: this.neighbours.size, waiting: this.neighbours.waiting };
  }

  /** Writes the list slots of the items to `slots`, at the items' places, and returns how many have one. */
  private findAll(items: Int32Array, start: number, end: number): number {
    this.slots = grown(this.slots, end);
    let listed = 0;
    for (let at = start; at < end; at++) {
      const slot = this.exact ? this.neighbours.findExact(items[at]) : this.neighbours.find(items[at]);
      this.slots[at] = slot;
      if (slot !== NONE) listed++;
    }
    return listed;
  }

  private addNeighbours(
    item: Ordinal,
    slot: number,
    limit: number,
    strength: number,
    into: Accumulator,
  ): void {
    if (slot !== NONE) {
      this.neighbours.lists.add(slot, limit, strength, into);
      return;
    }
    if (this.short_walks-- <= 0) return;
    this.near.clear();
    this.steps.spread(item, SHORT_USERS, SHORT_ITEMS, this.near);
    this.neighbours.lists.addUnlisted(this.near, strength, into);
  }
}
