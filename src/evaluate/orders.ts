import { best } from './best.ts';

/** Some items in simple orders, each made only as far as somebody asks for it, and kept if it is everybody's. */
export class Orders<Name> {
  private readonly kept = new Map<Name, number[]>();

  /** @param items may change, if `clear` is called then */
  constructor(private readonly items: readonly number[]) {}

  clear(): void {
    this.kept.clear();
  }

  /**
   * The first `length` items that are not `held`, highest score first; of equal ones that which comes later among the
   * items first.
   * @param name of an order that is the same whoever asks; undefined for any other
   * @param scoring asked for the scores if the order is not known so far
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
      // Twice as far where it is kept, since others hold more.
      order = best(this.items, scoring(), name === undefined ? wanted : 2 * wanted);
      if (name !== undefined) this.kept.set(name, order);
    }
    return order.filter((item) => !held.has(item)).slice(0, length);
  }
}
