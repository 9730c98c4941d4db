import { grown } from '../columns/growable.ts';
import { COUNTERS, EVENT_CODE, EVENT_TYPES, type EventType } from '../model/acts.ts';
import { NONE } from '../model/key.ts';
import type { EngagementRecord, InteractionRecord } from '../model/records/index.ts';
import type { Names } from './names.ts';
import { countBefore, countUntil, timeOrder } from './sorted-times.ts';

/** Acts of users, in order of time: 18 bytes per act. */
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

  removes(at: number): boolean {
    return this.removal[at] === 1;
  }

  /** Whether the act is engagement: added, and not a hide or report. */
  engages(at: number): boolean {
    return !this.removes(at) && !isNegative(this.type[at]);
  }

  /** Change of the item's popularity: +1, -1 for a removed act, 0 for hides and reports. */
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

  sort(): void {
    const order = timeOrder(this.time, this.length);
    if (order !== undefined) this.pick(order);
  }

  remove(which: (at: number) => boolean): void {
    const kept: number[] = [];
    for (let at = 0; at < this.length; at++) if (!which(at)) kept.push(at);
    this.pick(Uint32Array.from(kept));
  }

  until(time: number): number {
    return countUntil(this.time, this.length, time);
  }

  before(time: number): number {
    return countBefore(this.time, this.length, time);
  }

  /** Keeps only these acts, in this order. */
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

/** Cumulative counts from sources, in order of time: 36 bytes per count. */
export class Counts {
  length = 0;
  item = new Uint32Array(64);
  time = new Float64Array(64);
  /** NONE if the record has no such counter. */
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

  /** NONE if the record has no likes. */
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

  until(time: number): number {
    return countUntil(this.time, this.length, time);
  }

  before(time: number): number {
    return countBefore(this.time, this.length, time);
  }
}

function isNegative(event_code: number): boolean {
  return event_code === EVENT_CODE.hide || event_code === EVENT_CODE.report;
}
