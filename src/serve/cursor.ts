import { timingSafeEqual } from 'node:crypto';
import { freshSeed, type Random, type Seconds, seededRandom } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import type { FeedRequest } from '../feeds/resolve-feed.ts';
import { LIMITS } from '../limits.ts';
import { type FeedType, NONE, type Ordinal } from '../plugin/index.ts';
import type { State } from '../state/state.ts';

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
/** The signature: the first half of an HMAC-SHA256. */
const SIGNATURE_BYTES = 16;
/** The bytes of a number at most: 32 bits, seven per byte. */
const NUMBER_BYTES_MAX = 5;

/**
 * Writes and reads cursors. Nothing is stored for a cursor.
 *
 * A cursor is base64url of: layout, start time, seed, number of items, ascending keys, each as the difference to the
 * key before it, and the signature. Numbers have seven bits per byte, so a key takes one to four bytes. The owner of a
 * cursor is part of what is signed but not of the cursor, so a cursor is invalid for any other owner.
 */
export class CursorSigner {
  /** @param secret the key of the signature; the same on all nodes and after a restart */
  constructor(private readonly secret: Uint8Array) {}

  /** @param owner text that identifies whose cursor it is, such as JSON of the viewer and the feed */
  write(owner: string, { started_at, seed, shown }: CursorContents): string {
    const keys = shown.toSorted();
    const bytes = Buffer.allocUnsafe(1 + NUMBER_BYTES_MAX * (3 + keys.length) + SIGNATURE_BYTES);
    bytes[0] = LAYOUT;
    let end = 1;
    for (const number of [started_at, seed, keys.length]) end = writeNumber(bytes, end, number);
    let before = 0;
    for (const key of keys) {
      end = writeNumber(bytes, end, key - before);
      before = key;
    }
    bytes.set(this.signature(owner, bytes.subarray(0, end)), end);
    return bytes.toString('base64url', 0, end + SIGNATURE_BYTES);
  }

  /**
   * Verifies and reads a cursor. Costs O(length) for a valid one, and less than a millisecond for any other text.
   * @throws ServiceError `cursor_invalid` unless this signer wrote it for the same owner, at most a day after the start
   * of its series
   */
  read(owner: string, cursor: string, now: Seconds): CursorContents {
    const contents = this.verified(owner, cursor);
    if (contents === undefined)
      throw invalid(
        'it is damaged, or it belongs to another viewer, user, feed type or feed_id than those of this request',
      );
    // A start time ahead of the clock is valid: clocks of nodes differ.
    if (now - contents.started_at > LIMITS.cursor_seconds)
      throw invalid(`its first page was built more than ${LIMITS.cursor_seconds / 3600} hours ago`);
    return contents;
  }

  private verified(owner: string, cursor: string): CursorContents | undefined {
    if (cursor.length > LIMITS.cursor_length_max) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    // The decoder skips characters that are not base64url, and unused bits of the last one.
    if (bytes.toString('base64url') !== cursor || bytes.length <= SIGNATURE_BYTES) return undefined;
    const signed = bytes.subarray(0, -SIGNATURE_BYTES);
    const signature = bytes.subarray(-SIGNATURE_BYTES);
    if (!timingSafeEqual(signature, this.signature(owner, signed))) return undefined;
    return signed[0] === LAYOUT ? contentsOf(signed) : undefined;
  }

  /** The owner needs no separator, because no JSON array is the beginning of another. */
  private signature(owner: string, signed: Uint8Array): Uint8Array {
    const hmac = new Bun.CryptoHasher('sha256', this.secret).update(owner).update(signed);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}

function invalid(reason: string): ServiceError {
  return new ServiceError(
    'cursor_invalid',
    `cursor: ${reason}; send the cursor of the last answer unchanged, or start again without a cursor`,
  );
}

function writeNumber(bytes: Uint8Array, start: number, number: number): number {
  let at = start;
  let rest = number;
  for (; rest > 127; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
  bytes[at++] = rest;
  return at;
}

/** @param signed bytes that `CursorSigner.write` wrote */
function contentsOf(signed: Uint8Array): CursorContents {
  let at = 1;
  const next = (): number => {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = signed[at++];
      number += (byte & 127) * unit;
      if (byte < 128) return number;
    }
  };
  const [started_at, seed, count] = [next(), next(), next()];
  const shown = new Uint32Array(count);
  let key = 0;
  for (let index = 0; index < count; index++) {
    key += next();
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
