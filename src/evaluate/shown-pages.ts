import type { ImpressionRecord } from '../model/records/index.ts';
import type { Names } from './names.ts';

/** A page that was shown to a user. */
export interface ShownPage {
  /** Seconds. */
  time: number;
  user: number;
  /** Items in the order of their slots. */
  items: readonly number[];
}

interface Lines {
  user: number;
  time: number;
  /** Slots by item. Without slots, the order of the lines. */
  slots: Map<number, number>;
}

/** The pages of `impressions.csv`. Items and users are indexes of the timeline. */
export class ShownPages {
  /** By user and the name of the page. */
  private readonly lines = new Map<string, Lines>();

  constructor(
    private readonly users: Names,
    private readonly items: Names,
  ) {}

  add({ user_id, item_id, timestamp, page = String(timestamp), slot }: ImpressionRecord): void {
    const user = this.users.add(user_id);
    const lines = this.lines.getOrInsertComputed(`${user} ${page}`, () => ({
      ...{ user, time: timestamp, slots: new Map() },
    }));
    const item = this.items.add(item_id);
    lines.time = Math.min(lines.time, timestamp);
    if (!lines.slots.has(item)) lines.slots.set(item, slot ?? lines.slots.size);
  }

  /** All pages in order of time. */
  sorted(): ShownPage[] {
    const pages = [...this.lines.values()].map(({ user, time, slots }) => {
      const by_slot = [...slots].toSorted(([, one], [, other]) => one - other);
      return { user, time, items: by_slot.map(([item]) => item) };
    });
    return pages.sort((one, other) => one.time - other.time);
  }
}
