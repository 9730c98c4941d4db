import { NONE } from '../plugin/index.ts';
import { grown } from '../state/growable.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { Accumulator } from './accumulator.ts';
import { inversePowers } from './inverse-powers.ts';
import { strongest } from './strongest.ts';

/** Neighbours kept of each item. */
export const LIST_LENGTH = 128;

/**
 * The strongest neighbours of each slot's item, strongest first. An item must not be reached merely because it
 * is everywhere, so weights divide by a power of the target's degree; the choice of whom to keep by a smaller
 * one, because with few popular neighbours a list reaches too little.
 */
export class NeighbourLists {
  /** Of sums, which are sharpened after the choice. */
  private readonly choice_step = inversePowers(0.13);
  private readonly target_step = inversePowers(0.26);
  private count = new Uint8Array(256);
  /** Of each slot the targets and then their weights, … */
  private targets = new Int32Array(256 * 2 * LIST_LENGTH);
  /** … which are the same bytes: a list lies in one or two pages of memory. */
  private weights = new Float32Array(this.targets.buffer);
  private keys = new Float64Array(4096);
  private key_halves = new Uint32Array(this.keys.buffer);
  private unlisted = new Float32Array(256);

  constructor(private readonly by_item: InteractionLog) {}

  /** Writes the list of a slot. O(reached). */
  fill(slot: number, reached: Accumulator): void {
    this.count = grown(this.count, slot + 1);
    this.reserve(slot + 1);
    const { ordinals, weights: sums, start, end } = reached.entries;
    if (end > this.keys.length) {
      this.keys = grown(this.keys, end);
      this.key_halves = new Uint32Array(this.keys.buffer);
    }
    for (let place = start; place < end; place++) {
      this.keys[place] = sums[place] * this.choice_step(this.by_item.length(ordinals[place]));
    }
    const queue = strongest(
      { ordinals, weights: this.keys, halves: this.key_halves, start, end },
      LIST_LENGTH,
      earlierNamedFirst,
    );
    const count = Math.min(LIST_LENGTH, queue.size);
    const first = slot * 2 * LIST_LENGTH;
    for (let at = first; at < first + count; at++) {
      const target = queue.pop();
      this.targets[at] = target;
      this.weights[at + LIST_LENGTH] = this.weightOf(target, reached.weight(target));
    }
    this.count[slot] = count;
  }

  /** Adds the first `limit` neighbours, times `scale`, to `into`. */
  add(slot: number, limit: number, scale: number, into: Accumulator): void {
    const start = slot * 2 * LIST_LENGTH;
    const end = start + Math.min(limit, this.count[slot]);
    into.addAll(this.targets, this.weights, start, end, scale, LIST_LENGTH);
  }

  /**
   * How many of the slots are some list's (not NONE). Reads a little of each, as most are not in the
   * processor's cache, and in a loop this short it fetches many at once.
   */
  readAhead(slots: Int32Array, start: number, end: number): number {
    const { targets } = this;
    let lists = 0;
    for (let at = start; at < end; at++) {
      if (slots[at] === NONE) continue;
      const first = slots[at] * 2 * LIST_LENGTH;
      const weights = first + LIST_LENGTH;
      const read = targets[first + 16] | targets[first + 32] | targets[weights] | targets[weights + 32];
      // Always true: only what is used is read.
      if (read !== NONE) lists++;
    }
    return lists;
  }

  /** Adds what a walk reached as if it were a list. */
  addUnlisted(reached: Accumulator, scale: number, into: Accumulator): void {
    const { ordinals, weights: sums, start, end } = reached.entries;
    this.unlisted = grown(this.unlisted, end);
    for (let place = start; place < end; place++) {
      this.unlisted[place] = this.weightOf(ordinals[place], sums[place]);
    }
    into.addAll(ordinals, this.unlisted, start, end, scale, 0);
  }

  /**
   * Shares `weight` among the first `limit` neighbours, adding to `amounts` what falls to those that have been
   * reached, at their places in `reached`.
   */
  share(slot: number, limit: number, weight: number, reached: Accumulator, amounts: Float64Array): void {
    const total = this.total(slot, limit);
    if (total === 0) return;
    const start = slot * 2 * LIST_LENGTH;
    const end = start + Math.min(limit, this.count[slot]);
    reached.addReached(this.targets, this.weights, start, end, weight / total, LIST_LENGTH, amounts);
  }

  /** The sum of the first `limit` weights. */
  total(slot: number, limit: number): number {
    const start = slot * 2 * LIST_LENGTH + LIST_LENGTH;
    const end = start + Math.min(limit, this.count[slot]);
    let total = 0;
    for (let at = start; at < end; at++) total += this.weights[at];
    return total;
  }

  private reserve(slots: number): void {
    const targets = grown(this.targets, slots * 2 * LIST_LENGTH);
    if (targets === this.targets) return;
    this.targets = targets;
    this.weights = new Float32Array(targets.buffer);
  }

  private weightOf(target: number, sum: number): number {
    return sharpened(sum) * this.target_step(this.by_item.length(target));
  }
}

/** `sum ** 1.125`: similarity in excess of chance grows faster than what is shared. */
function sharpened(sum: number): number {
  return sum * Math.sqrt(Math.sqrt(Math.sqrt(sum)));
}

/** Any order will do that does not depend on who came first. */
function earlierNamedFirst(one: number, other: number): number {
  return one - other;
}
