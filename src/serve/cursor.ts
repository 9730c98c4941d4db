import { freshSeed, type Random, type Seconds, seededRandom } from '../clock.ts';
import { ByteReader, ByteWriter } from '../columns/bytes.ts';
import { ServiceError } from '../errors.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import { LIMITS } from '../limits.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';
import { Signer } from './signer.ts';

export interface CursorContents {
  /** When the first page of the series was built, in whole seconds. */
  started_at: Seconds;
  /** The seed of the series, 32 bits. */
  seed: number;
  /** Store keys of the items that the series has shown. Never ordinals, which change at a restart. */
  shown: Uint32Array;
}

/** The first byte of a cursor. Another layout needs another number. */
const LAYOUT = 1;

/**
 * Writes and reads cursors. Nothing is stored for a cursor.
 *
 * A cursor is signed bytes (`Signer`): layout, start time, seed, number of items, ascending keys, each as the difference
 * to the key before it. Numbers have seven bits per byte, so a key takes one to four bytes.
 */
export class CursorSigner {
  private readonly signer: Signer;

  /** @param secret see `Signer` */
  constructor(secret: Uint8Array) {
    this.signer = new Signer(secret);
  }

  /** @param owner text that identifies whose cursor it is, such as JSON of the viewer and the feed */
  write(owner: string, { started_at, seed, shown }: CursorContents): string {
    const keys = shown.toSorted();
    const writer = new ByteWriter();
    writer.byte(LAYOUT);
    for (const number of [started_at, seed, keys.length]) writer.varint(number);
    let before = 0;
    for (const key of keys) {
      writer.varint(key - before);
      before = key;
    }
    return this.signer.sign(owner, writer.result());
  }

  /**
   * Verifies and reads a cursor.
   * @throws ServiceError `cursor_invalid` unless this signer wrote it for the same owner, at most a day after the start
   * of its series
   */
  read(owner: string, cursor: string, now: Seconds): CursorContents {
    const bytes = this.signer.verified(owner, cursor, LIMITS.cursor_length_max);
    const contents = bytes && contentsOf(new ByteReader(bytes));
    if (contents === undefined)
      throw invalid(
        'it is damaged, or it belongs to another viewer, user, feed type or feed_id than those of this request',
      );
    // A start time ahead of the clock is valid: clocks of nodes differ.
    if (now - contents.started_at > LIMITS.cursor_seconds)
      throw invalid(`its first page was built more than ${LIMITS.cursor_seconds / 3600} hours ago`);
    return contents;
  }
}

function invalid(reason: string): ServiceError {
  return new ServiceError(
    'cursor_invalid',
    `cursor: ${reason}; send the cursor of the last answer unchanged, or start again without a cursor`,
  );
}

/** @param reader of bytes that `CursorSigner.write` wrote. Undefined for another layout */
function contentsOf(reader: ByteReader): CursorContents | undefined {
  if (reader.byte() !== LAYOUT) return undefined;
  const [started_at, seed, count] = [reader.varint(), reader.varint(), reader.varint()];
  const shown = new Uint32Array(count);
  let key = 0;
  for (let index = 0; index < count; index++) {
    key += reader.varint();
    shown[index] = key;
  }
  return { started_at, seed, shown };
}

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
