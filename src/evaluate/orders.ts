import { best } from './best.ts';

/** Items in simple orders. Each is computed only as far as needed, and cached if it is the same for all users. */
export class Orders<Name> {
  private readonly kept = new Map<Name, number[]>();

  /** @param items may change if `clear` is called afterwards */
  constructor(private readonly items: readonly number[]) {}

  clear(): void {
    this.kept.clear();
  }

  /**
   * The first `length` items that are not in `held`, highest score first. Of equal items, the later one comes first.
   * @param name name of an order that is the same for all users; undefined for any other
   * @param scoring called for the scores if the order is not cached
   */
  page(
    name: Name | undefined,
    scoring: () => (item: number) => number,
    held: ReadonlySet<number>,
    length: number,
  ): number[] {
    const wanted = length + held.size;
    let order = name === undefined ? undefined : this.kept.get(name);
    if (order === undefined || order.length < Math.min(wanted, this.items.length)) {
      // Cached orders are computed twice as far, as other users hold more items.
      order = best(this.items, scoring(), name === undefined ? wanted : 2 * wanted);
      if (name !== undefined) this.kept.set(name, order);
    }
    return order.filter((item) => !held.has(item)).slice(0, length);
  }
}
