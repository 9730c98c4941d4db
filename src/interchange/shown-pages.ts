import { LIMITS } from '../limits.ts';
import type { Key } from '../model/key.ts';
import type { ImpressionRecord } from '../model/records/index.ts';
import { newPage, type SeenPage } from '../seen/head.ts';
import type { SeenBook } from '../seen/seen-book.ts';
import type { FileReport } from './report.ts';

/** Lines that are kept until they are written. Of an unsorted file, each such piece reads the rows of its viewers. */
const LINES_MAX = 200_000;

interface ShownPage {
  time: number;
  /** Slots by item. Without slots, the order of the lines. */
  slots: Map<Key, number>;
}

interface Viewer {
  report: FileReport | undefined;
  /** By the name of the page, or by time if it has none. */
  pages: Map<string | number, ShownPage>;
}

/** The pages of an import, by viewer, until they are added to rows of what viewers have seen. */
export class ShownPages {
  private viewers = new Map<string, Viewer>();
  private line_count = 0;

  constructor(private readonly lines_max = LINES_MAX) {}

  get is_full(): boolean {
    return this.line_count >= this.lines_max;
  }

  /** @param now the latest time that a page may have */
  add(record: ImpressionRecord, item: Key, report: FileReport | undefined, now: number): void {
    const { user_id, timestamp, page: name = timestamp } = record;
    const viewer = this.viewers.getOrInsertComputed(user_id, () => ({ report, pages: new Map() }));
    const page = viewer.pages.getOrInsertComputed(name, () => ({ time: 0, slots: new Map() }));
    page.time = Math.max(page.time, Math.min(timestamp, now));
    if (page.slots.has(item)) {
      report?.accept(false);
      return;
    }
    page.slots.set(item, record.slot ?? page.slots.size);
    this.line_count++;
  }

  /**
   * Adds all pages to rows. What a row has at the same time or later is left out. The names of the items must be stored.
   * @throws ServiceError `store_unavailable`
   */
  async flush(seen: SeenBook): Promise<void> {
    const viewers = [...this.viewers];
    this.viewers = new Map();
    this.line_count = 0;
    while (viewers.length > 0) await Promise.all(viewers.splice(-LIMITS.seen_batch_max).map(merge));

    async function merge([user_id, { report, pages }]: [string, Viewer]): Promise<void> {
      const shown = [...pages.values()];
      const new_count = await seen.merge(seen.viewerOf(user_id), shown.map(seenPage));
      const count = shown.reduce((sum, { slots }) => sum + slots.size, 0);
      for (let line = 0; line < count; line++) report?.accept(line < new_count);
    }
  }
}

function seenPage({ time, slots }: ShownPage): SeenPage {
  const by_slot = [...slots].toSorted(([, one], [, other]) => one - other);
  return newPage({ time, page_id: 0, feed: 0, arm: 0, keys: Uint32Array.from(by_slot, ([key]) => key) });
}
