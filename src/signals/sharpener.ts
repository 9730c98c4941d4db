import { NONE, type Ordinal } from '../plugin/index.ts';
import type { IntegerHash } from '../state/keyed-hash.ts';
import { Accumulator } from './accumulator.ts';
import { LIST_LENGTH, type NeighbourLists } from './neighbour-lists.ts';

/** The strongest neighbours whose own are looked at. */
const ENDS = 32;
/** How much of a neighbour's weight is taken to be its own neighbours'. */
const SHARED = 0.55;
/** What is left of a weight at least: nothing that was reached is lost. */
const LEAST_OWN = 1e-4;

/**
 * Takes away from an item's neighbours what the strongest of them would reach in turn: one that is only like them is
 * shown by them already, and one that is like nothing else that is near is a taste of its own. (One step of sharpening,
 * the inverse of diffusion on the item graph.)
 */
export class Sharpener {
  private readonly reached: Accumulator;
  /** By place: what is taken away from each weight. */
  private readonly shadow = new Float64Array(LIST_LENGTH + 1);

  /** @param hash as of `Accumulator` */
  constructor(
    private readonly lists: NeighbourLists,
    hash: IntegerHash,
  ) {
    this.reached = new Accumulator(hash);
  }

  /**
   * The list of a slot with its neighbours' new weights, to be written by `reweigh`. Valid until the next call.
   * O(`ENDS` × their shares).
   * @param slotOf of the list of a neighbour, NONE when it has none
   */
  sharpened(slot: number, slotOf: (item: Ordinal) => number): Accumulator {
    const { lists, reached, shadow } = this;
    reached.clear();
    lists.add(slot, LIST_LENGTH, 1, reached);
    const { ordinals, weights, start, end } = reached.entries;
    shadow.fill(0, 0, end);
    for (let place = start; place < Math.min(end, start + ENDS); place++) {
      const of_end = slotOf(ordinals[place]);
      if (of_end !== NONE) lists.share(of_end, SHARED * weights[place], reached, shadow);
    }
    reached.reduce(shadow, LEAST_OWN);
    return reached;
  }
}
