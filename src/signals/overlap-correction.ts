import type { IntegerHash } from '../columns/keyed-hash.ts';
import { NONE, type Ordinal } from '../plugin/index.ts';
import { Accumulator } from './accumulator.ts';
import { LIST_LENGTH, type NeighbourLists } from './neighbour-lists.ts';
import { WALK } from './walk-constants.ts';

/** The number of strongest neighbours whose lists are read. */
const ENDS = 32;
/** The minimum share of a weight that remains, so that no neighbour is lost. */
const LEAST_OWN = 1e-4;

/**
 * Subtracts from an item's neighbours what its strongest neighbours would reach in turn.
 *
 * A neighbour that is similar to stronger ones is redundant. One that is unlike all others shows a separate taste. This
 * is one step of the inverse of diffusion on the item graph.
 */
export class OverlapCorrection {
  private readonly reached: Accumulator;
  /** By place: the amount to subtract from each weight. */
  private readonly shadow = new Float64Array(LIST_LENGTH + 1);

  constructor(
    private readonly lists: NeighbourLists,
    hash: IntegerHash,
  ) {
    this.reached = new Accumulator(hash);
  }

  /**
   * The list of a slot with new weights, for `reweigh`. Valid until the next call. O(`ENDS` × shares).
   * @param slotOf the slot of a neighbour's list; NONE without one
   */
  corrected(slot: number, slotOf: (item: Ordinal) => number): Accumulator {
    const { lists, reached, shadow } = this;
    reached.clear();
    lists.add(slot, LIST_LENGTH, 1, reached);
    const { ordinals, weights, start, end } = reached.entries;
    shadow.fill(0, 0, end);
    for (let place = start; place < Math.min(end, start + ENDS); place++) {
      const of_end = slotOf(ordinals[place]);
      if (of_end !== NONE) lists.share(of_end, WALK.overlap_share * weights[place], reached, shadow);
    }
    reached.reduce(shadow, LEAST_OWN);
    return reached;
  }
}
