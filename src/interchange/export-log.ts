import { Dictionary } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import { timeOfAct } from '../state/apply.ts';
import { type Change, type InteractionChange, type Key, NONE } from '../state/change.ts';
import type { Act } from '../state/interactions.ts';
import type { State } from '../state/state.ts';
import { TOUCHED } from '../state/touched.ts';

/** Bits of `meta` above the event type. */
const REMOVED = 1 << 4;
const TYPE_MASK = REMOVED - 1;

/** Rows of a user, an item and a time, in the order of writing. */
class UserItemRows {
  size = 0;
  user = new Uint32Array(1024);
  /** Keys, because an ordinal may be reused for another item. */
  item = new Uint32Array(1024);
  time = new Float64Array(1024);

  add(user: number, item: Key, time: number): number {
    const at = this.size++;
    this.user = grown(this.user, this.size);
    this.item = grown(this.item, this.size);
    this.time = grown(this.time, this.size);
    this.user[at] = user;
    this.item[at] = item;
    this.time[at] = time;
    return at;
  }

  /** Rows by time, and at the same time in the order of writing. */
  byTime(): Uint32Array {
    const order = Uint32Array.from({ length: this.size }, (_, at) => at);
    const { time } = this;
    let sorted = true;
    for (let at = 1; at < this.size && sorted; at++) sorted = time[at] >= time[at - 1];
    return sorted ? order : order.sort((one, other) => time[one] - time[other] || one - other);
  }
}

/** An exported interaction, with ordinals. */
export interface ExportedAct {
  user: number;
  item: number;
  event_type: number;
  removed: boolean;
  time: number;
  /** '' if there is none. */
  event_id: string;
}

/**
 * Data of the change log that an export needs in addition to the state.
 *
 * This is the order of arrival of acts at the same time, the identifiers of comments, and the impressions. 21 bytes an
 * act, 16 an impression.
 */
export class ExportLog {
  private readonly acts = new UserItemRows();
  private meta = new Uint8Array(1024);
  /** `event_id` of each act as an index in `event_ids` plus 1; 0 if there is none. */
  private event = new Uint32Array(1024);
  private readonly event_ids = new Dictionary();
  private readonly impressions = new UserItemRows();
  /** The exported acts in order, computed at first use. */
  private current_rows: Uint32Array | undefined;

  constructor(private readonly state: State) {}

  /** Notes a change before it is applied. */
  note(change: Change): void {
    if (change.kind === 'interaction') this.noteAct(change);
    if (change.kind !== 'impression') return;
    const user = this.state.users.names.ordinal(change.user);
    if (user === NONE) return;
    for (const key of new Set(change.items)) {
      const item = this.state.items.names.ordinal(key);
      if (item === NONE) continue;
      if ((this.state.interactions.touched.flags(user, item) & TOUCHED.impression) !== 0) continue;
      this.impressions.add(user, key, change.timestamp);
    }
  }

  /** The impressions that are still known, by time. Call after all changes were applied. */
  *exportedImpressions(): Generator<{ user: number; item: number; time: number }> {
    const { user, item, time } = this.impressions;
    const { touched } = this.state.interactions;
    for (const at of this.impressions.byTime()) {
      const shown = this.state.items.names.ordinal(item[at]);
      if (shown === NONE || (touched.flags(user[at], shown) & TOUCHED.impression) === 0) continue;
      yield { user: user[at], item: shown, time: time[at] };
    }
  }

  /**
   * The acts in the users' logs, including taken back ones, by time and then arrival.
   *
   * This is their order in the logs of users and of items. Call after all changes were applied.
   */
  *exportedActs(): Generator<ExportedAct> {
    this.current_rows ??= this.currentRows();
    for (const at of this.current_rows) yield this.actAt(at);
  }

  private noteAct(change: InteractionChange): void {
    const user = this.state.users.names.ordinal(change.user);
    const item = this.state.items.names.ordinal(change.item);
    if (user === NONE || item === NONE) return;
    const { event_type, event_id } = change;
    const { vocabulary } = this.state;
    const time = timeOfAct(vocabulary, change, change.applied_at);
    const add = change.action === 1;
    if (!this.state.interactions.wouldChange({ user, item, event_type, add, time, event_id })) return;
    const at = this.acts.add(user, change.item, time);
    this.meta = grown(this.meta, this.acts.size);
    this.event = grown(this.event, this.acts.size);
    this.meta[at] = event_type | (add ? 0 : REMOVED);
    const named = event_id !== '' && vocabulary.isIdentifiedByTime(event_type);
    this.event[at] = named ? this.event_ids.intern(event_id) + 1 : 0;
  }

  private actAt(at: number): ExportedAct {
    return {
      user: this.acts.user[at],
      item: this.state.items.names.ordinal(this.acts.item[at]),
      time: this.acts.time[at],
      event_type: this.meta[at] & TYPE_MASK,
      removed: (this.meta[at] & REMOVED) !== 0,
      event_id: this.event[at] === 0 ? '' : this.event_ids.id(this.event[at] - 1),
    };
  }

  /** The rows of the entries in the users' logs. Linear, because both are in the same order. */
  private currentRows(): Uint32Array {
    const order = this.acts.byTime();
    const current = new Uint8Array(this.acts.size);
    const by_user = groupedBy(this.acts.user, order, this.state.users.size);
    const log = this.state.interactions.by_user;
    for (let user = 0; user < this.state.users.size; user++) {
      let entry = log.end(user) - 1;
      const named = new Set<string>();
      // From the end, because the last of equal rows counts.
      for (let at = by_user.end[user] - 1; at >= by_user.start[user] && entry >= log.start(user); at--) {
        const row = by_user.rows[at];
        if (!this.isEntry(row, entry) || !this.isCurrentComment(row, named)) continue;
        current[row] = 1;
        entry--;
      }
    }
    return order.filter((row) => current[row] === 1);
  }

  private isEntry(row: number, entry: number): boolean {
    const log = this.state.interactions.by_user;
    return (
      log.other(entry) === this.state.items.names.ordinal(this.acts.item[row]) &&
      log.event_type(entry) === (this.meta[row] & TYPE_MASK) &&
      log.removed(entry) === ((this.meta[row] & REMOVED) !== 0) &&
      log.named(entry) === this.event[row] > 0 &&
      log.timestamp(entry) === this.acts.time[row]
    );
  }

  /** Entries at the same time are equal except for `event_id`, so only the last row per identifier counts. */
  private isCurrentComment(row: number, named: Set<string>): boolean {
    if (this.event[row] === 0) return true;
    const { removed, ...rest } = this.actAt(row);
    const identity = `${rest.item} ${rest.event_id}`;
    const act: Act = { ...rest, add: !removed };
    const { interactions } = this.state;
    if (named.has(identity) || interactions.wouldChange(act)) return false;
    if (!interactions.wouldChange({ ...act, add: removed })) return false;
    named.add(identity);
    return true;
  }
}

interface Groups {
  rows: Uint32Array;
  start: Uint32Array;
  end: Uint32Array;
}

/** The rows of each group in order, by a counting sort. */
function groupedBy(group_of: Uint32Array, order: Uint32Array, groups: number): Groups {
  const start = new Uint32Array(groups + 1);
  for (const row of order) start[group_of[row] + 1]++;
  for (let group = 0; group < groups; group++) start[group + 1] += start[group];
  const end = start.slice(0, groups);
  const rows = new Uint32Array(order.length);
  for (const row of order) rows[end[group_of[row]]++] = row;
  return { rows, start, end };
}
