import { type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Priority } from '../store/submission-queue.ts';
import type { KeyAllocator } from './key-allocator.ts';
import type { Needs } from './needs.ts';
import type { ChangeBatch } from './room.ts';

/** The items that a viewer is shown. Keys, unlike ordinals, are never given to another user or item. */
export interface View {
  user_id: string;
  /** NONE: nothing was known of the viewer when the page was built. */
  user: Key;
  /** Users erased before the page was built. */
  erasures: number;
  /** Keys. */
  items: Uint32Array;
}

/** Pages between being built and being recorded as seen: what else they need may have to be read first. */
export class Views {
  constructor(
    private readonly user_keys: KeyAllocator,
    private readonly state: State,
    private readonly needs: Needs,
  ) {}

  /** @param items ordinals */
  of(user_id: string, items: readonly number[]): View {
    const { erasures } = this.state;
    const keys = this.state.items.names.keysOf(items);
    return { user_id, user: this.user_keys.find(user_id), erasures, items: keys };
  }

  /**
   * Puts what records it into `changes`, and returns the priority for it; undefined when the viewer was erased since, or may have
   * been: one of whom nothing was known could have come and gone.
   * @throws ServiceError `state_full`
   */
  record(
    { user_id, user: known, erasures, items }: View,
    applied_at: number,
    changes: ChangeBatch,
  ): Priority | undefined {
    const now_known = this.user_keys.find(user_id);
    if (known !== NONE && now_known !== known) return undefined;
    if (now_known === NONE && erasures !== this.state.erasures) return undefined;
    const priority = this.user_keys.needsBulk(user_id) ? 'bulk' : 'express';
    changes.require(this.needs.impression(user_id, items));
    const user =
      now_known === NONE ? this.user_keys.keyOf(user_id, applied_at, priority, changes) : now_known;
    changes.push({ kind: 'impression', user, items, timestamp: applied_at, seq: 0, applied_at });
    return priority;
  }
}
