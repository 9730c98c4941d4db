import { applyChange } from '../state/apply.ts';
import { type Change, type Key, NONE } from '../state/change.ts';
import type { State } from '../state/state.ts';
import { RECENT } from '../state/trend.ts';
import { FEATURES, type TrendForm, withItems } from '../state/trend-form.ts';
import { type ItemId, trendLine } from './trend-file.ts';

/**
 * Collects the learnt trends of an export.
 *
 * The stored trends still contain when erased users engaged with items, and what was done with items before their
 * deletion. Such entries are exported without the item. 16 bytes a deletion.
 */
export class TrendLog {
  /** The latest engagements that are still stored: their items, … */
  private readonly items = new Int32Array(RECENT);
  /** … their users, NONE for a source's count, … */
  private readonly users = new Int32Array(RECENT);
  /** … and their times of arrival. */
  private readonly times = new Float64Array(RECENT);
  private engagement_count = 0;
  private erased_at = Number.NEGATIVE_INFINITY;
  private readonly deleted_at = new Map<Key, number>();

  constructor(private readonly state: State) {}

  apply(change: Change): void {
    const { trend } = this.state;
    const { events } = trend;
    applyChange(this.state, change);
    if (change.kind === 'erasure') this.erased_at = change.applied_at;
    if (change.kind === 'deletion') this.deleted_at.set(change.item, change.applied_at);
    if (change.kind !== 'interaction' && change.kind !== 'engagement') return;
    if (trend.events === events) return;
    const at = this.engagement_count++ % RECENT;
    this.items[at] = change.item;
    this.users[at] = change.kind === 'interaction' ? change.user : NONE;
    this.times[at] = change.applied_at;
  }

  /**
   * Formats the line of the file. Call after all changes were applied.
   * @param isNamed whether an item may be named
   */
  line(isNamed: (item: number) => boolean): string {
    const { trend, items, applied_at } = this.state;
    if (trend.events === 0) return trendLine({ applied_at, learnt: undefined });
    const form = trend.form();
    const stored = this.storedEngagements();
    const recent = form.recent.map(({ item, time }) => {
      const is_named = item !== NONE && this.isNameable(items.names.key(item), time, stored);
      return { item: is_named ? item : NONE, time };
    });
    // Features of items before their deletion.
    const noted = form.noted.map((list) => ({
      ...list,
      items: list.items.map((item) => (item !== NONE && items.deleted(item) ? NONE : item)),
    }));
    const exported = withItems({ ...form, recent, noted }, (item) =>
      item !== NONE && isNamed(item) ? items.names.id(item) : null,
    );
    return trendLine({ applied_at, learnt: { ...exported, noted: exported.noted.map(withoutGone) } });
  }

  /** Whether an engagement may name its item. Erased users' engagements and those before a deletion may not. */
  private isNameable(item: Key, time: number, stored: Map<string, number>): boolean {
    if (time <= (this.deleted_at.get(item) ?? Number.NEGATIVE_INFINITY)) return false;
    if (time > this.erased_at) return true;
    const left = stored.get(`${time} ${item}`) ?? 0;
    stored.set(`${time} ${item}`, left - 1);
    return left > 0;
  }

  /** The number of stored engagements by existing users, per time and item. */
  private storedEngagements(): Map<string, number> {
    const { names } = this.state.users;
    const counts = new Map<string, number>();
    for (let at = 0; at < Math.min(this.engagement_count, RECENT); at++) {
      if (this.users[at] !== NONE && names.ordinal(this.users[at]) === NONE) continue;
      const engagement = `${this.times[at]} ${this.items[at]}`;
      counts.set(engagement, (counts.get(engagement) ?? 0) + 1);
    }
    return counts;
  }
}

type Noted = TrendForm<ItemId>['noted'][number];

/** Drops items that were removed, because nothing will be learnt about them. */
function withoutGone({ time, items, features, expected }: Noted): Noted {
  const kept = items.flatMap((item, index) => (item === null ? [] : [index]));
  return {
    time,
    items: kept.map((index) => items[index]),
    features: Float64Array.from(
      kept.flatMap((index) => [...features.subarray(index * FEATURES, (index + 1) * FEATURES)]),
    ),
    expected: Float64Array.from(kept, (index) => expected[index]),
  };
}
