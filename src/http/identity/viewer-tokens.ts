import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token may change. */
export const TOKEN_RIGHTS = ['preferences'] as const;
export type TokenRight = (typeof TOKEN_RIGHTS)[number];

export interface TokenClaims {
  /** Key that made it. Null: the key from the settings. */
  key_id: string | null;
  /** The only user whose feeds it reads. */
  viewer: string;
  /** Seconds since the epoch. */
  expires_at: number;
  /** What it may change of its viewer. Absent: nothing. */
  may?: readonly TokenRight[];
}

const PREFIX = 'flv1.';

/** Whether the text sent as a key is a viewer token. */
export function isViewerToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/**
 * Signs viewer tokens: `flv1.<claims>.<signature>`. Nothing is stored for a token.
 *
 * The signature includes the hash of the key that made it. So a token made by the key from the settings becomes invalid
 * when that key is replaced.
 */
export class TokenSigner {
  constructor(private readonly secret: Uint8Array) {}

  /** @param key_hash hash of the key that makes it */
  sign({ key_id, viewer, expires_at, may = [] }: TokenClaims, key_hash: string): string {
    const claims = Buffer.from(JSON.stringify([key_id, viewer, expires_at, ...may])).toString('base64url');
    return `${PREFIX}${claims}.${this.signature(claims, key_hash).toString('base64url')}`;
  }

  /**
   * Verifies a token and returns its claims; undefined if the signature is wrong. Takes constant time for a wrong one.
   * @param hashOf returns the hash of a key by its id; undefined if the key no longer exists
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
    if (!Array.isArray(claims) || claims.length < 3) return undefined;
    const [key_id, viewer, expires_at, ...rights]: unknown[] = claims;
    if (key_id !== null && typeof key_id !== 'string') return undefined;
    if (typeof viewer !== 'string' || typeof expires_at !== 'number') return undefined;
    return { key_id, viewer, expires_at, may: TOKEN_RIGHTS.filter((right) => rights.includes(right)) };
  } catch {
    return undefined;
  }
}
