import { createHash, createPrivateKey, createPublicKey, type KeyObject, scryptSync, sign } from 'node:crypto';

/**
 * Signatures that minisign verifies (https://jedisct1.github.io/minisign/), by its keys with and without a password.
 *
 * No maintained JavaScript library makes them.
 */

/** Precedes the 32 bytes of a secret Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The secret key file: where its parts begin. Integers are little-endian. */
const AT = { kdf: 2, salt: 6, memory_limit: 46, secret: 54, seed: 62, public: 94, checksum: 126, end: 158 };
const SCRYPT = 'Sc';
/** Bytes of memory that scrypt takes for one unit of its cost at its block size of 8. */
const SCRYPT_BLOCK = 128 * 8;

export interface SigningKey {
  /** Names the key in signatures: 8 bytes. */
  id: Buffer;
  secret: KeyObject;
  /** As the option -P of minisign takes it. */
  public: string;
}

/**
 * Reads a secret key.
 * @param text the file that `minisign -G` wrote, or its last line
 * @param password undefined for a key of `minisign -G -W`
 * @throws Error if it is no key, or the password is missing or wrong
 */
export function readSigningKey(text: string, password?: string): SigningKey {
  const bytes = Buffer.from(text.trim().split('\n').at(-1) ?? '', 'base64');
  if (bytes.length !== AT.end || bytes.toString('latin1', 0, AT.kdf) !== 'Ed')
    throw new Error('the signing key is not a secret key of minisign; minisign -G makes one');
  if (bytes.toString('latin1', AT.kdf, AT.kdf + 2) === SCRYPT) {
    if (password === undefined) throw new Error('the signing key has a password, which is not set');
    decrypt(bytes, password);
  }
  const id = bytes.subarray(AT.secret, AT.seed);
  const der = Buffer.concat([PKCS8, bytes.subarray(AT.seed, AT.public)]);
  const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const derived = createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32);
  if (!derived.equals(bytes.subarray(AT.public, AT.checksum)))
    throw new Error('the signing key is damaged, or its password is wrong');
  return { id, secret, public: Buffer.concat([Buffer.from('Ed'), id, derived]).toString('base64') };
}

/** Removes the mask that scrypt makes of the password, in place. */
function decrypt(bytes: Buffer, password: string): void {
  const memory_limit = Number(bytes.readBigUInt64LE(AT.memory_limit));
  const mask = scryptSync(password, bytes.subarray(AT.salt, AT.salt + 32), AT.end - AT.secret, {
    cost: memory_limit / SCRYPT_BLOCK,
    blockSize: 8,
    parallelization: 1,
    maxmem: 2 * memory_limit,
  });
  for (const [at, byte] of mask.entries()) bytes[AT.secret + at] ^= byte;
}

/**
 * The text of the file `<name>.minisig`. The same key, content and comment give the same text.
 * @param comment one line, which is signed, too
 */
export function signature(key: SigningKey, content: Uint8Array, comment: string): string {
  const hash = createHash('blake2b512').update(content).digest();
  const signed = sign(undefined, hash, key.secret);
  const with_comment = sign(undefined, Buffer.concat([signed, Buffer.from(comment)]), key.secret);
  return [
    'untrusted comment: signature from minisign secret key',
    Buffer.concat([Buffer.from('ED'), key.id, signed]).toString('base64'),
    `trusted comment: ${comment}`,
    with_comment.toString('base64'),
    '',
  ].join('\n');
}
