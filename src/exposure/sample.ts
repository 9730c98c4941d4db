import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayOf } from '../clock.ts';
import { NONE } from '../model/key.ts';
import type { State } from '../state/state.ts';
import type { Store } from '../store/store.ts';
import type { SampledPage } from './measures.ts';

/** Pages, and items on them, that are read at most. */
const PAGES_MAX = 20_000;
const ITEMS_MAX = 500_000;
/** Pages of a viewer that are read at most, so that a program that requests pages is not the whole sample. */
const PAGES_OF_VIEWER_MAX = 500;
/** Behind all pages of a viewer. */
const LAST = Number.MAX_SAFE_INTEGER;

export interface Sample {
  pages: SampledPage[];
  /** The share of viewers whose logged pages were read, all of a viewer. 1: of all. */
  viewers_share: number;
}

/**
 * Reads logged pages viewer by viewer, in the order of the hashes of viewers, until the bound is reached. So a part of
 * the log is a random sample of viewers with all that they were shown, which repetition and days need.
 * @param limits for tests
 * @throws ServiceError `store_unavailable`
 */
export async function readSample(
  { state, store }: { state: State; store: Pick<Store, 'readShown'> },
  first_day: number,
  { pages_max = PAGES_MAX, items_max = ITEMS_MAX, of_viewer_max = PAGES_OF_VIEWER_MAX } = {},
): Promise<Sample> {
  const { names } = state.items;
  const pages: SampledPage[] = [];
  /** The viewer who is being read, the number of pages of theirs, and where they begin in `pages`. */
  let [index, viewer, of_viewer, start] = [-1, '', 0, 0];
  let [left_pages, left_items] = [pages_max, items_max];
  for (let after = { viewer: '', seq: LAST }; ; await nextTurn()) {
    const changes = await store.readShown(after, 'all');
    for (const change of changes) {
      if (change.viewer !== viewer)
        [index, viewer, of_viewer, start] = [index + 1, change.viewer, 0, pages.length];
      const { seq, halvings, page } = change;
      after = { viewer, seq: of_viewer >= of_viewer_max ? LAST : seq };
      left_pages--;
      const day = dayOf(page.time);
      if (++of_viewer > of_viewer_max || day < first_day) continue;
      const ordinals = Int32Array.from(page.items, (key) => names.ordinal(key));
      const items = ordinals.filter((item) => item !== NONE);
      left_items -= items.length;
      const { feed, feed_type } = page;
      pages.push({ viewer: index, feed, feed_type, day, weight: 2 ** halvings, items });
    }
    if (changes.length === 0) return { pages, viewers_share: 1 };
    if (left_pages > 0 && left_items > 0) continue;
    // The last viewer may have more pages.
    pages.length = start;
    return { pages, viewers_share: Number.parseInt(viewer.slice(0, 8), 16) / 2 ** 32 };
  }
}
