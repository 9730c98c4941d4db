import { BitSet } from '../bit-set.ts';
import { CHANGES_KEPT } from '../columns/change-ring.ts';
import { NONE } from '../model/key.ts';
import type { State } from './state.ts';

/**
 * The items whose derived data became invalid while changes were applied that the derived data has not seen.
 *
 * Create it before these changes are applied, and `end` it afterwards.
 */
export class MissedChanges {
  /** Items with derived data that may contain deleted acts, or acts of erased or hidden users. */
  readonly invalidated = new BitSet();
  readonly republished = new BitSet();
  readonly embedded = new BitSet();
  /** Whether too many items were posted again to know all of them. */
  too_many = false;
  interaction_changes = 0;
  private readonly version: number;
  private readonly changes_before: number;
  private readonly unwatch: readonly (() => void)[];

  constructor(private readonly state: State) {
    this.version = state.republished.version;
    this.changes_before = state.interaction_changes;
    const { embeddings } = state;
    this.unwatch = [
      state.invalidated.watch((item) => this.invalidated.add(item)),
      embeddings.watch((slot) => {
        const item = embeddings.itemIn(slot);
        if (item !== NONE) this.embedded.add(item);
      }),
    ];
  }

  end(): void {
    for (const unwatch of this.unwatch) unwatch();
    const { republished, interaction_changes } = this.state;
    this.interaction_changes = interaction_changes - this.changes_before;
    this.too_many = republished.version - this.version > CHANGES_KEPT;
    for (const item of republished.since(this.version, CHANGES_KEPT)) this.republished.add(item);
  }
}
