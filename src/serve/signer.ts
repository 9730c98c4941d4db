import { timingSafeEqual } from 'node:crypto';

/** The signature: the first half of an HMAC-SHA256. */
const SIGNATURE_BYTES = 16;

/**
 * Signs bytes that clients send back, as base64url with the signature at the end. Nothing is stored.
 *
 * An owner is part of what is signed but not of the text, so a text is invalid for any other owner. It is JSON of an
 * array, which needs no separator, because no JSON array is the beginning of another.
 */
export class Signer {
  /** @param secret the key of the signature; the same on all nodes and after a restart */
  constructor(private readonly secret: Uint8Array) {}

  sign(owner: string, bytes: Uint8Array): string {
    const signed = Buffer.allocUnsafe(bytes.length + SIGNATURE_BYTES);
    signed.set(bytes);
    signed.set(this.signature(owner, bytes), bytes.length);
    return signed.toString('base64url');
  }

  /**
   * The bytes that were signed for this owner. Undefined for any other text. Costs O(length) for a valid text, and less
   * than a millisecond for any other one.
   */
  verified(owner: string, text: string, length_max: number): Uint8Array | undefined {
    if (text.length > length_max) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    // The decoder skips characters that are not base64url, and unused bits of the last one.
    if (bytes.toString('base64url') !== text || bytes.length <= SIGNATURE_BYTES) return undefined;
    const signed = bytes.subarray(0, -SIGNATURE_BYTES);
    const signature = bytes.subarray(-SIGNATURE_BYTES);
    return timingSafeEqual(signature, this.signature(owner, signed)) ? signed : undefined;
  }

  private signature(owner: string, signed: Uint8Array): Uint8Array {
    const hmac = new Bun.CryptoHasher('sha256', this.secret).update(owner).update(signed);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}

/** The longest text of a number of signed bytes. */
export function signedLength(bytes: number): number {
  return Math.ceil(((bytes + SIGNATURE_BYTES) * 4) / 3);
}
