import { Dictionary } from '../columns/dictionary.ts';
import { grown } from '../columns/growable.ts';
import type { Key } from '../model/key.ts';

/** What a user did at a time with an item or another user. */
export interface Act {
  user: Key;
  /** The item or the other user. */
  other: Key;
  /** 0 where there is only one type. */
  event_type: number;
  time: number;
  event_id: string;
}

/** Acts in the order of writing. 21 bytes an act, and the event identifiers. */
export class ActRows {
  private size = 0;
  private user = new Uint32Array(64);
  private other = new Uint32Array(64);
  private event_type = new Uint8Array(64);
  private time = new Float64Array(64);
  /** Each `event_id` as an index into `event_ids` plus 1; 0 without one. */
  private event = new Uint32Array(64);
  private readonly event_ids = new Dictionary();
  /** The rows that `keep` kept, in order. */
  private kept = new Uint32Array(0);

  add(act: Act): void {
    const at = this.size++;
    this.user = grown(this.user, this.size);
    this.other = grown(this.other, this.size);
    this.event_type = grown(this.event_type, this.size);
    this.time = grown(this.time, this.size);
    this.event = grown(this.event, this.size);
    this.user[at] = act.user;
    this.other[at] = act.other;
    this.event_type[at] = act.event_type;
    this.time[at] = act.time;
    this.event[at] = this.indexOf(act.event_id);
  }

  /** Names the event of the last row, if that is the same act. The store writes an event right after its act. */
  name({ user, other, event_type, time, event_id }: Act): void {
    if (this.size === 0) return;
    const last = this.at(this.size - 1);
    const is_same =
      last.user === user && last.other === other && last.event_type === event_type && last.time === time;
    if (is_same) this.event[this.size - 1] = this.indexOf(event_id);
  }

  /**
   * Drops all acts but the current ones, and sorts these by time. Acts at the same time stay in order.
   * @param identityOf the identity of a current act, undefined for others; of equal acts the last one is kept
   */
  keep(identityOf: (act: Act) => string | undefined): void {
    const { time } = this;
    const order = Uint32Array.from({ length: this.size }, (_, at) => at);
    order.sort((one, other) => time[one] - time[other] || one - other);
    const current = new Uint8Array(this.size);
    const at_this_time = new Set<string>();
    for (let at = order.length - 1; at >= 0; at--) {
      const row = order[at];
      if (time[row] !== time[order[at + 1]]) at_this_time.clear();
      const identity = identityOf(this.at(row));
      if (identity === undefined || at_this_time.has(identity)) continue;
      at_this_time.add(identity);
      current[row] = 1;
    }
    this.kept = order.filter((row) => current[row] === 1);
  }

  /** Whether some kept row has an `event_id`. */
  get has_event_ids(): boolean {
    return this.kept.some((row) => this.event[row] > 0);
  }

  *[Symbol.iterator](): Generator<Act> {
    for (const row of this.kept) yield this.at(row);
  }

  private at(row: number): Act {
    return {
      user: this.user[row],
      other: this.other[row],
      event_type: this.event_type[row],
      time: this.time[row],
      event_id: this.event[row] === 0 ? '' : this.event_ids.id(this.event[row] - 1),
    };
  }

  private indexOf(event_id: string): number {
    return event_id === '' ? 0 : this.event_ids.intern(event_id) + 1;
  }
}
