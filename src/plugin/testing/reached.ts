import type { Ordinal } from '../ordinal.ts';
import type { Reached } from '../request-context.ts';

export class TestReached implements Reached {
  private readonly weights = new Map<Ordinal, number>();

  /**
   * @param items each occurrence adds to the item's weight
   * @param amount the weight that an occurrence adds; default 1. Items with weight 0 are not reached.
   */
  constructor(items: Iterable<Ordinal>, amount: (item: Ordinal) => number = () => 1) {
    for (const item of items) {
      const weight = this.weight(item) + amount(item);
      if (weight > 0) this.weights.set(item, weight);
    }
  }

  get size(): number {
    return this.weights.size;
  }

  get max(): number {
    return Math.max(0, ...this.weights.values());
  }

  weight(item: Ordinal): number {
    return this.weights.get(item) ?? 0;
  }

  forEach(visit: (item: Ordinal, weight: number) => void): void {
    for (const [item, weight] of this.weights) visit(item, weight);
  }
}
