import { LIMITS } from '../limits.ts';
import type { Key } from '../state/change.ts';
import type { State } from '../state/state.ts';
import type { Prepared, Workbench } from './workbench.ts';

/**
 * Items that are retired together, as many as can be removed from memory within some milliseconds.
 *
 * Queued changes are taken into account. Later records about a retired item concern a new item.
 */
export class RetirementBatch {
  private readonly items: number[] = [];
  private acts = 0;
  private queued_items: ReadonlySet<Key> | undefined;

  constructor(
    private readonly state: State,
    private readonly bench: Workbench,
  ) {}

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
    const { items, interactions } = this.state;
    const { item_keys, item_versions } = this.bench;
    const id = items.names.id(item);
    const key = items.names.key(item);
    // With another key its retirement is queued, and the identifier now belongs to a new item.
    if (item_versions.get(id) !== undefined || item_keys.find(id) !== key) return;
    if (unless_acted_on && this.isActedOn(key)) return;
    this.items.push(item);
    this.acts += interactions.by_item.length(item);
  }

  prepared(applied_at: number): Prepared {
    const { names } = this.state.items;
    const { item_keys, item_versions } = this.bench;
    const changes = this.bench.batch();
    if (this.items.length === 0) return { changes };
    const ids = this.items.map((item) => names.id(item));
    const versions = ids.map((id) => item_versions.set(id, undefined));
    for (const id of ids) item_keys.markErased(id);
    const items = Uint32Array.from(this.items, (item) => names.key(item));
    changes.push({ kind: 'retirement', items, seq: 0, applied_at });
    const onApplied = (): void => {
      for (const [index, id] of ids.entries()) {
        item_keys.erased(id);
        item_versions.applied(id, versions[index]);
      }
    };
    return { changes, onApplied };
  }

  private isActedOn(key: Key): boolean {
    this.queued_items ??= this.bench.queued_changes.itemsNamed();
    return this.queued_items.has(key);
  }
}
