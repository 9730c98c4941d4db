import { LRUCache } from 'lru-cache';
import type { Seconds } from '../../clock.ts';

/** Maximum number of remembered sharers. A forgotten one counts as new. */
const SHARERS_REMEMBERED_MAX = 10_000;

/**
 * What each of many sharers has used of a common limit.
 *
 * A sharer may use as much as it leaves free. So a single one gets half of the limit, and a group of any size leaves a
 * newcomer about as much as each member of the group has.
 */
export class SharedUse {
  private readonly used = new LRUCache<string, { count: number; at: Seconds }>({
    max: SHARERS_REMEMBERED_MAX,
  });

  /** @param forgotten_seconds time after which about a third (1/e) of a use still counts. Default: uses are kept */
  constructor(private readonly forgotten_seconds: Seconds = Number.POSITIVE_INFINITY) {}

  /** The part of the limit that must remain free if a sharer uses `count` more. */
  spareFor(sharer: string, count: number, now: Seconds): number {
    return this.usedBy(sharer, now) + count;
  }

  /** @param count negative: a former use is undone */
  add(sharer: string, count: number, now: Seconds): void {
    this.used.set(sharer, { count: this.usedBy(sharer, now) + count, at: now });
  }

  clear(): void {
    this.used.clear();
  }

  private usedBy(sharer: string, now: Seconds): number {
    const { count, at } = this.used.get(sharer) ?? { count: 0, at: now };
    return count * Math.exp(-Math.max(0, now - at) / this.forgotten_seconds);
  }
}
