import { LIMITS } from '../limits.ts';
import { RETIREMENT } from '../model/changes/retirement.ts';
import type { Key } from '../model/key.ts';
import type { WriteBatch } from './write-batch.ts';

/**
 * Items that are retired together, as many as can be removed from memory within some milliseconds.
 *
 * Queued changes are taken into account. Later records about a retired item concern a new item.
 */
export class RetirementBatch {
  private readonly items: number[] = [];
  private acts = 0;
  private queued_items: ReadonlySet<Key> | undefined;

  constructor(private readonly batch: WriteBatch) {}

  get size(): number {
    return this.items.length;
  }

  get is_full(): boolean {
    return this.items.length >= LIMITS.retired_items_max || this.acts >= LIMITS.retired_acts_max;
  }

  /**
   * Adds an item, unless a version of it is queued.
   * @param unless_acted_on excludes items with other queued changes as well
   */
  offer(item: number, unless_acted_on: boolean): void {
    const { state, item_keys, item_versions } = this.batch.context;
    const { items, interactions } = state;
    const id = items.names.id(item);
    const key = items.names.key(item);
    // With another key its retirement is queued, and the identifier now belongs to a new item.
    if (item_versions.get(id) !== undefined || item_keys.find(id) !== key) return;
    if (unless_acted_on && this.isActedOn(key)) return;
    this.items.push(item);
    this.acts += interactions.by_item.length(item);
  }

  add(): void {
    if (this.items.length === 0) return;
    const { batch } = this;
    const { state, item_keys } = batch.context;
    const { names } = state.items;
    const { applied_at } = batch;
    const items = Uint32Array.from(this.items, (item) => names.key(item));
    for (const id of this.items.map((item) => names.id(item))) {
      batch.setItem(id, undefined);
      item_keys.markErased(id);
      batch.onApplied.push(() => item_keys.erased(id));
    }
    batch.push({ kind: RETIREMENT.kind, items, seq: 0, applied_at });
  }

  private isActedOn(key: Key): boolean {
    this.queued_items ??= this.batch.context.queued_changes.itemsNamed();
    return this.queued_items.has(key);
  }
}
