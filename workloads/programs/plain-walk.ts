/** The maximum number of users to visit per item, and of items per user. The latest ones are visited. */
const USERS = 60;
const ITEMS = 60;

/**
 * A plain recommender to compare with: the walk viewer → item → user → item over the latest acts.
 *
 * The first two steps divide by the root of the degree, the last one by its fourth root: the best of nine weightings on
 * Gowalla. It has no other weights and no caches.
 */
export class PlainWalk {
  private readonly items_of: number[][] = [];
  private readonly users_of: number[][] = [];
  private readonly known = new Set<number>();

  /** Adds an act. Repeated acts of a user on an item count once. */
  add(user: number, item: number): void {
    if (this.has(user, item)) return;
    this.known.add(pairOf(user, item));
    append(this.items_of, user, item);
    append(this.users_of, item, user);
  }

  has(user: number, item: number): boolean {
    return this.known.has(pairOf(user, item));
  }

  /** The number of items that a user acted on. */
  acts(user: number): number {
    return this.items_of[user]?.length ?? 0;
  }

  /** The `count` best items that the user has not acted on. */
  page(user: number, count: number): number[] {
    const reached = new Map<number, number>();
    for (const item of this.items_of[user] ?? []) {
      const users = this.users_of[item];
      for (const other of users.slice(-USERS)) {
        if (other === user) continue;
        const items = this.items_of[other];
        const weight = (users.length * items.length) ** -0.5;
        for (const target of items.slice(-ITEMS)) reached.set(target, (reached.get(target) ?? 0) + weight);
      }
    }
    for (const item of this.items_of[user] ?? []) reached.delete(item);
    const score = ([item, weight]: [number, number]) => weight * this.users_of[item].length ** -0.25;
    const scored = Array.from(reached, (entry) => ({ item: entry[0], score: score(entry) }));
    scored.sort((one, other) => other.score - one.score || one.item - other.item);
    return scored.slice(0, count).map(({ item }) => item);
  }
}

/** A number that identifies a user and an item. */
export function pairOf(user: number, item: number): number {
  return user * 2 ** 26 + item;
}

function append(lists: number[][], index: number, value: number): void {
  const list = lists[index];
  if (list === undefined) lists[index] = [value];
  else list.push(value);
}
