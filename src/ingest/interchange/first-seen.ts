import { type Key, NONE } from '../../state/change.ts';
import { grown } from '../../state/growable.ts';
import type { State } from '../../state/state.ts';

/** An item that nothing describes, and when somebody first did something with it. */
export interface BareItem {
  item_id: string;
  created_at: number;
}

/**
 * The items that an import has met in interactions before anything described them. What nothing describes
 * by its end becomes a bare item, except what a file says was never described. 8 bytes an item.
 */
export class FirstSeen {
  /** By key: earliest time plus 1; 0 is never. */
  private earliest = new Float64Array(1024);
  private readonly undescribed = new Set<Key>();

  note(item: Key, time: number): void {
    this.earliest = grown(this.earliest, item + 1);
    const known = this.earliest[item];
    if (known === 0 || time + 1 < known) this.earliest[item] = time + 1;
  }

  /** A file says that the item was never described, and so it stays. */
  leaveUndescribed(item: Key): void {
    this.undescribed.add(item);
  }

  /** What is still not described; deleted items stay deleted. O(keys). */
  *bareItems({ items }: State): Generator<BareItem> {
    for (let key = 0; key < this.earliest.length; key++) {
      if (this.earliest[key] === 0 || this.undescribed.has(key)) continue;
      const item = items.names.ordinal(key);
      if (item === NONE || items.described(item) || items.deleted(item)) continue;
      yield { item_id: items.names.id(item), created_at: this.earliest[key] - 1 };
    }
  }
}
