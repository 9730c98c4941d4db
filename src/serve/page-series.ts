import { freshSeed, type Random, type Seconds, seededRandom } from '../clock.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import { LIMITS } from '../limits.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { type CursorContents, CursorSigner } from './cursor.ts';

/** One page of a series, seen from the page that is being built. */
export interface SeriesPage {
  /** Items of earlier pages. Items that have left the state since are left out. */
  shown: ReadonlySet<Ordinal>;
  random: Random;
  /**
   * The cursor of the next page. Undefined if the series ends here, because it has shown `LIMITS.cursor_items_max`
   * items.
   * @param items the items of this page
   */
  cursorAfter(items: readonly Ordinal[]): string | undefined;
}

/**
 * A series of pages: a client reads one page after another, each with the cursor of the page before.
 *
 * The cursor contains everything that is known of a series: the shown items, which later pages do not repeat, a seed,
 * and the time of the first page. So nothing is stored, and any node can continue a series.
 */
export class PageSeries {
  private readonly signer: CursorSigner;

  /** @param secret see `CursorSigner` */
  constructor(
    private readonly state: State,
    secret: Uint8Array,
  ) {
    this.signer = new CursorSigner(secret);
  }

  /**
   * Continues the series of the request's cursor. Without a cursor a new series begins.
   * @throws ServiceError `cursor_invalid`
   */
  pageFor(
    feed_type: FeedType,
    request: FeedRequest,
    viewer_id: string | undefined,
    now: Seconds,
  ): SeriesPage {
    const owner = ownerOf(feed_type, request, viewer_id);
    const { cursor } = request;
    const before: CursorContents =
      cursor === undefined
        ? { started_at: Math.max(0, Math.floor(now)), seed: freshSeed(), shown: new Uint32Array() }
        : this.signer.read(owner, cursor, now);
    const seed = (request.seed ?? before.seed) >>> 0;
    return {
      shown: this.ordinalsOf(before.shown),
      // Each page draws other numbers. With equal ones, every page would have explored items at the same places.
      random: seededRandom(seed + before.shown.length),
      cursorAfter: (items) => {
        const count = before.shown.length;
        if (count + items.length >= LIMITS.cursor_items_max) return undefined;
        const shown = new Uint32Array(count + items.length);
        shown.set(before.shown);
        shown.set(this.state.items.names.keysOf(items), count);
        return this.signer.write(owner, { ...before, seed, shown });
      },
    };
  }

  private ordinalsOf(keys: Uint32Array): ReadonlySet<Ordinal> {
    const { names } = this.state.items;
    const ordinals = new Set<Ordinal>();
    for (const key of keys) {
      const ordinal = names.ordinal(key);
      if (ordinal !== NONE) ordinals.add(ordinal);
    }
    return ordinals;
  }
}

/** JSON of the feed and the viewer. A wallet that no user lists is a viewer of its own. */
function ownerOf(
  feed_type: FeedType,
  { feed_id, wallet_address }: FeedRequest,
  viewer_id: string | undefined,
): string {
  const viewer = viewer_id === undefined ? ['wallet', wallet_address?.toLowerCase()] : ['user', viewer_id];
  return JSON.stringify([feed_type, feed_id, ...viewer]);
}
