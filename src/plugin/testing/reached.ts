import type { Ordinal } from '../ordinal.ts';
import type { Reached } from '../request-context.ts';

/** Weights by item, added up. */
export class TestReached implements Reached {
  private readonly weights = new Map<Ordinal, number>();

  /** @param items each adds 1 to its weight */
  constructor(items: Iterable<Ordinal>) {
    for (const item of items) this.weights.set(item, this.weight(item) + 1);
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
