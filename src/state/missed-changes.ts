import { BitSet } from '../bit-set.ts';
import { CHANGES_KEPT } from '../columns/change-ring.ts';
import type { State } from './state.ts';

/**
 * The items whose derived data became invalid while changes were applied that the derived data has not seen.
 *
 * Create it before these changes are applied, and `end` it afterwards.
 */
export class MissedChanges {
  /** Items for which acts of erased or hidden users were removed or restored. */
  readonly invalidated = new BitSet();
  /** Items that were posted again. */
  readonly republished = new BitSet();
  /** Whether too many items were posted again to know all of them. */
  too_many = false;
  private readonly version: number;
  private readonly unwatch: () => void;

  constructor(private readonly state: State) {
    this.version = state.republished.version;
    this.unwatch = state.invalidated.watch((item) => this.invalidated.add(item));
  }

  end(): void {
    this.unwatch();
    const { republished } = this.state;
    this.too_many = republished.version - this.version > CHANGES_KEPT;
    for (const item of republished.since(this.version, CHANGES_KEPT)) this.republished.add(item);
  }
}
