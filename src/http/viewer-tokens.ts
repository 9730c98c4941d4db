import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a viewer token says. */
export interface TokenClaims {
  /** The key that made it; null: the key that is given as a setting. */
  key_id: string | null;
  /** The only user whose feeds it reads. */
  viewer: string;
  /** seconds */
  expires_at: number;
}

/** What every token begins with. */
const PREFIX = 'flv1.';

/** Whether a text that was sent as a key is meant as a token. */
export function isViewerToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Signs viewer tokens, `flv1.<claims>.<signature>`. Nothing is stored for a token. The signature covers the hash of the key
 * that made it too, so a token of the key in the settings ends when that key is replaced by another.
 */
export class TokenSigner {
  constructor(private readonly secret: Uint8Array) {}

  /** @param key_hash of the key that makes it */
  sign({ key_id, viewer, expires_at }: TokenClaims, key_hash: string): string {
    const claims = Buffer.from(JSON.stringify([key_id, viewer, expires_at])).toString('base64url');
    return `${PREFIX}${claims}.${this.signature(claims, key_hash).toString('base64url')}`;
  }

  /**
   * The claims of a token that this service signed; undefined for any other text. Takes the same time wherever a
   * signature is wrong.
   * @param hashOf the hash of a key by its id; undefined when there is no such key any more
   */
  read(token: string, hashOf: (key_id: string | null) => string | undefined): TokenClaims | undefined {
    const [claims, signature, ...rest] = token.slice(PREFIX.length).split('.');
    const read = claimsOf(claims);
    if (read === undefined || signature === undefined || rest.length > 0) return undefined;
    const key_hash = hashOf(read.key_id);
    if (key_hash === undefined) return undefined;
    const wanted = this.signature(claims, key_hash);
    const given = Buffer.from(signature, 'base64url');
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? read : undefined;
  }

  private signature(claims: string, key_hash: string): Buffer {
    return createHmac('sha256', this.secret).update(`${claims}.${key_hash}`).digest();
  }
}

function claimsOf(text: string): TokenClaims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(claims) || claims.length !== 3) return undefined;
    const [key_id, viewer, expires_at]: unknown[] = claims;
    if (key_id !== null && typeof key_id !== 'string') return undefined;
    if (typeof viewer !== 'string' || typeof expires_at !== 'number') return undefined;
    return { key_id, viewer, expires_at };
  } catch {
    return undefined;
  }
}
