import { grown } from '../columns/growable.ts';
import { type Key, NONE } from '../model/key.ts';
import type { ItemRecord } from '../model/records/index.ts';
import type { State } from '../state/state.ts';

/** An item without a description or a date, and the time of the first act on it. */
export interface FirstAct {
  item_id: string;
  created_at: number;
}

/**
 * Items that an import met in interactions before a description.
 *
 * At the end, those without a description become bare items, except items that the files mark as never described, and
 * items whose lines were rejected. Those whose lines had no date get that of their first act. 9 bytes an item, and the
 * identifiers of rejected lines.
 */
export class FirstSeen {
  /** By key: earliest time plus 1; 0 for never. */
  private earliest = new Float64Array(1024);
  /** By key: 1 for items that count as of an assumed time. */
  private undated = new Uint8Array(1024);
  private readonly undescribed = new Set<Key>();
  /** Items of rejected lines, and whether these said `hidden`. */
  private readonly rejected = new Map<string, boolean>();

  note(item: Key, time: number): void {
    this.earliest = grown(this.earliest, item + 1);
    const known = this.earliest[item];
    if (known === 0 || time + 1 < known) this.earliest[item] = time + 1;
  }

  /** Notes whether the last line with or about the date of an item had none. */
  date(item: Key, is_known: boolean): void {
    if (is_known && !this.isUndated(item)) return;
    this.undated = grown(this.undated, item + 1);
    this.undated[item] = is_known ? 0 : 1;
  }

  isUndated(item: Key): boolean {
    return this.undated[item] === 1;
  }

  /** Keeps an item undescribed, because a file says that it never was described. */
  leaveUndescribed(item: Key): void {
    this.undescribed.add(item);
  }

  /** Keeps an item undescribed, because a line about it was rejected. A later good line describes it. */
  reject({ item_id, content }: ItemRecord): void {
    if (content.hidden === true || !this.rejected.has(item_id))
      this.rejected.set(item_id, content.hidden === true);
  }

  /** The first description of an item: hidden if a rejected line before said so and this one says nothing. */
  described<R extends ItemRecord>(record: R): R {
    if (!this.rejected.get(record.item_id)) return record;
    return { ...record, content: { hidden: true, ...record.content } };
  }

  /** The items without a date; `created_at` is undefined for those without acts. O(keys). */
  *undatedItems({ items }: State): Generator<Omit<FirstAct, 'created_at'> & Partial<FirstAct>> {
    for (let key = 0; key < this.undated.length; key++) {
      const item = this.isUndated(key) ? items.names.ordinal(key) : NONE;
      if (item === NONE || items.deleted(item)) continue;
      const known = key < this.earliest.length ? this.earliest[key] : 0;
      yield { item_id: items.names.id(item), created_at: known === 0 ? undefined : known - 1 };
    }
  }

  /** Items that still have no description. Deleted items stay deleted. O(keys). */
  *bareItems({ items }: State): Generator<FirstAct> {
    for (let key = 0; key < this.earliest.length; key++) {
      if (this.earliest[key] === 0 || this.undescribed.has(key)) continue;
      const item = items.names.ordinal(key);
      if (item === NONE || items.described(item) || items.deleted(item)) continue;
      const item_id = items.names.id(item);
      if (!this.rejected.has(item_id)) yield { item_id, created_at: this.earliest[key] - 1 };
    }
  }
}
