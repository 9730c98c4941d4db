import {
  formatDidKey,
  multibaseToBytes,
  P256_JWT_ALG,
  parseDidKey,
  SECP256K1_JWT_ALG,
} from '@atproto/crypto';

/** Maximum number of keys of a document that are looked at. */
const METHODS_MAX = 100;

/** Maximum length of a key in base58, which takes quadratic time to decode. Uncompressed ones have some 90 characters. */
const KEY_LENGTH_MAX = 200;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Types of keys that documents used before Multikey. Their bytes say nothing of the curve. */
const OLDER_TYPES = {
  EcdsaSecp256k1VerificationKey2019: SECP256K1_JWT_ALG,
  EcdsaSecp256r1VerificationKey2019: P256_JWT_ALG,
} as const;

/**
 * The key that signs for an account, as a `did:key`. Undefined if the document is not of this DID, or has no such key.
 *
 * It is the first method with the id `#atproto`.
 * @param document as its host has sent it
 */
export function signingKeyOf(did: string, document: unknown): string | undefined {
  if (!isObject(document) || document.id !== did || !Array.isArray(document.verificationMethod))
    return undefined;
  const method = document.verificationMethod
    .slice(0, METHODS_MAX)
    .filter(isObject)
    .find(({ id }) => id === '#atproto' || id === `${did}#atproto`);
  const { type, publicKeyMultibase: multibase } = method ?? {};
  if (typeof type !== 'string' || typeof multibase !== 'string') return undefined;
  if (multibase.length > KEY_LENGTH_MAX) return undefined;
  try {
    const key = didKeyOf(type, multibase);
    if (key !== undefined) parseDidKey(key);
    return key;
  } catch {
    // Not a point of the curve, or another kind of key.
    return undefined;
  }
}

function didKeyOf(type: string, multibase: string): string | undefined {
  if (type === 'Multikey') return `did:key:${multibase}`;
  if (!Object.hasOwn(OLDER_TYPES, type)) return undefined;
  return formatDidKey(OLDER_TYPES[type as keyof typeof OLDER_TYPES], multibaseToBytes(multibase));
}
