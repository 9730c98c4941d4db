import { timingSafeEqual } from 'node:crypto';
import type { Seconds } from '../clock.ts';
import { ServiceError } from '../errors.ts';
import { LIMITS } from '../limits.ts';

/** The contents of a cursor. */
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

/** Returns the position after the number. @param number from 0 to 2^32 - 1 */
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
