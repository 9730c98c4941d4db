import { grown } from '../columns/growable.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import type { InteractionLog } from '../state/interaction-log.ts';
import type { Accumulator, Entries } from './accumulator.ts';
import { inversePowers } from './inverse-powers.ts';
import { Strongest } from './strongest.ts';
import { WALK } from './walk-constants.ts';

/** The maximum number of neighbours per item. */
export const LIST_LENGTH = 128;

/** A list's weight is shared among this many of its strongest neighbours, as they were before the correction. */
export const SHARED_LENGTH = 48;
/** The number of lists per block. Memory grows in blocks of 6 MB, so lists never move. */
const BLOCK_BITS = 12;
const BLOCK_LISTS = 1 << BLOCK_BITS;
/** The offset of a list's shares, and the length of a list. */
const SHARES = 2 * LIST_LENGTH;
const LIST = SHARES + 2 * SHARED_LENGTH;
/** The maximum number of words that `pack` writes. */
export const PACKED_WORDS_MAX = 1 + LIST;
export const COUNT_BITS = 8;
export const COUNT_MASK = (1 << COUNT_BITS) - 1;

/**
 * The targets of each list, followed by their weights in the same memory, and the same for its shares.
 *
 * So a list spans only one or two memory pages.
 */
class Block {
  readonly targets = new Int32Array(BLOCK_LISTS * LIST);
  readonly weights = new Float32Array(this.targets.buffer);
}

/**
 * The strongest neighbours of each slot's item, strongest first.
 *
 * Popular items must not be neighbours of everything. So weights are divided by a power of the target's degree. The
 * selection uses a smaller power, since a list with few popular neighbours reaches too little.
 */
export class NeighbourLists {
  /** For sums, which are weighted after the selection. */
  private readonly choice_step = inversePowers(WALK.choice);
  private readonly target_step = inversePowers(WALK.target);
  private count = new Uint8Array(256);
  private share_count = new Uint8Array(256);
  private readonly blocks: Block[] = [];
  private keys = new Float64Array(4096);
  private key_halves = new Int32Array(this.keys.buffer);
  private readonly strongest: Strongest;

  constructor(
    private readonly by_item: InteractionLog,
    tieBreak: (one: Ordinal, other: Ordinal) => number,
  ) {
    this.strongest = new Strongest(tieBreak);
  }

  fill(slot: number, reached: Accumulator): void {
    this.prepare(slot);
    const { ordinals, weights: sums, start, end } = reached.entries;
    if (end > this.keys.length) {
      this.keys = grown(this.keys, end);
      this.key_halves = new Int32Array(this.keys.buffer);
    }
    for (let place = start; place < end; place++) {
      this.keys[place] = sums[place] * this.choice_step(this.by_item.standing(ordinals[place]));
    }
    const keyed = { ordinals, weights: this.keys, halves: this.key_halves, start, end };
    this.write(slot, keyed, (target) => this.weightOf(target, reached.weight(target)));
    this.keepShares(slot);
  }

  /** Writes new weights for the same targets and keeps the shares. O(list length). */
  reweigh(slot: number, reached: Accumulator): void {
    this.write(slot, reached.entries, (target) => reached.weight(target));
  }

  /** Adds the first `limit` neighbours, times `scale`, to `into`. */
  add(slot: number, limit: number, scale: number, into: Accumulator): void {
    const { targets, weights } = this.blockOf(slot);
    const start = startOf(slot);
    into.addAll(targets, weights, start, start + Math.min(limit, this.count[slot]), scale, LIST_LENGTH);
  }

  /**
   * Shares `weight` among the strongest neighbours by their weights before the correction.
   *
   * It adds to `amounts`, at the places in `reached`, for those neighbours that have an entry there.
   */
  share(slot: number, weight: number, reached: Accumulator, amounts: Float64Array): void {
    const { targets, weights } = this.blockOf(slot);
    const start = startOf(slot) + SHARES;
    const end = start + this.share_count[slot];
    reached.addReached(targets, weights, start, end, weight, SHARED_LENGTH, amounts);
  }

  /** Removes targets from the list of a slot. The remaining shares grow to a sum of 1. O(list length). */
  forget(slot: number, isGone: (target: Ordinal) => boolean): void {
    const first = startOf(slot);
    this.count[slot] = this.kept(slot, first, this.count[slot], LIST_LENGTH, isGone);
    const count = this.kept(slot, first + SHARES, this.share_count[slot], SHARED_LENGTH, isGone);
    if (count < this.share_count[slot]) this.setShares(slot, count);
  }

  /**
   * Copies the list of a slot and its shares to `words`, from `at` on.
   * @param keyOf the number that stands for a target
   * @returns the end of the copy
   */
  pack(slot: number, words: Int32Array, at: number, keyOf: (target: Ordinal) => number): number {
    const { targets } = this.blockOf(slot);
    const first = startOf(slot);
    const [count, share_count] = [this.count[slot], this.share_count[slot]];
    words[at] = count | (share_count << COUNT_BITS);
    let end = at + 1;
    for (const [from, length, shift] of [
      [first, count, LIST_LENGTH],
      [first + SHARES, share_count, SHARED_LENGTH],
    ]) {
      for (let index = from; index < from + length; index++) words[end++] = keyOf(targets[index]);
      for (let index = from; index < from + length; index++) words[end++] = targets[index + shift];
    }
    return end;
  }

  /**
   * Writes a packed list to a slot, without targets that are gone.
   * @param ordinalOf the target that a number stands for; NONE if it is gone
   */
  unpack(slot: number, words: Int32Array, at: number, ordinalOf: (key: number) => Ordinal): void {
    this.prepare(slot);
    const { targets } = this.blockOf(slot);
    const first = startOf(slot);
    const count = words[at] & COUNT_MASK;
    const share_count = (words[at] >> COUNT_BITS) & COUNT_MASK;
    let end = at + 1;
    let gone = 0;
    for (const [from, length, shift] of [
      [first, count, LIST_LENGTH],
      [first + SHARES, share_count, SHARED_LENGTH],
    ]) {
      for (let index = from; index < from + length; index++) {
        const target = ordinalOf(words[end++]);
        targets[index] = target;
        if (target === NONE) gone++;
      }
      for (let index = from; index < from + length; index++) targets[index + shift] = words[end++];
    }
    this.count[slot] = count;
    this.share_count[slot] = share_count;
    if (gone > 0) this.forget(slot, (target) => target === NONE);
  }

  private prepare(slot: number): void {
    this.count = grown(this.count, slot + 1);
    this.share_count = grown(this.share_count, slot + 1);
    while (this.blocks.length * BLOCK_LISTS <= slot) this.blocks.push(new Block());
  }

  /** Removes targets with their weights, and returns how many are left. */
  private kept(
    slot: number,
    first: number,
    count: number,
    shift: number,
    isGone: (target: Ordinal) => boolean,
  ): number {
    const { targets, weights } = this.blockOf(slot);
    const end = first + count;
    let kept = first;
    while (kept < end && !isGone(targets[kept])) kept++;
    for (let at = kept + 1; at < end; at++) {
      if (isGone(targets[at])) continue;
      targets[kept] = targets[at];
      weights[kept + shift] = weights[at + shift];
      kept++;
    }
    return kept - first;
  }

  private write(slot: number, keyed: Entries, weightOf: (target: Ordinal) => number): void {
    const queue = this.strongest.of(keyed, LIST_LENGTH);
    const count = Math.min(LIST_LENGTH, queue.size);
    const { targets, weights } = this.blockOf(slot);
    const first = startOf(slot);
    for (let at = first; at < first + count; at++) {
      const target = queue.pop();
      targets[at] = target;
      weights[at + LIST_LENGTH] = weightOf(target);
    }
    this.count[slot] = count;
  }

  private keepShares(slot: number): void {
    const { targets, weights } = this.blockOf(slot);
    const first = startOf(slot);
    const count = Math.min(SHARED_LENGTH, this.count[slot]);
    for (let at = first; at < first + count; at++) {
      targets[at + SHARES] = targets[at];
      weights[at + SHARES + SHARED_LENGTH] = weights[at + LIST_LENGTH];
    }
    this.setShares(slot, count);
  }

  /** Sets the number of shares, and scales them to a sum of 1. */
  private setShares(slot: number, count: number): void {
    this.share_count[slot] = count;
    const { weights } = this.blockOf(slot);
    const start = startOf(slot) + SHARES + SHARED_LENGTH;
    let total = 0;
    for (let at = start; at < start + count; at++) total += weights[at];
    const scale = total > 0 ? 1 / total : 0;
    for (let at = start; at < start + count; at++) weights[at] *= scale;
  }

  private blockOf(slot: number): Block {
    return this.blocks[slot >> BLOCK_BITS];
  }

  private weightOf(target: number, sum: number): number {
    return emphasized(sum) * this.target_step(this.by_item.standing(target));
  }
}

/** The offset of a list in its block. */
function startOf(slot: number): number {
  return (slot & (BLOCK_LISTS - 1)) * LIST;
}

/** `sum ** 1.125`: similarity beyond chance grows faster than the sum. */
function emphasized(sum: number): number {
  return sum * Math.sqrt(Math.sqrt(Math.sqrt(sum)));
}
