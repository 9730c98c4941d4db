import type { EngagementRecord, InteractionRecord } from '../ingest/records/index.ts';
import { COUNTERS, EVENT_CODE, EVENT_TYPES, type EventType, NONE } from '../state/change.ts';
import { grown } from '../state/growable.ts';
import type { Names } from './names.ts';
import { countBefore, countUntil, timeOrder } from './sorted-times.ts';

/** What a user did, in order of time: 18 bytes an act. */
export class Acts {
  length = 0;
  user = new Uint32Array(1024);
  item = new Uint32Array(1024);
  time = new Float64Array(1024);
  private type = new Uint8Array(1024);
  private removal = new Uint8Array(1024);
  private event_ids = new Map<number, string>();

  constructor(
    private readonly users: Names,
    private readonly items: Names,
  ) {}

  add({ user_id, item_id, event_type, timestamp = 0, action, event_id }: InteractionRecord): void {
    const at = this.length++;
    this.user = grown(this.user, this.length);
    this.item = grown(this.item, this.length);
    this.time = grown(this.time, this.length);
    this.type = grown(this.type, this.length);
    this.removal = grown(this.removal, this.length);
    this.user[at] = this.users.add(user_id);
    this.item[at] = this.items.add(item_id);
    this.time[at] = timestamp;
    this.type[at] = EVENT_CODE[event_type];
    this.removal[at] = action === 'remove' ? 1 : 0;
    if (event_id !== undefined) this.event_ids.set(at, event_id);
  }

  event_type(at: number): EventType {
    return EVENT_TYPES[this.type[at]];
  }

  /** The act takes an earlier one back. */
  removes(at: number): boolean {
    return this.removal[at] === 1;
  }

  /** Somebody turned to the item: anything but hides and reports, and nothing taken back. */
  engages(at: number): boolean {
    return !this.removes(at) && !isNegative(this.type[at]);
  }

  /** +1, or -1 for an act that takes one back; 0 for hides and reports, which are no popularity. */
  delta(at: number): number {
    if (isNegative(this.type[at])) return 0;
    return this.removes(at) ? -1 : 1;
  }

  record(at: number): InteractionRecord {
    const record: InteractionRecord = {
      user_id: this.users.id(this.user[at]),
      item_id: this.items.id(this.item[at]),
      event_type: this.event_type(at),
      timestamp: this.time[at],
      action: this.removes(at) ? 'remove' : 'add',
    };
    const event_id = this.event_ids.get(at);
    return event_id === undefined ? record : { ...record, event_id };
  }

  /** Brings the acts into order of time; those of one moment stay as they came. */
  sort(): void {
    const order = timeOrder(this.time, this.length);
    if (order !== undefined) this.pick(order);
  }

  /** Takes acts out; those behind them move up. */
  remove(which: (at: number) => boolean): void {
    const kept: number[] = [];
    for (let at = 0; at < this.length; at++) if (!which(at)) kept.push(at);
    this.pick(Uint32Array.from(kept));
  }

  /** How many acts are not later than `time`. */
  until(time: number): number {
    return countUntil(this.time, this.length, time);
  }

  /** How many acts are earlier than `time`. */
  before(time: number): number {
    return countBefore(this.time, this.length, time);
  }

  /** Keeps these acts alone, in this order. */
  private pick(order: Uint32Array): void {
    this.length = order.length;
    this.user = order.map((at) => this.user[at]);
    this.item = order.map((at) => this.item[at]);
    this.type = Uint8Array.from(order, (at) => this.type[at]);
    this.removal = Uint8Array.from(order, (at) => this.removal[at]);
    this.time = Float64Array.from(order, (at) => this.time[at]);
    const { event_ids } = this;
    this.event_ids = new Map();
    for (const [to, from] of order.entries()) {
      const event_id = event_ids.get(from);
      if (event_id !== undefined) this.event_ids.set(to, event_id);
    }
  }
}

/** Cumulative counts of sources, in order of time: 36 bytes each. */
export class Counts {
  length = 0;
  item = new Uint32Array(64);
  time = new Float64Array(64);
  /** NONE where a count says nothing of a counter. */
  private counters = new Float64Array(64 * COUNTERS.length);

  constructor(private readonly items: Names) {}

  add(count: EngagementRecord): void {
    const at = this.length++;
    this.item = grown(this.item, this.length);
    this.time = grown(this.time, this.length);
    this.counters = grown(this.counters, this.length * COUNTERS.length);
    this.item[at] = this.items.add(count.item_id);
    this.time[at] = count.timestamp;
    for (const [place, counter] of COUNTERS.entries())
      this.counters[at * COUNTERS.length + place] = count[counter] ?? NONE;
  }

  /** NONE when the count says nothing of likes. */
  likes(at: number): number {
    return this.counters[at * COUNTERS.length];
  }

  record(at: number): EngagementRecord {
    const record: EngagementRecord = { item_id: this.items.id(this.item[at]), timestamp: this.time[at] };
    for (const [place, counter] of COUNTERS.entries()) {
      const count = this.counters[at * COUNTERS.length + place];
      if (count !== NONE) record[counter] = count;
    }
    return record;
  }

  /** Brings the counts into order of time; those of one moment stay as they came. */
  sort(): void {
    const order = timeOrder(this.time, this.length);
    if (order === undefined) return;
    const { length } = COUNTERS;
    const { counters } = this;
    this.item = order.map((at) => this.item[at]);
    this.time = Float64Array.from(order, (at) => this.time[at]);
    this.counters = new Float64Array(counters.length);
    for (const [to, from] of order.entries())
      this.counters.set(counters.subarray(from * length, (from + 1) * length), to * length);
  }

  /** How many counts are not later than `time`. */
  until(time: number): number {
    return countUntil(this.time, this.length, time);
  }

  /** How many counts are earlier than `time`. */
  before(time: number): number {
    return countBefore(this.time, this.length, time);
  }
}

function isNegative(event_code: number): boolean {
  return event_code === EVENT_CODE.hide || event_code === EVENT_CODE.report;
}
