import type { Seconds } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import {
  decodeHead,
  decodeRuns,
  NO_HEAD,
  type SeenHead,
  type SeenPage,
  type SeenReply,
  type SeenRun,
} from './head.ts';
import { indexOfPart, type NextHead } from './next-head.ts';
import type { StoredSeen } from './seen-store.ts';
import { SeenTable } from './seen-table.ts';

/** Approximate memory of a row besides its table of parts, of a run of its head, and of an item of it. */
const ROW_BYTES = 1_024;
const RUN_BYTES = 300;
const ITEM_BYTES = 20;

/** A table that is made when it is first read: many viewers come back after their row was evicted. */
interface Recent {
  table: SeenTable;
  /** Runs that are not in the table yet. */
  more: readonly SeenRun[];
}

/** What a viewer has seen, up to one write of their row. It never changes. */
export class SeenRow {
  private constructor(
    readonly viewer: string,
    /** The number of the last write; 0 if there is no row. */
    readonly number: number,
    readonly head: SeenHead,
    /** The items of all parts, and those of the head, which are later. */
    private readonly settled: SeenTable,
    private readonly unread: Recent,
  ) {}

  static none(viewer: string): SeenRow {
    return new SeenRow(viewer, 0, NO_HEAD, SeenTable.EMPTY, recentOf(NO_HEAD));
  }

  /**
   * The row that was stored after `known`.
   * @param stored has all parts that were stored after `known`
   * @param since what was seen before this time is left out, except if `known` has it
   */
  static from({ viewer, number, content, parts }: StoredSeen, known?: SeenRow, since: Seconds = 0): SeenRow {
    if (content === undefined) return SeenRow.none(viewer);
    const isKept = ({ time }: SeenRun) => time >= since;
    const whole = decodeHead(content);
    const head = { ...whole, days: whole.days.filter(isKept), pages: whole.pages.filter(isKept) };
    const former = known?.head.born === head.born ? known.settled : SeenTable.EMPTY;
    const index = (part: number) => indexOfPart(part, head.moved);
    const in_order = parts.toSorted((one, other) => index(one.part) - index(other.part));
    const moved = in_order.flatMap((part) => decodeRuns(part.content)).filter(isKept);
    return new SeenRow(viewer, number, head, former.with(moved), recentOf(head));
  }

  /** The row after a write. */
  next(number: number, { head, parts, is_appended }: NextHead): SeenRow {
    const { table, more } = this.unread;
    const added = head.pages.slice(this.head.pages.length);
    const recent = is_appended ? { table, more: [...more, ...added] } : recentOf(head);
    return new SeenRow(this.viewer, number, head, this.settled.with(parts.flat()), recent);
  }

  private get recent(): SeenTable {
    const { unread } = this;
    if (unread.more.length > 0) {
      unread.table = unread.table.with(unread.more);
      unread.more = [];
    }
    return unread.table;
  }

  /**
   * When an item was last seen, in seconds: the time of its page, or of the last page of that day if it is older than
   * 48 hours. Undefined if it was not, or if too many others were seen since. O(log runs).
   */
  lastSeen(key: number): Seconds | undefined {
    const { recent, settled } = this;
    const place = recent.place(key);
    if (place >= 0) return recent.timeAt(place);
    const older = settled.place(key);
    return older < 0 || older < this.first_place ? undefined : settled.timeAt(older);
  }

  /** Keys of all seen items, longest ago first: by the order of recording, then of slots. O(items · log items). */
  inOrder(): Uint32Array {
    const { settled, recent, first_place } = this;
    const older = settled.inOrder(first_place).filter((key) => recent.place(key) < 0);
    const keys = new Uint32Array(older.length + recent.size);
    keys.set(older);
    keys.set(recent.inOrder(), older.length);
    return keys;
  }

  get is_empty(): boolean {
    const { days, pages } = this.head;
    return days.length === 0 && pages.length === 0 && this.settled.end === 0;
  }

  /** Places in `settled` before this one have too many items after them. */
  private get first_place(): number {
    return Math.max(0, this.settled.end + this.recent.size - LIMITS.seen_items_max);
  }

  /** When the first items were recorded. Infinite if there are none. */
  get first_time(): Seconds {
    return Math.min(this.settled.first_time, this.recent.first_time);
  }

  get erased_seq(): number {
    return this.head.erased_seq;
  }

  /** The pages of at least the last 48 hours, fewer if they were very many. In order of recording. */
  get pages(): readonly SeenPage[] {
    return this.head.pages;
  }

  /** Whether a write with this id is in the row. Writes of ten minutes are known at least. */
  has(page_id: number): boolean {
    return [...this.head.pages, ...this.head.replies].some((each) => each.page_id === page_id);
  }

  /** The answer to a request of the last ten minutes. */
  reply(hash: string, now: Seconds): SeenReply | undefined {
    const { replies } = this.head;
    return replies.findLast(
      (reply) => reply.hash === hash && reply.time > now - LIMITS.cached_answer_seconds,
    );
  }

  /** Approximate memory. */
  get bytes(): number {
    const { days, pages, replies } = this.head;
    let items = 0;
    for (const runs of [days, pages, replies]) for (const { keys } of runs) items += keys.length;
    const runs = days.length + pages.length + replies.length;
    return ROW_BYTES + RUN_BYTES * runs + ITEM_BYTES * items + this.settled.bytes;
  }
}

function recentOf({ days, pages }: SeenHead): Recent {
  return { table: SeenTable.EMPTY, more: [...days, ...pages] };
}
