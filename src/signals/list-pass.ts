import { NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

/** A pass begins with items of this many users, then half as many, and so on. */
const USERS_FIRST = 4096;
/** The number of items that a step looks at. All items are looked at for each number of users. */
const SCANNED_AT_ONCE = 4096;
/**
 * A pass is due after as many changes of interactions as this share of all items and interactions. So the cost of
 * looking at all items is spread over many changes, however large the community is.
 */
const CHANGED_SHARE = 1 / 64;

/**
 * Looks at all items with users again and again, so that their lists are built ahead of requests. Items with many users
 * come first, because most walks start from them. The first pass begins at once.
 */
export class ListPass {
  /** The current minimum of users. Below 1, all items were looked at. */
  private users_min = USERS_FIRST;
  private next_item: Ordinal = 0;
  private begun_changes: number;

  constructor(private readonly state: State) {
    this.begun_changes = state.interaction_changes;
  }

  /** Whether there are items that the current pass has not looked at. */
  get is_scanning(): boolean {
    return this.users_min >= 1;
  }

  /** Whether enough changed since the current pass began that another one is worth its cost. */
  get is_due(): boolean {
    const { interaction_changes, interactions, items } = this.state;
    const changes = interaction_changes - this.begun_changes;
    return changes > CHANGED_SHARE * (interactions.by_item.size + items.size);
  }

  begin(): void {
    this.users_min = USERS_FIRST;
    this.next_item = 0;
    this.begun_changes = this.state.interaction_changes;
  }

  /** The next item that needs a list. NONE if it is not among the next `SCANNED_AT_ONCE` items. */
  next(needsList: (item: Ordinal) => boolean): Ordinal {
    const { interactions, items } = this.state;
    let left = SCANNED_AT_ONCE;
    for (; this.is_scanning; this.users_min >>= 1) {
      for (; this.next_item < items.size; this.next_item++) {
        const item = this.next_item;
        if (interactions.by_item.standing(item) >= this.users_min && needsList(item)) return item;
        if (--left === 0) return NONE;
      }
      this.next_item = 0;
    }
    return NONE;
  }
}
