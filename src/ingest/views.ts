import { type Change, type Key, NONE } from '../state/change.ts';
import type { Names } from '../state/names.ts';
import type { Lane } from '../store/lanes.ts';
import type { KeyAllocator } from './key-allocator.ts';

/** What a viewer is shown. It names the same whoever is erased and whatever is given an ordinal again meanwhile. */
export interface View {
  user_id: string;
  /** NONE: a viewer of whom nothing is known yet. */
  user: Key;
  items: Uint32Array;
}

/** Pages between being built and being recorded as seen: what else they need may have to be read first. */
export class Views {
  constructor(
    private readonly user_keys: KeyAllocator,
    private readonly item_names: Names,
  ) {}

  /** @param items ordinals */
  of(user_id: string, items: readonly number[]): View {
    return { user_id, user: this.user_keys.find(user_id), items: this.item_names.keysOf(items) };
  }

  /** What records it, and the lane for it; undefined when the viewer was erased since. */
  told({ user_id, user: known, items }: View, applied_at: number): Told | undefined {
    if (known !== NONE && this.user_keys.find(user_id) !== known) return undefined;
    const lane = this.user_keys.needsBulk(user_id) ? 'bulk' : 'express';
    const changes: Change[] = [];
    const user = this.user_keys.keyOf(user_id, applied_at, lane, changes);
    changes.push({ kind: 'impression', user, items, timestamp: applied_at, seq: 0, applied_at });
    return { changes, lane };
  }
}

interface Told {
  changes: Change[];
  lane: Lane;
}
