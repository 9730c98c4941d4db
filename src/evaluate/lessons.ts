import type { LoggedPage, ShownLog } from '../ingest/shown-log.ts';
import type { ShownPage } from '../model/shown-page.ts';

/** How a page is learnt from, if not as it was served. */
export interface Shown {
  /** Keys of its items, in the order in which they were shown. */
  items: readonly number[];
  /** Seconds after the page in which acts count for it. */
  window: number;
  /** Whether slots tell what the viewer looked at. */
  with_slots: boolean;
}

/**
 * Takes the pages that the service would log, and logs those that were really shown.
 *
 * Of several feeds that learn, the page with most signals is logged, because they share what they learn.
 */
export class Lessons implements Pick<ShownLog, 'add'> {
  private lesson: Pick<LoggedPage, 'viewer' | 'page'> | undefined;

  add(viewer: string, page: ShownPage): void {
    if (page.signals.length >= (this.lesson?.page.signals.length ?? 0)) this.lesson = { viewer, page };
  }

  /** Whether the last page is one that a feed learns from. */
  get has_signals(): boolean {
    return this.lesson?.page.learning !== undefined;
  }

  /** Logs the last page, and drops it. @param shown of a page whose items were shown in another order */
  async teach(log: Pick<ShownLog, 'add' | 'flushed'>, shown?: Shown): Promise<void> {
    if (this.lesson === undefined) return;
    const { viewer, page } = this.lesson;
    this.lesson = undefined;
    log.add(viewer, shown === undefined ? page : asShown(page, shown));
    await log.flushed();
  }
}

/** The page with its items in their real slots. Items that it lacks were not learnt from. */
function asShown(page: ShownPage, { items, window, with_slots }: Shown): ShownPage {
  const { signals, signal_values, origins, learning } = page;
  const slots = [...items.keys()].filter((slot) => page.items.includes(items[slot]));
  const places = slots.map((slot) => page.items.indexOf(items[slot]));
  return {
    ...page,
    items: Uint32Array.from(places, (at) => page.items[at]),
    slots: Uint16Array.from(slots, (slot) => slot + 1),
    origins: Uint8Array.from(places, (at) => origins[at]),
    signal_values: Uint8Array.from(
      places.flatMap((at) => [...signal_values.subarray(at * signals.length, (at + 1) * signals.length)]),
    ),
    learning: learning && {
      ...learning,
      window_seconds: window,
      ...(!with_slots && { is_unordered: true }),
    },
  };
}
