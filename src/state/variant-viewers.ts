import { grown } from '../columns/growable.ts';
import { NONE } from './change.ts';

/** Marks rows of erased viewers. No key has this value. */
const ERASED = 0xffff_ffff;
const SECONDS_PER_DAY = 86_400;
/** Smallest size of the hash table, a power of two. */
const SLOTS_MIN = 64;

/** What one viewer of a variant did in a period. */
export interface VariantViewer {
  /** key */
  user: number;
  impressions: number;
  pages: number;
  short_pages: number;
  /** Days since the epoch (UTC). */
  first_day: number;
  /** Whether the viewer was shown items on the day after the first one. */
  has_returned: boolean;
  /** Counted acts by type. Valid until the next change. */
  acts: Uint32Array;
}

/**
 * The viewers of all running variants: a row for each arm and viewer, found by a hash table.
 *
 * About 70 bytes a row.
 */
export class VariantViewers {
  private arms = new Uint32Array(0);
  private users = new Uint32Array(0);
  private impressions = new Uint32Array(0);
  private pages = new Uint32Array(0);
  private short_pages = new Uint32Array(0);
  private first_days = new Uint32Array(0);
  private returned = new Uint8Array(0);
  private acts = new Uint32Array(0);
  /** 1 + the position of the viewer's latest exposure; 0 without one. */
  private latest = new Float64Array(0);
  /** 1 + a row, or 0. Twice as many as rows at least, a power of two. */
  private slots = new Uint32Array(SLOTS_MIN);
  private row_count = 0;
  private erased_count = 0;
  /** Rows of each arm, without those of erased viewers. */
  private readonly counts = new Map<number, number>();

  constructor(private readonly act_types: number) {}

  /** The number of rows. Those of erased viewers count until they are freed. */
  get size(): number {
    return this.row_count;
  }

  countOf(arm: number): number {
    return this.counts.get(arm) ?? 0;
  }

  find(arm: number, user: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hashOf(user) & mask; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.slots[slot] - 1;
      if (this.arms[row] === arm && this.users[row] === user) return row;
    }
    return NONE;
  }

  rowsOf(user: number): number[] {
    const rows: number[] = [];
    const mask = this.slots.length - 1;
    for (let slot = hashOf(user) & mask; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.slots[slot] - 1;
      if (this.users[row] === user) rows.push(row);
    }
    return rows;
  }

  armOf(row: number): number {
    return this.arms[row];
  }

  findOrAdd(arm: number, user: number): number {
    const found = this.find(arm, user);
    if (found !== NONE) return found;
    const row = this.row_count++;
    this.growTo(this.row_count);
    this.arms[row] = arm;
    this.users[row] = user;
    this.counts.set(arm, this.countOf(arm) + 1);
    if (2 * this.row_count > this.slots.length) this.index();
    else this.enter(row);
    return row;
  }

  /** Counts a page with items recorded as seen. @param time seconds */
  countPage(row: number, items: number, is_short: boolean, time: number): void {
    const day = Math.floor(time / SECONDS_PER_DAY);
    if (this.pages[row] === 0) this.first_days[row] = day;
    else if (day === this.first_days[row] + 1) this.returned[row] = 1;
    this.pages[row]++;
    this.impressions[row] += items;
    if (is_short) this.short_pages[row]++;
  }

  countAct(row: number, act_type: number): void {
    this.acts[row * this.act_types + act_type]++;
  }

  latestExposure(row: number): number {
    return this.latest[row] - 1;
  }

  setLatestExposure(row: number, position: number): void {
    this.latest[row] = position + 1;
  }

  /** Forgets a viewer. Amortised O(1): the rows of erased viewers are freed when they are half of all rows. */
  erase(arm: number, user: number): void {
    const row = this.find(arm, user);
    if (row === NONE) return;
    this.users[row] = ERASED;
    this.clearRow(row);
    this.counts.set(arm, this.countOf(arm) - 1);
    this.erased_count++;
    if (2 * this.erased_count >= this.row_count) this.keepArms(() => true);
  }

  /** Forgets the viewers of all other arms, and frees the rows of erased viewers. O(rows). */
  keepArms(isKept: (arm: number) => boolean): void {
    let kept = 0;
    for (let row = 0; row < this.row_count; row++) {
      if (this.users[row] === ERASED || !isKept(this.arms[row])) continue;
      if (row !== kept) this.moveRow(row, kept);
      kept++;
    }
    for (let row = kept; row < this.row_count; row++) this.clearRow(row);
    this.row_count = kept;
    this.erased_count = 0;
    for (const arm of this.counts.keys()) if (!isKept(arm)) this.counts.delete(arm);
    this.index();
  }

  usersOf(arm: number): number[] {
    const users: number[] = [];
    for (let row = 0; row < this.row_count; row++) {
      if (this.arms[row] === arm && this.users[row] !== ERASED) users.push(this.users[row]);
    }
    return users;
  }

  get(arm: number, user: number): VariantViewer | undefined {
    const row = this.find(arm, user);
    if (row === NONE) return undefined;
    return {
      user: this.users[row],
      impressions: this.impressions[row],
      pages: this.pages[row],
      short_pages: this.short_pages[row],
      first_day: this.first_days[row],
      has_returned: this.returned[row] === 1,
      acts: this.acts.subarray(row * this.act_types, (row + 1) * this.act_types),
    };
  }

  private growTo(rows: number): void {
    this.arms = grown(this.arms, rows);
    this.users = grown(this.users, rows);
    this.impressions = grown(this.impressions, rows);
    this.pages = grown(this.pages, rows);
    this.short_pages = grown(this.short_pages, rows);
    this.first_days = grown(this.first_days, rows);
    this.returned = grown(this.returned, rows);
    this.acts = grown(this.acts, rows * this.act_types);
    this.latest = grown(this.latest, rows);
  }

  private moveRow(from: number, to: number): void {
    this.arms[to] = this.arms[from];
    this.users[to] = this.users[from];
    this.impressions[to] = this.impressions[from];
    this.pages[to] = this.pages[from];
    this.short_pages[to] = this.short_pages[from];
    this.first_days[to] = this.first_days[from];
    this.returned[to] = this.returned[from];
    this.latest[to] = this.latest[from];
    this.acts.copyWithin(to * this.act_types, from * this.act_types, (from + 1) * this.act_types);
  }

  private clearRow(row: number): void {
    this.impressions[row] = 0;
    this.pages[row] = 0;
    this.short_pages[row] = 0;
    this.first_days[row] = 0;
    this.returned[row] = 0;
    this.latest[row] = 0;
    this.acts.fill(0, row * this.act_types, (row + 1) * this.act_types);
  }

  /**
   * Makes the hash table again, in a size that fits the rows. O(rows).
   *
   * Rows of erased viewers are left out: all of them would have one hash, and entering them would be quadratic.
   */
  private index(): void {
    let size = SLOTS_MIN;
    while (size < 2 * this.row_count) size *= 2;
    this.slots = new Uint32Array(size);
    for (let row = 0; row < this.row_count; row++) {
      if (this.users[row] !== ERASED) this.enter(row);
    }
  }

  private enter(row: number): void {
    const mask = this.slots.length - 1;
    let slot = hashOf(this.users[row]) & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = row + 1;
  }
}

/**
 * All rows of a viewer have one hash, so that they are found together.
 *
 * Keys are assigned by the service, so no input can make them collide.
 */
function hashOf(user: number): number {
  const mixed = Math.imul(user, 0x9e37_79b1);
  return mixed ^ (mixed >>> 15);
}
